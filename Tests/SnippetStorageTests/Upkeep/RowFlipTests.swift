import Foundation
import SnippetStorage
import SnippetTestSupport
import Testing

/// Bits that flip in rows and texts while the store is closed.
@Suite(.temporaryDirectory, .seeded, .timeLimit(.minutes(30)))
struct RowFlipTests {
  let file = TemporaryDirectory.file("damaged.sqlite")
  private let original: Data
  private let seen: Seen

  init() async throws {
    let store = try SnippetStore(at: file)
    try await store.save(contentsOf: (1...48).map(Self.draft))
    let ids = try store.list().rows(in: 0..<48).map(\.id)
    try await store.moveToTrash(Array(ids[4..<12]))
    try await store.apply(SnippetEdit(title: "changed", addedTags: ["late"]), to: ids[20])
    try await store.apply(SnippetEdit(text: "another text"), to: ids[31])
    try await store.updateSearchIndex()
    seen = try await Seen(store)
    try await store.close()
    original = try Data(contentsOf: file)
  }

  private static func draft(_ number: Int) -> SnippetDraft {
    switch number % 4 {
    case 0: Samples.image(Samples.bytes(100, seed: UInt64(number)), title: "Picture \(number)")
    case 1:
      SnippetDraft(
        .text(String(repeating: "\(Samples.texts[number % 10]) ", count: 1 + number % 9)),
        tags: ["tag \(number % 7)"]
      )
    case 2: SnippetDraft(.text(Samples.texts[number % 10]), title: "Title \(number)")
    default: SnippetDraft(.bytes(Samples.wav(frameCount: number)), title: "Sound \(number)")
    }
  }

  @Test func `a check notices 99 of 100 bits that change what anybody sees`() async throws {
    var random = SeededGenerator()
    let output = try await Shell.sqlite3(
      file,
      "SELECT pageno FROM dbstat WHERE name IN ('snippet', 'snippet_text') AND pagetype <> 'internal'"
    )
    let pages = output.standardOutput.split(separator: "\n").compactMap { Int($0) }
    try #require(pages.count >= 2)
    let isLong = ProcessInfo.processInfo.environment["SNIP_LONG_TESTS"] != nil
    var (visibleCount, noticedCount) = (0, 0)

    for _ in 0..<(isLong ? 5000 : 80) {
      let byte = (random.element(of: pages) - 1) * 8192 + random.below(8192)
      var damaged = original
      damaged[byte] ^= 1 << UInt8(random.below(8))
      try damaged.write(to: file)
      let (isVisible, isNoticed) = try await effect()
      if isVisible { visibleCount += 1 }
      if isVisible && isNoticed { noticedCount += 1 }
    }

    // One in three is seen: one run in a million has five or fewer.
    #expect(visibleCount > 5)
    #expect(
      Double(noticedCount) >= 0.99 * Double(visibleCount),
      "\(noticedCount) of \(visibleCount)"
    )
  }

  /// Whether anybody sees something else than before, and whether a check notices.
  private func effect() async throws -> (isVisible: Bool, isNoticed: Bool) {
    do {
      let store = try SnippetStore(at: file, configuration: .init(access: .readOnly))
      let isNoticed: Bool
      do { isNoticed = try await !store.check().isSound } catch { isNoticed = true }
      let isVisible = (try? await Seen(store)) != seen
      try await store.close()
      return (isVisible, isNoticed)
    } catch {
      return (true, true)
    }
  }

  /// All that a store shows of its snippets.
  private struct Seen: Equatable {
    var rows: [SnippetRow] = []
    var texts: [Data] = []

    init(_ store: SnippetStore) async throws {
      for filter in [SnippetFilter(), SnippetFilter(isInTrash: true)] {
        rows += try store.list(filter, order: .oldestFirst).rows(in: 0..<200)
      }
      // As they are, unlike the whole, which is checked.
      for row in rows where row.kind == .text {
        texts.append(try await store.content(of: row.id, in: 0..<100_000))
      }
    }
  }
}
