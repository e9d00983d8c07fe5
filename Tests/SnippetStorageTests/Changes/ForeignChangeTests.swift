import GRDB
import SnippetTestSupport
import SnippetTesting
import Testing

@testable import SnippetStorage

/// What others commit to the file of a store.
@Suite(.temporaryDirectory, .seeded, .timeLimit(.minutes(30)))
struct ForeignChangeTests {
  private let told = ToldChanges()
  private let file = TemporaryDirectory.file("store.sqlite")

  @Test func `a change by the shell is reported`() async throws {
    let store = try TemporaryStore.open()
    let observation = try store.observeEachChange(told.take)

    _ = try await Shell.sqlite3(file, "INSERT INTO snippet (kind) VALUES (1)")

    #expect(await told.next() == .inserted(SnippetID(rawValue: 1)))
    #expect(try store.list().count == 1)

    _ = try await Shell.sqlite3(file, "UPDATE snippet SET title = 'new'")
    #expect(await told.next() == .updated(SnippetID(rawValue: 1)))

    _ = try await Shell.sqlite3(file, "DELETE FROM snippet")
    #expect(await told.next() == .deleted(SnippetID(rawValue: 1)))
    observation.cancel()
  }

  @Test(arguments: [SnippetStore.Configuration.Access.readWrite, .readOnly])
  func `a change by another store on the file is reported`(
    access: SnippetStore.Configuration.Access
  ) async throws {
    let other = try TemporaryStore.open()
    let store = try TemporaryStore.open(configuration: .init(access: access))
    let observation = try store.observeEachChange(told.take)

    for number in 1...3 {
      let row = try await other.save(SnippetDraft(.text("\(number)")))

      #expect(await told.next() == .inserted(row.id))
      #expect(try store.list().count == number)
    }
    observation.cancel()
  }

  @Test func `a restored backup is reported`() async throws {
    let backup = TemporaryDirectory.file("backup.sqlite")
    let store = try TemporaryStore.open()
    try await store.backUp(to: backup)
    try await store.save(SnippetDraft(.text("later")))
    let observation = try store.observeEachChange(told.take)

    _ = try await SnippetStore.restore(from: backup, to: file)

    #expect(await told.next() == .unknown)
    #expect(try store.list().count == 0)
    observation.cancel()
  }

  @Test func `what another program undoes is not reported`() async throws {
    let store = try TemporaryStore.open(configuration: .withoutLooks)
    let observation = try store.observeEachChange(told.take)

    _ = try await Shell.sqlite3(file, "BEGIN; INSERT INTO snippet (kind) VALUES (1); ROLLBACK;")
    try store.lookForForeignCommits()

    #expect(told.all == [])
    observation.cancel()
  }

  @Test func `own changes are not reported again`() async throws {
    let store = try TemporaryStore.open(configuration: .withoutLooks)
    try await store.save(SnippetDraft(.text("before")))
    let observation = try store.observeEachChange(told.take)
    try store.lookForForeignCommits()

    let first = try await store.save(SnippetDraft(.text("first")))
    try store.lookForForeignCommits()
    try store.lookForForeignCommits()
    let second = try await store.save(SnippetDraft(.text("second")))
    try await store.delete([first.id])
    try store.lookForForeignCommits()

    #expect(!told.all.contains(.unknown))
    #expect(told.all.first == .inserted(first.id))
    #expect(try store.list().rows(in: 0..<9).map(\.id).contains(second.id))
    observation.cancel()
  }

  @Test func `a checkpoint is no change`() async throws {
    let store = try TemporaryStore.open(configuration: .withoutLooks)
    let observation = try store.observeEachChange(told.take)
    let row = try await store.save(Samples.image(Samples.bytes(9 << 20)))
    try store.lookForForeignCommits()

    try await store.delete([row.id])
    try store.lookForForeignCommits()

    #expect(told.all == [.inserted(row.id), .deleted(row.id)])
    observation.cancel()
  }

  // store                       other
  // its writer is held up
  //                             commits
  // tells of it all the same
  @Test func `a change by others is reported while the writer waits`() async throws {
    let store = try TemporaryStore.open()
    try await store.save(SnippetDraft(.text("ours")))
    let observation = try store.observeEachChange(told.take)
    let own = try await store.save(SnippetDraft(.text("ours")))
    #expect(await told.next() == .inserted(own.id))
    try store.lookForForeignCommits()
    let writer = try store.connections.writer(for: "test")
    let held = await Hold { hold in writer.unsafeRead { _ in hold() } }

    _ = try await Shell.sqlite3(file, "INSERT INTO snippet (kind) VALUES (1)")

    #expect(await told.next() == .inserted(SnippetID(rawValue: own.id.rawValue + 1)))
    try await held.end()
    observation.cancel()
  }

  // The model: after a look, each commit since the last one was reported once, by any program.
  @Test(arguments: 0..<8)
  func `whatever the order of commits, each is reported once`(run: UInt64) async throws {
    var random = SeededGenerator(seed: SeededGenerator.runSeed &+ run)
    let (store, other) = (
      try TemporaryStore.open(configuration: .withoutLooks), try TemporaryStore.open()
    )
    let observation = try store.observeEachChange(told.take)
    var saved: [SnippetID] = []
    var story = ""

    for step in 0..<80 {
      switch random.below(4) {
      case 0:
        saved.append(try await store.save(SnippetDraft(.text("\(step)"))).id)
        story += "o"
      case 1:
        saved.append(try await other.save(SnippetDraft(.text("\(step)"))).id)
        story += "f"
      default:
        try store.lookForForeignCommits()
        let inserted = told.all.flatMap { change -> [SnippetID] in
          guard case .snippets(let inserted, [], []) = change else { return [] }
          return Array(inserted)
        }
        #expect(inserted.sorted() == saved, "\(story)")
        story += "l"
      }
    }
    #expect(!told.all.contains(.unknown))
    observation.cancel()
  }

  @Test func `who has slept through the whole record is told so`() async throws {
    let store = try TemporaryStore.open(configuration: .withoutLooks)
    let observation = try store.observeEachChange(told.take)
    // The look that comes with observing is over, and none falls between the two statements.
    try store.lookForForeignCommits()

    _ = try await Shell.sqlite3(
      file,
      """
      INSERT INTO snippet (kind) VALUES (1);
      WITH RECURSIVE number (value) AS (VALUES (1) UNION ALL SELECT value + 1 FROM number)
      INSERT INTO change (snippet_id, event) SELECT 1, 1 FROM number LIMIT 70000
      """
    )
    try store.lookForForeignCommits()
    #expect(told.all == [.unknown])

    let row = try await store.save(SnippetDraft(.text("next")))
    #expect(await told.next() == .unknown)
    #expect(await told.next() == .inserted(row.id))
    observation.cancel()
  }
}
