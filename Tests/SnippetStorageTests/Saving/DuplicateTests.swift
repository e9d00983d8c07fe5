import Foundation
import SnippetTestSupport
import Testing

@testable import SnippetStorage

@Suite(.temporaryDirectory)
struct DuplicateTests {
  let store: SnippetStore

  init() throws {
    store = try TemporaryStore.open()
  }

  @Test(arguments: Self.contents)
  func `known content is skipped`(_ content: SnippetContent) async throws {
    let first = try await store.save(SnippetDraft(content, title: "first"))

    let outcome = try await outcomes(of: [SnippetDraft(content, title: "second")])

    #expect(outcome == [.duplicate(of: first.id)])
    #expect(try store.list().count == 1)
  }

  @Test(arguments: Self.contents)
  func `content that is twice in one batch is saved once`(_ content: SnippetContent) async throws {
    let outcome = try await outcomes(of: [
      SnippetDraft(content), SnippetDraft(.text("between")), SnippetDraft(content),
    ])

    let rows = try store.list(order: .oldestFirst).rows(in: 0..<9)
    #expect(rows.count == 2)
    #expect(outcome == [.saved, .saved, .duplicate(of: rows[0].id)])
  }

  @Test func `by default known content becomes another snippet that shares its bytes`() async throws
  {
    let first = try await store.save(SnippetDraft(.bytes(Samples.png)))

    let report = try await store.save(contentsOf: [
      SnippetDraft(.bytes(Samples.png), title: "second")
    ])

    #expect(report.savedCount == 1)
    let rows = try store.list().rows(in: 0..<9)
    #expect(rows.map(\.blobID) == [first.blobID, first.blobID])
    #expect(try await store.information().blobCount == 1)
  }

  // Equal texts are found by their size and 32 characters at each end.
  @Test func `texts that differ only in the middle are no duplicates`() async throws {
    let end = String(repeating: "é", count: 32)
    let texts = ["\(end)a\(end)", "\(end)b\(end)", "\(end)\(end)", "\(end)aa\(end)", "é", "", "e"]

    let outcome = try await outcomes(of: texts.map { SnippetDraft(.text($0), title: "one") })

    #expect(outcome == texts.map { _ in .saved })
    #expect(
      try await outcomes(of: texts.map { SnippetDraft(.text($0), title: "two") })
        == store.list(order: .oldestFirst).rows(in: 0..<9).map { .duplicate(of: $0.id) }
    )
  }

  @Test func `texts are compared by their bytes`() async throws {
    let texts = ["\u{E9}", "e\u{301}", "E\u{301}", "A", "a", "a ", " a", "a\n"]

    #expect(
      try await outcomes(of: texts.map { SnippetDraft(.text($0)) }) == texts.map { _ in .saved }
    )
  }

  @Test func `blobs that differ in one byte are no duplicates`() async throws {
    var bytes = Samples.bytes(600_000)
    let first = Samples.image(bytes)
    bytes[300_000] ^= 1

    #expect(try await outcomes(of: [first, Samples.image(bytes)]) == [.saved, .saved])
  }

  @Test func `the same bytes are a duplicate whatever they are called`() async throws {
    let bytes = Samples.bytes(1000)
    let image = try await store.save(Samples.image(bytes))

    #expect(try await outcomes(of: [Samples.voice(bytes)]) == [.duplicate(of: image.id)])
  }

  @Test func `content is not known any more once its last snippet is deleted or changed`()
    async throws
  {
    let text = try await store.save(SnippetDraft(.text("before")))
    let image = try await store.save(SnippetDraft(.bytes(Samples.png)))
    try await store.apply(SnippetEdit(text: "after"), to: text.id)
    try await store.delete([image.id])

    let outcome = try await outcomes(of: [
      SnippetDraft(.text("before")), SnippetDraft(.bytes(Samples.png)),
      SnippetDraft(.text("after")),
    ])

    #expect(outcome == [.saved, .saved, .duplicate(of: text.id)])
  }

  @Test(arguments: [false, true])
  func `a known identity is refused, with what to do about it`(_ isInBatch: Bool) async throws {
    let uuid = UUID()
    let first = try await store.save(SnippetDraft(.text("first"), uuid: uuid))
    let draft = SnippetDraft(.bytes(Samples.png), uuid: uuid)
    var error: SnippetStoreError?

    if isInBatch {
      let drafts = [draft, SnippetDraft(.text("other"))]
      let report = try store.blockingSave(contentsOf: drafts) { event in
        if case .failed(0, let failure) = event { error = failure }
      }
      #expect(report.savedCount == 1)
    } else {
      error = await #expect(throws: SnippetStoreError.self) { try await store.save(draft) }
    }

    #expect(error?.code == .invalidInput)
    #expect(
      error?.description == """
        Could not save a snippet: a snippet with the identity \(uuid) exists already. Nothing was \
        changed. Change that snippet, or skip duplicates.
        """
    )
    #expect(try store.row(first.id) == first)
    #expect(try await store.information().blobCount == 0)
  }

  @Test func `known content is counted`() async throws {
    let report = try await store.save(
      contentsOf: [SnippetDraft(.text("a")), SnippetDraft(.text("a")), SnippetDraft(.text("bb"))],
      skipsDuplicates: true
    )

    #expect(report.savedCount == 2)
    #expect(report.duplicateCount == 1)
    #expect(report.byteCount == 3)
  }

  private enum Outcome: Equatable {
    case saved
    case duplicate(of: SnippetID)
    case failed
  }

  private func outcomes(of drafts: [SnippetDraft]) async throws -> [Outcome] {
    var outcomes: [Int: Outcome] = [:]
    try store.blockingSave(contentsOf: drafts, skipsDuplicates: true) { event in
      switch event {
      case .saved(let index, _, _): outcomes[index] = .saved
      case .duplicate(let index, let id, _): outcomes[index] = .duplicate(of: id)
      case .failed(let index, _): outcomes[index] = .failed
      }
    }
    return drafts.indices.compactMap { outcomes[$0] }
  }

  private static let contents: [SnippetContent] = [
    .text("Milk"), .text(""), .text(Samples.longText()), .text("a\0b"), .bytes(Samples.png),
    .bytes(Samples.wav(frameCount: 300_000)),
  ]
}
