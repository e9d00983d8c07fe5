import SnippetBase
import SnippetTestSupport
import Testing

@testable import SnippetStorage

@Suite(.temporaryDirectory, .seeded, .timeLimit(.minutes(30)))
struct SnippetListModelTests {
  // One fence stands for 128 rows, so the sizes lie around its multiples.
  @Test(arguments: [0, 1, 2, 127, 128, 129, 256, 1100])
  func `lists agree with an array whatever is saved, changed and deleted`(size: Int) async throws {
    var world = try await ListWorld(size: size)
    try await world.expectAgreement()

    for _ in 0..<(size > 500 ? 2 : 5) {
      try await world.change()
      try await world.expectAgreement()
    }
  }
}

/// A store, the model beside it, and lists that stay open while both change.
private struct ListWorld {
  private let store: SnippetStore
  private let size: Int
  private var snippets: RandomSnippets
  private var model = ListModel()
  private var lists: [SnippetList] = []

  init(size: Int) async throws {
    let seed = SeededGenerator.runSeed &+ UInt64(size)
    let dates = Lock(RandomSnippets(random: SeededGenerator(seed: ~seed)))
    var configuration = SnippetStore.Configuration()
    configuration.now = { dates.withLock { $0.date() } }
    store =
      try size % 2 == 0
      ? TemporaryStore.open(configuration: configuration)
      : TemporaryStore.inMemory(configuration: configuration)
    self.size = size
    snippets = RandomSnippets(random: SeededGenerator(seed: seed))
    try await save(size)
    lists = SnippetOrder.all.flatMap { order in
      [SnippetFilter.all, .trash, snippets.filter(), SnippetFilter(tags: ["RARE"])].map {
        store.list($0, order: order)
      }
    }
  }

  /// Saves, changes and deletes a few snippets.
  mutating func change() async throws {
    let ids = model.rows.keys.sorted().filter { model.rows[$0]?.deletedAt == nil }
    if !ids.isEmpty {
      for _ in 0..<6 {
        let id = snippets.random.element(of: ids)
        model.rows[id] = try await store.apply(snippets.changes(), to: id)
      }
      let deleted = Set(
        (0..<snippets.random.below(4)).map { _ in snippets.random.element(of: ids) }
      )
      #expect(try await store.delete(deleted.sorted()) == deleted.sorted())
      for id in deleted { model.rows[id] = nil }
    }
    try await save(snippets.random.below(5))
    try await moveToTrashAndBack()
  }

  private mutating func moveToTrashAndBack() async throws {
    for id in try await store.moveToTrash(ids()) {
      let row = try store.row(id)
      #expect(row?.deletedAt != nil && model.rows[id]?.deletedAt == nil)
      model.rows[id] = row
    }
    for id in try await store.undelete(ids().shuffled(using: &snippets.random).dropLast(6)) {
      let row = try store.row(id)
      #expect(row?.deletedAt == nil && model.rows[id]?.deletedAt != nil)
      model.rows[id] = row
    }
  }

  mutating func expectAgreement() async throws {
    for list in lists { try await expectAgreement(of: list) }
    try await expectAgreement(
      of: store.list(snippets.filter(), order: snippets.random.element(of: SnippetOrder.all))
    )
  }

  private mutating func save(_ count: Int) async throws {
    var ids: [SnippetID] = []
    let drafts = (0..<count).map { _ in snippets.draft() }
    let report = try store.blockingSave(contentsOf: drafts) { event in
      if case .saved(_, let id, _) = event { ids.append(id) }
    }
    #expect(report.savedCount == count)
    for id in ids { model.rows[id] = try store.row(id) }
    #expect(ids.allSatisfy { model.rows[$0] != nil })
  }

  private mutating func expectAgreement(of list: SnippetList) async throws {
    let expected = model.rows(list.filter, list.order)
    let comment: Comment = "\(list.filter), \(list.order), \(expected.count) of \(model.rows.count)"
    #expect(try list.count == expected.count, comment)
    #expect(try await store.count(list.filter) == expected.count, comment)

    for range in windows(in: expected.count) {
      let rows = try list.rows(in: range)
      #expect(
        rows == Array(expected[range.clamped(to: 0..<expected.count)]),
        "\(comment), window \(range)"
      )
    }
    for position in [-1, 0, 127, 128, expected.count - 1, expected.count, .min, .max] {
      let row = expected.indices.contains(position) ? expected[position] : nil
      #expect(try list.row(at: position) == row, "\(comment), position \(position)")
    }
    let positions = Dictionary(uniqueKeysWithValues: expected.enumerated().map { ($1.id, $0) })
    for id in ids() {
      #expect(try list.position(of: id) == positions[id], "\(comment), snippet \(id)")
    }
  }

  /// Windows about the fences, the ends and anywhere.
  private mutating func windows(in count: Int) -> [Range<Int>] {
    let somewhere = (0..<3).map { _ in
      let start = snippets.random.below(count + 10)
      return start..<start + snippets.random.below(300)
    }
    return [
      0..<0, 0..<1, 0..<50, 126..<131, 127..<128, 128..<129, 120..<260, count - 3..<count + 3,
      -5..<5, 0..<Int.max, Int.min..<Int.max,
    ] + somewhere
  }

  /// All the snippets of a small store, some of a large one, and some that are in none.
  private mutating func ids() -> [SnippetID] {
    let all = model.rows.keys.sorted()
    let some = all.count <= 20 ? all : (0..<12).map { _ in snippets.random.element(of: all) }
    return some + [0, -1, 1_000_000, .max].map(SnippetID.init(rawValue:))
  }
}
