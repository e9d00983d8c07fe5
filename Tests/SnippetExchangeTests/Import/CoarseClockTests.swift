import Foundation
import SnippetBase
import SnippetStorage
import SnippetTestSupport
import Testing

@testable import SnippetExchange

/// Edits that leave the size and the date of a file as they were, as on disks with coarse clocks.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct CoarseClockTests: VaultTests {
  let store: SnippetStore
  let tree: FileTree
  /// The clock of the store.
  private let time = Lock(Samples.date)

  init() throws {
    let time = time
    store = try TemporaryStore.open { $0.now = { time.withLock { $0 } } }
    tree = try FileTree("vault")
  }

  private func add(_ name: String, _ text: String) throws {
    try tree.add(name, text)
    try tree.setDate(name)
  }

  private func wait(_ seconds: TimeInterval) {
    time.withLock { $0 += seconds }
  }

  @Test(arguments: [0, 2.9, -3600])
  func `an edit after an import is seen where the file was young or its clock is ahead`(
    age: TimeInterval
  ) async throws {
    try add("a.md", "Milk")
    wait(age)
    try await importVault()
    let id = try #require(try row("a")?.id)
    try add("a.md", "Eggs")
    wait(7200)

    #expect(try await importVault()[.updated] == 1)

    #expect(try await text(id) == "Eggs")
  }

  @Test func `an edit after an import is not overwritten by an export`() async throws {
    try add("a.md", "Milk")
    try await importVault()
    let id = try #require(try row("a")?.id)
    try add("a.md", "Eggs")
    wait(3600)
    try await store.apply(SnippetEdit(text: "Soup"), to: id)

    let report = try await store.exportMarkdown(to: tree.url)

    #expect(report[.conflict] == 1 && report[.updated] == 0, "\(report)")
    #expect(try tree.text("a.md") == "Eggs")
  }

  @Test func `an edit after an export is imported, and no later export overwrites it`() async throws
  {
    // Its file has the date of the snippet, which is now.
    let id = try await store.save(SnippetDraft(.text("Milk"), title: "a")).id
    try await store.exportMarkdown(to: tree.url)
    try add("a.md", "Eggs")
    wait(3600)

    #expect(try await store.exportMarkdown(to: tree.url)[.conflict] == 1)
    #expect(try tree.text("a.md") == "Eggs")
    #expect(try await importVault()[.updated] == 1)
    #expect(try await text(id) == "Eggs")
  }

  /// Imports a note whose date is an hour old by then, and then sets the clock back to its date.
  private func importBeforeClockIsSetBack() async throws -> SnippetID {
    try add("a.md", "Milk")
    wait(3600)
    try await importVault()
    wait(-3600)
    return try #require(try row("a")?.id)
  }

  @Test(arguments: [0.0, 1800])
  func `an edit after the clock was set back is seen, with the same date and with an older one`(
    distance: TimeInterval
  ) async throws {
    let id = try await importBeforeClockIsSetBack()
    try tree.add("a.md", "Eggs")
    try tree.setDate("a.md", Samples.date.addingTimeInterval(-distance))

    #expect(try await importVault()[.updated] == 1)
    #expect(try await text(id) == "Eggs")
  }

  @Test func `an edit that gets an earlier date again after the clock was set back is seen later`()
    async throws
  {
    let id = try await importBeforeClockIsSetBack()
    wait(-60)
    #expect(try await importVault()[.unchanged] == 1)
    try add("a.md", "Eggs")
    wait(7200)

    #expect(try await importVault()[.updated] == 1)
    #expect(try await text(id) == "Eggs")
  }

  @Test func `an edit after the clock was set back is not overwritten by an export`() async throws {
    let id = try await importBeforeClockIsSetBack()
    try add("a.md", "Eggs")
    try await store.apply(SnippetEdit(text: "Soup"), to: id)

    let report = try await store.exportMarkdown(to: tree.url)

    #expect(report[.conflict] == 1 && report[.updated] == 0, "\(report)")
    #expect(try tree.text("a.md") == "Eggs")
  }

  @Test func `a date is believed once it was looked at after the grain of the clocks`() async throws
  {
    try add("a.md", "Milk")
    try await importVault()
    wait(3)
    #expect(try await importVault()[.unchanged] == 1)
    try add("a.md", "Eggs")

    // No clock gives an edit after three seconds the same date: the file is not read.
    #expect(try await importVault()[.unchanged] == 1)
    #expect(try await importVault(comparesContent: true)[.updated] == 1)
  }

  @Test func `an export believes a date that it has looked at after the grain too`() async throws {
    let id = try await store.save(SnippetDraft(.text("Milk"), title: "a")).id
    try await store.exportMarkdown(to: tree.url)
    let young = try #require(try await storedDate())
    wait(3)

    #expect(try await store.exportMarkdown(to: tree.url)[.unchanged] == 1)

    #expect(try await storedDate() == young ^ 1)
    #expect(try await text(id) == "Milk")
  }

  @Test func `older versions see another date, and the origin has the true size`() async throws {
    try add("a.md", "Milk")
    try await importVault()
    let id = try #require(try row("a")?.id)

    let date = Int64(Samples.date.timeIntervalSince1970) * 1_000_000_000
    #expect(try await storedDate() == date ^ 1)

    let origin = try #require(try await store.origins(of: id).first)
    #expect(origin.byteCount == 4 && origin.modifiedAt == Samples.date)
    #expect(origin.isFileUnchanged())
    try add("a.md", "Eggs")
    #expect(!origin.isFileUnchanged())
    try tree.remove("a.md")
    #expect(!origin.isFileUnchanged())
  }

  @Test func `a young file that another one replaces keeps its snippet under its new name`()
    async throws
  {
    try add("a.md", "Milk")
    try add("b.md", "Eggs")
    try await importVault()
    let ids = try ["a", "b"].map { try #require(try row($0)?.id) }
    try tree.move("a.md", to: "c.md")
    try tree.move("b.md", to: "a.md")
    wait(3600)

    try await importVault()

    #expect(try await store.origins(of: ids[0]).map(\.path) == ["c.md"])
    #expect(try await store.origins(of: ids[1]).map(\.path) == ["a.md"])
  }

  // MARK: - Clocks of servers

  /// The date of a file as a clock has it that is a number of seconds behind ours, with a grain in
  /// nanoseconds, and whether it is believed an age after the file was written.
  @Test(arguments: [
    // A coarse clock: an edit now may get the same date.
    (behind: 0.0, grain: 2_000_000_000, age: 0.0, onNetwork: true, isBelieved: false),
    (behind: 3600, grain: 2_000_000_000, age: 0, onNetwork: true, isBelieved: false),
    (behind: 80_000, grain: 1_000_000_000, age: 60, onNetwork: true, isBelieved: false),
    (behind: 3600, grain: 10_000_000, age: 3600, onNetwork: true, isBelieved: false),
    (behind: -3600, grain: 1_000_000_000, age: 3000, onNetwork: true, isBelieved: false),
    // By now the clock of the server is past the date, whatever it is behind.
    (behind: 0, grain: 1_000_000_000, age: 86_500, onNetwork: true, isBelieved: true),
    (behind: -3600, grain: 1_000_000_000, age: 90_100, onNetwork: true, isBelieved: true),
    // A fine clock gives no date twice.
    (behind: 3600, grain: 1, age: 0, onNetwork: true, isBelieved: true),
    // Our own clock dates the files of our own disks.
    (behind: 0, grain: 2_000_000_000, age: 1, onNetwork: false, isBelieved: false),
    (behind: 0, grain: 2_000_000_000, age: 6, onNetwork: false, isBelieved: true),
  ])
  func `a date of another clock is believed once an edit must have another`(
    behind: Double,
    grain: Int64,
    age: Double,
    onNetwork: Bool,
    isBelieved: Bool
  ) {
    let date = Int64(Samples.date.timeIntervalSince1970 - behind) * 1_000_000_000 + 123_456_789
    let stamp = FileStamp(modifiedNanoseconds: date - date % grain, byteCount: 4)
    let recorded = stamp.recorded(
      asOf: Samples.date.addingTimeInterval(age),
      onNetwork: onNetwork
    )

    #expect((recorded == stamp) == isBelieved)
  }

  /// The date in the only origin, in nanoseconds.
  private func storedDate() async throws -> Int64? {
    try await store.seam.read(to: "test") { db in try db.number("SELECT modified_ns FROM origin") }
  }
}
