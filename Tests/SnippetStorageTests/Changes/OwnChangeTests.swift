import GRDB
import SnippetBase
import SnippetTestSupport
import SnippetTesting
import Testing

@testable import SnippetStorage

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct OwnChangeTests {
  private let told = ToldChanges()

  @Test(arguments: OwnChange.allCases, [false, true])
  func `every kind of change is reported, with the snippets that it changes`(
    change: OwnChange,
    isInMemory: Bool
  ) async throws {
    let store = try isInMemory ? TemporaryStore.inMemory() : TemporaryStore.open()
    let ids = try await [
      store.save(Samples.image(Samples.bytes(5000))),
      store.save(Samples.image(Samples.bytes(5000), title: "other")),
      store.save(SnippetDraft(.text("old"), tags: ["old"])),
    ].map(\.id)
    let observation = try store.observeEachChange(told.take)

    let expected = try await change.make(in: store, of: ids)

    #expect(await told.next() == expected)
    observation.cancel()
    #expect(told.all.count == 1)
  }

  @Test func `an observer can read the change that it hears of`() async throws {
    let store = try TemporaryStore.open()
    let titles = Lock<[String?]>([])
    let told = told
    let observation = try store.observeEachChange { change in
      if case .snippets(let inserted, _, _) = change, let id = inserted.first {
        titles.withLock { $0.append(try? store.row(id)?.title) }
      }
      told.take(change)
    }

    for number in 0..<20 {
      let row = try await store.save(SnippetDraft(.text("text"), title: "\(number)"))
      #expect(await told.next() == .inserted(row.id))
    }

    #expect(titles.withLock { $0 } == (0..<20).map(String.init))
    observation.cancel()
  }

  // Any report of the failures would come before the snippet saved after them.
  @Test(arguments: [false, true])
  func `what fails or is undone is not reported`(isInMemory: Bool) async throws {
    let store = try isInMemory ? TemporaryStore.inMemory() : TemporaryStore.open()
    let row = try await store.save(SnippetDraft(.text("hello")))
    let observation = try store.observeEachChange(told.take)

    try await store.delete([SnippetID(rawValue: 999)])
    _ = try? await store.apply(SnippetEdit(title: "new"), to: SnippetID(rawValue: 999))
    let error = #expect(throws: SnippetStoreError.self) {
      try store.connections.write(to: "fail at the end") { db in
        try db.execute(sql: "INSERT INTO snippet (kind) VALUES (1)")
        try db.execute(sql: "UPDATE snippet SET title = 'new'")
        try db.execute(sql: "INSERT INTO snippet (kind) VALUES (4)")
      }
    }
    #expect(error?.code == .refusedBySchema)
    let canceller = Canceller()
    _ = try? await canceller.run {
      try await store.connections.write(to: "be cancelled") { db in
        try db.execute(sql: "DELETE FROM snippet")
        canceller.cancel()
      }
    }
    let last = try await store.save(SnippetDraft(.text("last")))

    #expect(await told.next() == .inserted(last.id))
    #expect(try store.row(row.id) == row)
    observation.cancel()
  }

  @Test func `what no longer fits the disk is not reported`() async throws {
    let store = try TemporaryStore.open()
    let row = try await store.save(SnippetDraft(.text("hello")))
    try store.limitPages(toMore: 4)
    let observation = try store.observeEachChange(told.take)

    let error = await #expect(throws: SnippetStoreError.self) {
      try await store.apply(SnippetEdit(text: Samples.longText()), to: row.id)
    }
    #expect(error?.code == .diskFull)
    try await store.delete([row.id])

    #expect(await told.next() == .deleted(row.id))
    observation.cancel()
  }

  @Test func `what a savepoint undoes is left out`() async throws {
    let store = try TemporaryStore.open()
    let ids = try await (0..<3).asyncMap { try await store.save(SnippetDraft(.text("\($0)"))).id }
    let observation = try store.observeEachChange(told.take)

    try await store.connections.write(to: "change in savepoints") { db in
      for (index, id) in ids.enumerated() {
        try db.inSavepoint {
          try db.execute(
            sql: "UPDATE snippet SET title = 'new' WHERE id = ?",
            arguments: [id.rawValue]
          )
          return index == 1 ? .rollback : .commit
        }
      }
    }

    #expect(await told.next() == .updated(ids[0], ids[2]))
    observation.cancel()
  }

  @Test func `a draft that cannot be saved is left out of its batch`() async throws {
    let store = try TemporaryStore.open()
    let changing = SnippetDraft(
      SnippetContent(source: .collected(ChangingBytes(.otherBytes))),
      kind: .image,
      mediaType: "image/x-sample"
    )
    let observation = try store.observeEachChange(told.take)
    let saved = Lock<Set<SnippetID>>([])
    let drafts = [SnippetDraft(.text("before")), changing, SnippetDraft(.text("after"))]

    let report = try await store.save(contentsOf: drafts) { event in
      if case .saved(_, let id, _) = event { _ = saved.withLock { $0.insert(id) } }
    }

    #expect(report.failedCount == 1)
    let expected = saved.withLock { $0 }
    #expect(await told.next() == .snippets(inserted: expected, updated: [], deleted: []))
    #expect(expected.count == 2)
    observation.cancel()
  }

  @Test func `what comes and goes in one transaction is reported as deleted`() async throws {
    let store = try TemporaryStore.open()
    let kept = try await store.save(SnippetDraft(.text("kept"))).id
    let observation = try store.observeEachChange(told.take)

    try await store.connections.write(to: "insert and delete") { db in
      try db.execute(sql: "INSERT INTO snippet (id, kind) VALUES (70, 1), (71, 1)")
      try db.execute(sql: "UPDATE snippet SET pinned = 1")
      try db.execute(sql: "DELETE FROM snippet WHERE id = 70")
    }

    let expected = SeenChange.snippets(
      inserted: [SnippetID(rawValue: 71)],
      updated: [kept],
      deleted: [SnippetID(rawValue: 70)]
    )
    #expect(await told.next() == expected)
    observation.cancel()
  }

  // writer               observer
  // has inserted
  //                      begins, reads the state before
  // commits
  //                      hears of all of it
  @Test(arguments: [false, true])
  func `an observer that begins during a transaction hears of all of it`(
    isInMemory: Bool
  ) async throws {
    let store =
      try isInMemory
      ? TemporaryStore.inMemory() : TemporaryStore.open(configuration: .withoutLooks)
    let mark = try store.lastMark()
    let writing = await Hold { hold in
      try store.connections.write(to: "insert") { db in
        try db.execute(sql: "INSERT INTO snippet (kind) VALUES (1)")
        hold()
      }
    }

    let observation = try store.observeEachChange(since: mark, told.take)
    try await writing.end()

    #expect(await told.next() == .inserted(SnippetID(rawValue: 1)))
    let row = try await store.save(SnippetDraft(.text("next")))
    #expect(await told.next() == .inserted(row.id))
    try store.flushChanges()
    #expect(told.all.count == 2)
    observation.cancel()
  }

  // An observer that reads again what is reported ends with what the store has.
  @Test(arguments: [false, true])
  func `a mirror kept by the changes ends as the store does`(isInMemory: Bool) async throws {
    let store = try isInMemory ? TemporaryStore.inMemory() : TemporaryStore.open()
    let mirror = Lock<[SnippetID: SnippetRow]>([:])
    let (last, isThere) = (Lock<SnippetID?>(nil), Gate())
    let observation = try store.observeEachChange { change in
      guard case .snippets(let inserted, let updated, let deleted) = change else {
        Issue.record("every change is known")
        return
      }
      for id in inserted.union(updated) {
        let row = try? store.row(id)
        mirror.withLock { $0[id] = row }
      }
      mirror.withLock { for id in deleted { $0[id] = nil } }
      if let id = last.withLock({ $0 }), mirror.withLock({ $0[id] != nil }) { isThere.open() }
    }

    _ = try await Threads.atOnce(3) { number in
      var ids: [SnippetID] = []
      for index in 0..<60 {
        ids.append(try await store.save(SnippetDraft(.text("\(number) \(index)"))).id)
        let id = ids[index * 7 % ids.count]
        if index % 3 == 0 {
          try await store.delete([id])
        } else {
          _ = try? await store.apply(
            SnippetEdit(title: "\(index)", addedTags: ["\(index % 5)"]),
            to: id
          )
        }
      }
    }
    let final = try await store.save(SnippetDraft(.text("final")))
    last.withLock { $0 = final.id }
    try await store.apply(SnippetEdit(title: "reported again"), to: final.id)
    await isThere.untilOpen()
    try store.flushChanges()

    let rows = try store.list().rows(in: 0..<9999)
    #expect(mirror.withLock { $0 } == Dictionary(uniqueKeysWithValues: rows.map { ($0.id, $0) }))
    observation.cancel()
  }
}
