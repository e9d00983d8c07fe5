import SnippetTestSupport
import Testing

@testable import SnippetStorage

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct ListBatchTests {
  private let file = TemporaryDirectory.file("store.sqlite")

  /// Five texts, the titles of which are `b`, `d`, `f`, `h` and `j`.
  private func store() async throws -> (SnippetStore, [SnippetID]) {
    let store = try TemporaryStore.open(configuration: .withoutLooks)
    let ids = try await ["b", "d", "f", "h", "j"].asyncMap { title in
      try await store.save(SnippetDraft(.text(title), title: title)).id
    }
    return (store, ids)
  }

  /// What becomes of a list by title.
  private func batch(
    _ filter: SnippetFilter = .all,
    of store: SnippetStore,
    after changes: () async throws -> Void
  ) async throws -> ListBatch {
    let list = store.list(filter, order: .byTitle)
    _ = try list.count
    let follower = ListFollower(list)
    try await changes()
    _ = try list.count
    let batch = follower.takeBatch()
    #expect(follower.takeBatch() == nil)
    return try #require(batch)
  }

  @Test func `a new row is reported with its position in the new list`() async throws {
    let (store, _) = try await store()
    var new: [SnippetID] = []

    let batch = try await batch(of: store) {
      new = try await ["a", "e", "z"].asyncMap {
        try await store.save(SnippetDraft(.text($0), title: $0)).id
      }
    }

    #expect(batch.inserted == zip(new, [0, 3, 7]).map { RowPlace(id: $0, position: $1) })
    #expect((batch.removed, batch.moved, batch.updated) == ([], [], []))
    #expect((batch.formerCount, batch.count, batch.isReset) == (5, 8, false))
    #expect(batch.version == batch.formerVersion + 1)
    #expect((0..<5).map(batch.position) == [1, 2, 4, 5, 6])
    #expect([-1, 5].map(batch.position) == [nil, nil])
  }

  @Test func `a row that is gone is reported with its position in the old list`() async throws {
    let (store, ids) = try await store()

    let batch = try await batch(of: store) { try await store.delete([ids[1], ids[2], ids[4]]) }

    #expect(batch.removed == [1, 2, 4].map { RowPlace(id: ids[$0], position: $0) })
    #expect((batch.inserted, batch.moved, batch.updated) == ([], [], []))
    // Where a row is gone, the next one that is left is meant.
    #expect((0..<5).map(batch.position) == [0, 1, 1, 1, 1])
  }

  @Test func `a row that has changed in its place is reported as updated`() async throws {
    let (store, ids) = try await store()

    let batch = try await batch(of: store) {
      try await store.apply(SnippetEdit(isPinned: true), to: ids[1])
      try await store.apply(SnippetEdit(title: "F"), to: ids[2])
      try await store.apply(SnippetEdit(title: "g"), to: ids[3])
    }

    #expect(batch.updated == [1, 2, 3].map { RowPlace(id: ids[$0], position: $0) })
    #expect((batch.inserted, batch.moved, batch.removed) == ([], [], []))
  }

  @Test func `a row that stands elsewhere among the others is reported as moved`() async throws {
    let (store, ids) = try await store()

    let batch = try await batch(of: store) {
      try await store.apply(SnippetEdit(title: "i"), to: ids[1])
      try await store.delete([ids[0]])
    }

    #expect(batch.moved == [RowMove(id: ids[1], from: 1, to: 2)])
    #expect(batch.removed == [RowPlace(id: ids[0], position: 0)])
    #expect((batch.inserted, batch.updated) == ([], []))
    #expect((0..<5).map(batch.position) == [0, 2, 0, 1, 3])
  }

  @Test func `of two rows that change places one has moved`() async throws {
    let (store, ids) = try await store()

    let batch = try await batch(of: store) {
      try await store.apply(SnippetEdit(title: "g"), to: ids[1])
      try await store.apply(SnippetEdit(title: "e"), to: ids[2])
    }

    #expect(batch.updated == [RowPlace(id: ids[1], position: 2)])
    #expect(batch.moved == [RowMove(id: ids[2], from: 2, to: 1)])
    #expect((batch.inserted, batch.removed) == ([], []))
  }

  @Test func `rows come and go with what the filter asks for`() async throws {
    let (store, ids) = try await store()
    try await store.apply(SnippetEdit(isPinned: true, addedTags: ["Home"]), to: ids[2])

    let pinned = try await batch(SnippetFilter(isPinned: true), of: store) {
      try await store.apply(SnippetEdit(isPinned: true), to: ids[0])
      try await store.apply(SnippetEdit(isPinned: false), to: ids[2])
    }
    let tagged = try await batch(SnippetFilter(tags: ["home"]), of: store) {
      try await store.apply(SnippetEdit(addedTags: ["HOME"]), to: ids[4])
      try await store.apply(SnippetEdit(removedTags: ["home"]), to: ids[2])
      try await store.apply(SnippetEdit(title: "no member"), to: ids[3])
    }

    #expect(pinned.inserted == [RowPlace(id: ids[0], position: 0)])
    #expect(pinned.removed == [RowPlace(id: ids[2], position: 0)])
    #expect(tagged.inserted == [RowPlace(id: ids[4], position: 0)])
    #expect(tagged.removed == [RowPlace(id: ids[2], position: 0)])
    #expect([pinned, tagged].allSatisfy { $0.updated.isEmpty && $0.moved.isEmpty })
  }

  @Test func `what does not concern a list is not reported, and leaves its version`() async throws {
    let (store, ids) = try await store()
    let list = store.list(SnippetFilter(isPinned: true))
    let version = try list.page(0..<9).version
    let follower = ListFollower(list)

    try await store.apply(SnippetEdit(title: "other", addedTags: ["new"]), to: ids[0])
    try await store.delete([ids[1]])

    #expect(try list.page(0..<9).version == version)
    #expect(follower.takeBatch() == nil)
  }

  @Test(arguments: [(1024, false), (1025, true)])
  func `very many changes become a reset`(count: Int, isReset: Bool) async throws {
    let (store, ids) = try await store()

    let batch = try await batch(of: store) {
      try await store.save(contentsOf: (0..<count).map { SnippetDraft(.text("\($0)"), title: "e") })
    }

    #expect(batch.isReset == isReset)
    #expect((batch.formerCount, batch.count) == (5, 5 + count))
    #expect(batch.inserted.count == (isReset ? 0 : count))
    #expect(batch.position(of: 4) == (isReset ? nil : 4 + count))
    let list = store.list(order: .byTitle)
    #expect(try list.position(of: ids[4]) == 4 + count)
  }

  @Test func `a batch is applied to the rows it leads on from, and to no others`() async throws {
    let (store, ids) = try await store()
    let first = try await batch(of: store) { try await store.delete([ids[0]]) }
    var (rows, version) = (ids, first.formerVersion)

    #expect(first.apply(to: &rows, at: &version) { $0.id })
    #expect((rows, version) == (Array(ids.dropFirst()), first.version))
    // Twice, or too late.
    #expect(!first.apply(to: &rows, at: &version) { $0.id })
    #expect((rows, version) == (Array(ids.dropFirst()), first.version))
    var none: [SnippetID] = []
    version = first.formerVersion
    #expect(!first.apply(to: &none, at: &version) { $0.id })
    #expect(none.isEmpty)
  }

  @Test func `a batch that fits other rows by their number alone is refused`() async throws {
    let (store, ids) = try await store()
    let swap = try await batch(of: store) {
      try await store.delete([ids[4]])
      try await store.save(SnippetDraft(.text("a"), title: "a"))
    }
    var (rows, version) = (ids, swap.formerVersion)

    #expect(swap.apply(to: &rows, at: &version) { $0.id })
    let swapped = rows
    #expect(!swap.apply(to: &rows, at: &version) { $0.id })
    #expect(rows == swapped)
  }

  @Test func `a batch is told in splices too`() async throws {
    let (store, ids) = try await store()
    let change = try await batch(of: store) {
      try await store.delete([ids[0], ids[1]])
      try await store.apply(SnippetEdit(title: "z"), to: ids[3])
      try await store.save(contentsOf: ["a", "zz"].map { SnippetDraft(.text($0), title: $0) })
    }

    #expect((change.removed.count, change.moved.count, change.inserted.count) == (2, 1, 2))
    #expect(
      change.splices == [
        ListSplice(position: 0, removedCount: 2, insertedCount: 1),
        ListSplice(position: 2, removedCount: 1, insertedCount: 0),
        ListSplice(position: 3, removedCount: 0, insertedCount: 2),
      ]
    )
    var reset = change
    reset.isReset = true
    #expect(reset.splices == [ListSplice(position: 0, removedCount: 5, insertedCount: 5)])
    (reset.formerCount, reset.count) = (0, 0)
    #expect(reset.splices == [])
  }

  @Test func `a reset and what fits nothing are refused`() async throws {
    let (store, ids) = try await store()
    var batch = try await batch(of: store) {
      try await store.apply(SnippetEdit(title: "F"), to: ids[2])
    }
    var (rows, version) = (ids, batch.formerVersion)

    batch.updated[0].position = 99
    #expect(!batch.apply(to: &rows, at: &version) { $0.id })
    batch.updated[0].position = -1
    #expect(!batch.apply(to: &rows, at: &version) { $0.id })
    batch.updated = []
    batch.count = 6
    #expect(!batch.apply(to: &rows, at: &version) { $0.id })
    batch.count = 5
    batch.isReset = true
    #expect(!batch.apply(to: &rows, at: &version) { $0.id })
    #expect(rows == ids)
  }

  @Test func `what reading a row throws leaves the rows as they were`() async throws {
    struct OutOfPaper: Error {}
    let (store, ids) = try await store()
    let batch = try await batch(of: store) {
      try await store.apply(SnippetEdit(title: "F"), to: ids[2])
    }
    var (rows, version) = (ids, batch.formerVersion)

    #expect(throws: OutOfPaper.self) {
      try batch.apply(to: &rows, at: &version) { _ throws(OutOfPaper) in throw OutOfPaper() }
    }
    #expect(rows == ids)
  }

  // Each one makes what the list knows useless.
  @Test(arguments: [
    "DELETE FROM change", "INSERT INTO change (snippet_id, event) VALUES (1, 1)",
    "VACUUM",
  ])
  func `a list that cannot follow starts anew`(sql: String) async throws {
    let (store, ids) = try await store()
    let list = store.list(SnippetFilter(tags: []), order: .byTitle)
    let tagged = store.list(SnippetFilter(tags: ["a"]), order: .byTitle)
    #expect(try (list.count, tagged.count) == (5, 0))
    let follower = ListFollower(list)

    _ = try await Shell.sqlite3(
      file,
      "\(sql); UPDATE snippet SET title = 'new' WHERE id = \(ids[0]); \(sql)"
    )

    #expect(try list.rows(in: 0..<9).map(\.title) == ["d", "f", "h", "j", "new"])
    #expect(try tagged.rows(in: 0..<9) == [])
    let batch = try #require(follower.takeBatch())
    #expect(batch.isReset)
    #expect((batch.formerCount, batch.count) == (5, 5))
  }

  @Test func `a restored backup starts a list anew`() async throws {
    let (store, _) = try await store()
    let backup = TemporaryDirectory.file("backup.sqlite")
    try await store.backUp(to: backup)
    let list = store.list(order: .byTitle)
    #expect(try list.count == 5)
    let updates = list.updates()
    let told = Told<ListBatch>()
    let following = Task { for try await batch in updates { told.take(batch) } }

    _ = try await SnippetStore.restore(from: backup, to: file)
    try store.lookForForeignCommits()

    #expect(await told.next().isReset)
    following.cancel()
    try await following.value
    #expect(try list.rows(in: 0..<9).map(\.title) == ["b", "d", "f", "h", "j"])
  }

  @Test(arguments: [false, true])
  func `batches come as others commit, each after the one before`(isInMemory: Bool) async throws {
    let store = try isInMemory ? TemporaryStore.inMemory() : TemporaryStore.open()
    let list = store.list(order: .byTitle)
    #expect(try list.count == 0)
    let told = Told<ListBatch>()
    let updates = list.updates()
    let following = Task { for try await batch in updates { told.take(batch) } }

    let row = try await store.save(SnippetDraft(.text("own"), title: "own"))
    let first = await told.next()
    #expect(first.inserted == [RowPlace(id: row.id, position: 0)])

    if !isInMemory {
      _ = try await Shell.sqlite3(file, "INSERT INTO snippet (kind, title) VALUES (1, 'a')")
      let second = await told.next()
      #expect(second.inserted.map(\.position) == [0])
      #expect(second.formerVersion == first.version)
      #expect(try list.page(0..<9).version == second.version)
    }
    try await store.close()
    try await following.value
  }

  @Test func `a follower that takes no batches gets a reset at last`() async throws {
    let (store, ids) = try await store()
    let list = store.list(order: .byTitle)
    let version = try list.page(0..<1).version
    let (follower, other) = (ListFollower(list), ListFollower(list))

    for number in 0..<200 {
      try await store.apply(SnippetEdit(title: "\(number)"), to: ids[0])
      _ = try list.count
      if number == 150 { _ = other.takeBatch() }
    }

    let now = try list.page(0..<1).version
    let batch = try #require(follower.takeBatch())
    #expect((batch.isReset, batch.formerVersion, batch.version) == (true, version, now))
    #expect(follower.takeBatch() == nil)
    let late = try #require(other.takeBatch())
    #expect((late.isReset, late.formerCount, late.version) == (false, 5, now))
    #expect(late.moved.map(\.id) + late.updated.map(\.id) == [ids[0]])
  }

  @Test func `who follows no more is not told of changes`() async throws {
    let (store, ids) = try await store()
    let list = store.list()
    _ = try list.count
    let updates = list.updates()
    let told = Told<ListBatch>()
    let following = Task { for try await batch in updates { told.take(batch) } }
    try await store.delete([ids[0]])
    #expect(await told.next().removed.map(\.id) == [ids[0]])
    #expect(store.changeFeed.watch != nil)

    following.cancel()
    try await following.value

    #expect(store.changeFeed.watch == nil)
  }
}
