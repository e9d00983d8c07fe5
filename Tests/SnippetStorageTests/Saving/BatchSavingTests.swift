import Foundation
import SnippetBase
import SnippetTestSupport
import Testing

@testable import SnippetStorage

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct BatchSavingTests {
  let store: SnippetStore

  init() throws {
    store = try TemporaryStore.open()
  }

  @Test func `every draft is reported once, in order, with its own index`() async throws {
    let texts = (0..<1234).map { "text \($0)" }
    let told = Lock<[(index: Int, text: String)]>([])

    let report = try await store.save(contentsOf: texts.map { SnippetDraft(.text($0)) }) { event in
      guard case .saved(let index, let id, let byteCount) = event else { return }
      #expect(byteCount == texts[index].utf8.count)
      let text = try? Threads.wait { try await store.text(of: id) }
      told.withLock { $0.append((index, text ?? "")) }
    }

    #expect(told.withLock { $0.map(\.index) } == Array(0..<1234))
    #expect(told.withLock { $0.map(\.text) } == texts)
    #expect(report.savedCount == 1234)
    #expect(report.duplicateCount == 0 && report.failedCount == 0)
    #expect(report.byteCount == texts.reduce(0) { $0 + Int64($1.utf8.count) })
  }

  @Test func `a lazy sequence makes its drafts when it is their turn`() async throws {
    let madeCount = Lock(0)
    let drafts = (0..<1_001).lazy.map { number in
      madeCount.withLock { $0 += 1 }
      return SnippetDraft(.text("text \(number)"))
    }

    let most = Lock(0)
    let report = try await store.save(contentsOf: drafts) { _ in
      most.withLock { $0 = max($0, madeCount.withLock(\.self)) }
      madeCount.withLock { $0 -= 1 }
    }

    #expect(report.savedCount == 1_001)
    #expect(most.withLock(\.self) == 500)
  }

  // A connection of somebody else sees what is committed and nothing else.
  @Test func `a snippet is reported once others can see it`() async throws {
    let other = try TemporaryStore.open()
    var visibleCounts: [Int] = []

    try store.blockingSave(contentsOf: (0..<1200).map { SnippetDraft(.text("text \($0)")) }) {
      event in
      guard case .saved(let index, let id, _) = event else { return }
      #expect((try? other.row(id))?.title == "text \(index)")
      let count = (try? other.list().count) ?? -1
      if visibleCounts.last != count { visibleCounts.append(count) }
    }

    #expect(visibleCounts == [500, 1000, 1200])
  }

  @Test func `drafts are taken as they are saved and not all at once`() async throws {
    let taken = Lock(0)
    var told = 0
    let drafts = GeneratedDrafts(2000) { index in
      taken.withLock { $0 = index + 1 }
      return SnippetDraft(.text("text \(index)"))
    }

    try store.blockingSave(contentsOf: drafts) { _ in
      told += 1
      #expect(taken.withLock { $0 } - told < 500)
    }

    #expect(told == 2000)
  }

  @Test func `many bytes are committed before many drafts are`() async throws {
    let other = try TemporaryStore.open()
    var visibleCounts: Set<Int> = []
    let large = Samples.bytes(8 << 20)
    let drafts = GeneratedDrafts(9) { number in
      Samples.image(large + [UInt8(number)])
    }

    try store.blockingSave(contentsOf: drafts) { _ in
      visibleCounts.insert((try? other.list().count) ?? -1)
    }

    #expect(visibleCounts.sorted() == [2, 4, 6, 8, 9])
  }

  @Test func `a draft that cannot be saved is reported and skipped`() async throws {
    let uuid = UUID()
    let drafts = [
      SnippetDraft(.text("first"), uuid: uuid),
      SnippetDraft(.bytes(Data([0, 1, 2, 3]))),
      SnippetDraft(.text("a"), tags: [","]),
      SnippetDraft(.file(at: TemporaryDirectory.file("missing"))),
      SnippetDraft(.text("the same identity"), uuid: uuid),
      SnippetDraft(.text("last")),
    ]
    var saved: [Int] = []
    var codes: [Int: SnippetStoreError.Code] = [:]

    let report = try store.blockingSave(contentsOf: drafts) { event in
      switch event {
      case .saved(let index, _, _): saved.append(index)
      case .duplicate: Issue.record("nothing is a duplicate")
      case .failed(let index, let error): codes[index] = error.code
      }
    }

    #expect(saved == [0, 5])
    #expect(
      codes == [
        1: .unsupportedContent, 2: .invalidInput, 3: .noSuchFile, 4: .invalidInput,
      ]
    )
    #expect(report.savedCount == 2)
    #expect(report.failedCount == 4)
    #expect(try store.list(order: .oldestFirst).rows(in: 0..<9).map(\.title) == ["first", "last"])
  }

  @Test func `a stream that says that it was cancelled is reported as failed`() async throws {
    var codes: [SnippetStoreError.Code] = []

    let report = try store.blockingSave(
      contentsOf: [
        SnippetDraft(.stream { throw CancellationError() }), SnippetDraft(.text("last")),
      ]
    ) { event in
      if case .failed(_, let error) = event { codes.append(error.code) }
    }

    #expect(codes == [.cancelled])
    #expect(report.failedCount == 1)
    #expect(report.savedCount == 1)
  }

  @Test func `a draft that fails leaves nothing of itself`() async throws {
    let uuid = UUID()
    let drafts = [
      SnippetDraft(.text("first"), uuid: uuid),
      SnippetDraft(
        .bytes(Samples.png),
        tags: ["never"],
        uuid: uuid
      ),
    ]

    let report = try store.blockingSave(contentsOf: drafts)

    #expect(report.failedCount == 1)
    #expect(try await store.information().blobCount == 0)
    #expect(try await store.information().tagCount == 0)
  }

  @Test func `no drafts are nothing to do`() async throws {
    let report = try store.blockingSave(contentsOf: [])

    #expect(report == SaveReport())
  }

  @Test func `a store that is only read takes no draft`() async throws {
    let reader = try TemporaryStore.open(configuration: .init(access: .readOnly))
    let taken = Lock(0)
    let drafts = GeneratedDrafts(3) { number in
      taken.withLock { $0 += 1 }
      return SnippetDraft(.text("\(number)"))
    }

    let error = await #expect(throws: SnippetStoreError.self) {
      try await reader.save(contentsOf: drafts)
    }
    let single = await #expect(throws: SnippetStoreError.self) {
      try await reader.save(SnippetDraft(.text("no")))
    }

    #expect(error?.code == .readOnly)
    #expect(single?.code == .readOnly)
    #expect(taken.withLock { $0 } == 0)
  }
}
