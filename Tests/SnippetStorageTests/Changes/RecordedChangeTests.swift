import Foundation
import SnippetTestSupport
import Testing

@testable import SnippetStorage

/// The record of changes, as callers read it.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct RecordedChangeTests {
  private let file = TemporaryDirectory.file("store.sqlite")

  @Test(arguments: [false, true])
  func `changes are read in their order, and gone on from`(
    isInMemory: Bool
  ) async throws {
    let store = try isInMemory ? TemporaryStore.inMemory() : TemporaryStore.open()
    let start = try await store.lastChange
    let id = try await store.save(SnippetDraft(.text("hello"), tags: ["a"])).id
    try await store.apply(SnippetEdit(title: "new", removedTags: ["A"]), to: id)
    try await store.delete([id])
    let events: [RecordedChange.Event] = [
      .inserted, .tagAdded("a"), .updated, .updated, .tagRemoved("a"), .updated, .deleted,
    ]

    let all = try await store.changes(after: start, limit: 500)
    var (parts, known): ([RecordedChange], ChangeNumber) = ([], start)
    while true {
      let batch = try await store.changes(after: known, limit: 2)
      #expect(batch.changes.count <= 2)
      if batch.changes.isEmpty { break }
      parts += batch.changes
      known = batch.next
    }

    #expect(all.changes.map(\.event) == events)
    #expect(all.changes.allSatisfy { $0.snippetID == id })
    #expect(parts == all.changes)
    #expect(all.next == known)
    #expect(try await store.lastChange == known)
    #expect(!all.hasFallenBehind)
    let none = try await store.changes(after: known, limit: 500)
    #expect(none == ChangeBatch(changes: [], next: known, hasFallenBehind: false))
  }

  @Test func `a number is kept beyond the store and finds what others did meanwhile`() async throws
  {
    let first = try TemporaryStore.open()
    try await first.save(SnippetDraft(.text("ours")))
    let known = try JSONDecoder().decode(
      ChangeNumber.self,
      from: JSONEncoder().encode(try await first.lastChange)
    )
    try await first.close()
    _ = try await Shell.sqlite3(file, "UPDATE snippet SET pinned = 1")

    let batch = try await TemporaryStore.open().changes(after: known)

    #expect(batch.changes.map(\.event) == [.updated])
    #expect(batch.changes.map(\.snippetID) == [SnippetID(rawValue: 1)])
  }

  // Each takes from the record what the reader has not seen, or makes numbers that it cannot know.
  @Test(arguments: [
    "DELETE FROM change WHERE number = 3", "DELETE FROM change WHERE number = 5",
    "DELETE FROM change",
    "DELETE FROM change WHERE number < 5",
    "UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = 'change'",
  ])
  func `who has fallen behind is told so, and goes on from the end`(sql: String) async throws {
    let store = try TemporaryStore.open()
    for number in 0..<5 { try await store.save(SnippetDraft(.text("\(number)"))) }
    _ = try await Shell.sqlite3(file, sql)

    let batch = try await store.changes(after: ChangeNumber(rawValue: 2))
    #expect(batch.hasFallenBehind)
    #expect(batch.changes == [])
    let row = try await store.save(SnippetDraft(.text("next")))

    let next = try await store.changes(after: batch.next)
    #expect(next.changes.map(\.snippetID) == [row.id])
    #expect(!next.hasFallenBehind)
  }

  @Test(arguments: [-1, 6, Int64.min, .max])
  func `a number that was never given has fallen behind`(number: Int64) async throws {
    let store = try TemporaryStore.open()
    for number in 0..<5 { try await store.save(SnippetDraft(.text("\(number)"))) }

    let batch = try await store.changes(after: ChangeNumber(rawValue: number))

    #expect(batch.hasFallenBehind)
    #expect(batch.next == ChangeNumber(rawValue: 5))
  }

  // The backup knows the same numbers, up to those of the store and beyond.
  @Test(arguments: 0...3, [2, 4])
  func `a reader from before a restore has fallen behind`(
    known: Int64,
    storeCount: Int
  ) async throws {
    let backup = TemporaryDirectory.file("backup.sqlite")
    let origin = try TemporaryStore.open("origin.sqlite")
    for number in 0..<3 { try await origin.save(SnippetDraft(.text("\(number)"))) }
    try await origin.backUp(to: backup)
    let store = try TemporaryStore.open()
    for number in 0..<storeCount { try await store.save(SnippetDraft(.text("\(number)"))) }

    _ = try await SnippetStore.restore(from: backup, to: file)

    let batch = try await store.changes(after: ChangeNumber(rawValue: known))
    #expect(batch.hasFallenBehind)
    let row = try await store.save(SnippetDraft(.text("next")))
    let next = try await store.changes(after: batch.next)
    #expect(next.changes.map(\.snippetID) == [row.id])
  }

  @Test(arguments: [false, true])
  func `batches come as they are committed, by any program`(isInMemory: Bool) async throws {
    let store = try isInMemory ? TemporaryStore.inMemory() : TemporaryStore.open()
    let before = try await store.save(SnippetDraft(.text("before")))
    let told = Told<ChangeBatch>()
    let following = follow(store, after: ChangeNumber(rawValue: 0), told)
    #expect(await told.next().changes.map(\.snippetID) == [before.id])

    let own = try await store.save(SnippetDraft(.text("own")))
    #expect(await told.next().changes.map(\.snippetID) == [own.id])

    if !isInMemory {
      _ = try await Shell.sqlite3(file, "DELETE FROM snippet WHERE id = \(own.id)")
      #expect(await told.next().changes.map(\.event) == [.deleted])
    }
    following.cancel()
    try await following.value
  }

  @Test func `batches end with the store`() async throws {
    let store = try TemporaryStore.open()
    let told = Told<ChangeBatch>()
    let following = follow(store, after: try await store.lastChange, told)
    let row = try await store.save(SnippetDraft(.text("hello")))
    #expect(await told.next().changes.map(\.snippetID) == [row.id])

    try await store.close()

    try await following.value
    try await follow(store, after: ChangeNumber(rawValue: 1), told).value
    #expect(told.all.count == 1)
  }

  @Test func `batches end with their task`() async throws {
    let store = try TemporaryStore.open()
    let known = try await store.lastChange
    let canceller = Canceller()
    let count = try await canceller.run {
      canceller.cancel()
      var count = 0
      for try await _ in store.changeBatches(after: known) { count += 1 }
      return count
    }

    #expect(count == 0)
  }

  @Test func `a batch must be allowed to hold a change`() async throws {
    let store = try TemporaryStore.inMemory()
    let start = ChangeNumber(rawValue: 0)

    #expect(await errorCode { try await store.changes(after: start, limit: 0) } == .invalidInput)
    let code = await errorCode {
      for try await _ in store.changeBatches(after: start, limit: -1) {}
    }
    #expect(code == .invalidInput)
  }

  private func follow(
    _ store: SnippetStore,
    after sequence: ChangeNumber,
    _ told: Told<ChangeBatch>
  ) -> Task<Void, any Error> {
    Task {
      for try await batch in store.changeBatches(after: sequence) { told.take(batch) }
    }
  }
}
