import Foundation
import GRDB
import SnippetTestSupport
import Testing

@testable import SnippetStorage

/// Edits that are made together, beside the same edits made one by one in a twin of the store.
@Suite(.temporaryDirectory, .seeded)
struct EachEditModelTests {
  private typealias Edit = (edit: SnippetEdit, seen: SnippetRow)

  private let together: SnippetStore
  private let apart: SnippetStore

  init() throws {
    together = try Self.store("together")
    apart = try Self.store("apart")
  }

  private static func store(_ name: String) throws -> SnippetStore {
    try TemporaryStore.open("\(name).sqlite") { configuration in
      configuration.now = { Date(timeIntervalSince1970: 1_700_000_000) }
    }
  }

  @Test func `edits made together come out as those made one by one`() async throws {
    var random = SeededGenerator()
    var seen = try await fill(&random)
    for _ in 0..<30 {
      let edits = seen.shuffled(using: &random).prefix(random.below(40)).map {
        (edit: Self.edit(&random), seen: $0)
      }
      let made = await together.applyEach(edits)

      var expected: [Result<EditOutcome, SnippetStoreError>] = []
      for (edit, row) in edits { expected.append(await outcome(of: edit, on: row)) }
      #expect(made.map(Told.init) == expected.map(Told.init))
      #expect(try rows(of: together) == rows(of: apart))
      // Some are seen as they were a while ago.
      for index in seen.indices where random.chance(0.5) {
        seen[index] = try apart.row(seen[index].id) ?? seen[index]
      }
    }
  }

  @Test func `one commit takes up to 4,096 edits, whatever each of them is`() async throws {
    try await together.save(contentsOf: (0..<4_100).map { SnippetDraft(.text("text \($0)")) })
    let rows = try together.list().rows(in: 0..<4_100)
    let commits = Commits()
    try together.connections.writer(for: "test").add(transactionObserver: commits)

    let made = await together.applyEach(rows.map { (SnippetEdit(title: "Title \($0.id)"), $0) })
    #expect(commits.count == 2)
    // As an undo does, which differs from one to the other.
    let back = try made.map { try $0.get() }.map { (edit: $0.inverse, seen: $0.row) }
    for outcome in await together.applyEach(back) { _ = try outcome.get() }

    #expect(commits.count == 4)
    #expect(try together.list().rows(in: 0..<4_100).map(\.title) == rows.map(\.title))
  }

  @Test func `a row that the schema refuses keeps no other from being changed`() async throws {
    let rows = try await save(3)
    // No number is left for another revision.
    try together.runWithoutTriggers(
      "UPDATE snippet SET revision = 9007199254740991, digest = NULL WHERE id = \(rows[1].id)"
    )
    let seen = try rows.compactMap { try together.row($0.id) }

    let made = await together.applyEach(seen.map { (SnippetEdit(isPinned: true), $0) })

    let refused = await errorCode {
      try await together.apply(SnippetEdit(isPinned: true), to: seen[1])
    }
    #expect(refused != nil)
    #expect(made.map { Told($0).code } == [nil, refused, nil])
    #expect(try rows.map { try together.row($0.id)?.isPinned } == [true, false, true])
    try together.runWithoutTriggers(
      "UPDATE snippet SET revision = 1, digest = NULL WHERE id = \(rows[1].id)"
    )
  }

  @Test func `where none can be changed, each says so of itself`() async throws {
    let rows = try await save(3)
    try await together.close()
    let made = await together.applyEach(rows.map { (SnippetEdit(isPinned: true), $0) })
    #expect(
      made.map { Told($0).message?.contains("closed") } == [true, true, true]
    )
    let named = zip(made, rows).map { Told($0).message?.contains("change snippet \($1.id):") }
    #expect(named == [true, true, true])
  }

  private func save(_ count: Int) async throws -> [SnippetRow] {
    var rows: [SnippetRow] = []
    for number in 0..<count {
      rows.append(try await together.save(SnippetDraft(.text("text \(number)"))))
    }
    return rows
  }

  // MARK: - The twins

  /// Gives both stores the same snippets, some of them in the trash, and one more that is gone.
  private func fill(_ random: inout SeededGenerator) async throws -> [SnippetRow] {
    var rows: [SnippetRow] = []
    for number in 0..<60 {
      var draft =
        random.chance(0.2)
        ? SnippetDraft(.bytes(Data(RealFiles.png)))
        : SnippetDraft(.text("text \(number)\nsecond line"))
      draft.uuid = UUID()
      draft.tags = random.chance(0.5) ? ["old"] : []
      rows.append(try await together.save(draft))
      try await apart.save(draft)
    }
    let trashed = rows.filter { _ in random.chance(0.2) }.map(\.id)
    for store in [together, apart] {
      try await store.moveToTrash(trashed)
      try await store.delete([rows[0].id])
    }
    return try rows.map { try together.row($0.id) ?? $0 }
  }

  private static func edit(_ random: inout SeededGenerator) -> SnippetEdit {
    var edit = SnippetEdit()
    if random.chance(0.4) { edit.isInTrash = random.chance(0.5) }
    guard edit.isInTrash == nil || random.chance(0.3) else { return edit }
    let titles = ["One", "Two", "", String(repeating: "long", count: 300)]
    if random.chance(0.4) { edit.title = random.element(of: titles) }
    if random.chance(0.4) { edit.isPinned = random.chance(0.5) }
    if random.chance(0.3) { edit.addedTags = [random.element(of: ["old", "New", "no, tag"])] }
    if random.chance(0.3) { edit.removedTags = [random.element(of: ["OLD", "new"])] }
    if random.chance(0.1) { edit.text = "other \(random.below(3))" }
    return edit
  }

  private func outcome(
    of edit: SnippetEdit,
    on row: SnippetRow
  ) async -> Result<EditOutcome, SnippetStoreError> {
    do throws(SnippetStoreError) {
      return .success(try await apart.apply(edit, to: row))
    } catch {
      return .failure(error)
    }
  }

  private func rows(of store: SnippetStore) throws -> [SnippetRow] {
    try [false, true].flatMap { isInTrash in
      try store.list(SnippetFilter(isInTrash: isInTrash)).rows(in: 0..<100)
        .sorted { $0.id.rawValue < $1.id.rawValue }
    }
  }

  /// The outcome of an edit, or the words of its error.
  private struct Told: Equatable {
    var outcome: EditOutcome?
    var code: SnippetStoreError.Code?
    var message: String?

    init(_ result: Result<EditOutcome, SnippetStoreError>) {
      switch result {
      case .success(let outcome): self.outcome = outcome
      case .failure(let error): (code, message) = (error.code, error.description)
      }
    }
  }
}

/// Counts the commits of a connection.
private final class Commits: TransactionObserver {
  private(set) var count = 0

  func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }
  func databaseDidChange(with event: DatabaseEvent) {}
  func databaseDidCommit(_ db: Database) { count += 1 }
  func databaseDidRollback(_ db: Database) {}
}
