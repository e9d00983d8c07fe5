import Foundation
import SnippetBase
import SnippetLoading
import SnippetStorage
import SnippetTestSupport
import Testing

/// Sixteen writers of one file: four each that import and edit by runs of `snip`, in the `sqlite3`
/// shell, and in an app, which is the test itself; and one that looks after them.
///
/// With `SNIP_LONG_TESTS` set it goes on for half an hour.
@Suite(.temporaryDirectory, .seeded, .serialized, .timeLimit(.minutes(60)))
struct ManyProcessesTests {
  private static let isLong = ProcessInfo.processInfo.environment["SNIP_LONG_TESTS"] != nil

  private let snip: SnipTool
  private let end = ContinuousClock.now + .seconds(1_800)
  private let waits = Waits()

  init() throws {
    snip = try SnipTool()
  }

  @Test
  func `nothing that was acknowledged is lost, nobody is turned away, and the file stays sound`()
    async throws
  {
    let app = try SnippetStore(at: snip.store)
    let list = app.list(order: .oldestFirst)
    let follower = try Follower(list)
    async let following = follower.follow()
    let screen = await Screen(list, app)

    var ledger = Ledger()
    try await withThrowingTaskGroup(of: Ledger.self) { group in
      for lane in 0..<4 {
        group.addTask { try await importFiles(in: lane) }
        group.addTask { try await addAndEdit(in: lane) }
        group.addTask { try await writeInShell(in: lane) }
        group.addTask { try await write(with: app, in: lane) }
      }
      group.addTask { try await lookAfter(app) }
      for try await part in group { ledger.merge(part) }
    }

    try await follower.end(withCommitTo: app)
    let (shown, resetCount) = try await following
    let count = try list.count
    let rows = try list.rows(in: 0..<count)
    #expect(shown == rows.map(\.id))
    let host = await screen.end()
    #expect(host.violations == [])
    var judged = host
    #expect(judged.ids(in: shown) == shown)
    let titles = Dictionary(uniqueKeysWithValues: rows.map { ($0.id, $0.title) })
    #expect(titles.filter { $0.value != Follower.lastTitle } == ledger.titles)
    #expect(ledger.deleted.isDisjoint(with: titles.keys))
    try await app.close()
    let check = try await snip("check")
    #expect(check.status == 0, "\(check)")
    let integrity = try await Shell.sqlite3(
      snip.store,
      "PRAGMA integrity_check; PRAGMA foreign_key_check"
    )
    #expect(integrity.standardOutput == "ok\n", "\(integrity)")
    print(
      "\(ledger.acknowledgedCount) writes were acknowledged, \(count) snippets are left;",
      "the list was reset \(resetCount) times; a host was told of \(host.batchCount) batches and",
      "\(host.reloadCount) reloads."
    )
    print("The longest waits: \(waits).")
  }

  // MARK: - Those who take part

  /// Imports a few files at a time.
  private func importFiles(in lane: Int) async throws -> Ledger {
    var ledger = Ledger()
    for round in rounds(2) {
      let folder = "files-\(lane)-\(round)"
      for number in 0..<8 {
        let seed = UInt64((round * 4 + lane) << 8 | number)
        try snip.write(Samples.png + Samples.bytes(40_000, seed: seed), "\(folder)/\(number)")
      }
      let output = try await waits.timing("import") { try await snip("import", "--json", folder) }
      expectSuccess(output)
      for line in try output.json() {
        guard line["outcome"] == "imported", let file = line["file"]?.string,
          let id = line["id"]?.integer
        else { continue }
        ledger.has(SnippetID(rawValue: id), URL(fileURLWithPath: file).lastPathComponent)
      }
      try FileManager.default.removeItem(at: snip.folder.appendingPathComponent(folder))
    }
    return ledger
  }

  /// Adds, edits and deletes, each by a run of its own.
  private func addAndEdit(in lane: Int) async throws -> Ledger {
    var ledger = Ledger()
    var random = SeededGenerator()
    func run(_ arguments: String...) async throws -> SnipOutput {
      let output = try await waits.timing("snip") { try await snip.run(arguments) }
      expectSuccess(output)
      return output
    }
    for round in rounds(4) {
      let title = "added \(lane) \(round)"
      switch ledger.any(&random) {
      case let id? where random.chance(0.3):
        _ = try await run("rm", "\(id)")
        ledger.hasNo(id)
      case let id? where random.chance(0.5):
        _ = try await run("edit", "\(id)", "--title", title, "--pin")
        ledger.has(id, title)
      default:
        let output = try await run("add", "--json", "--text", title, "--title", title)
        let id = try #require(try output.json("id").first?.integer)
        ledger.has(SnippetID(rawValue: id), title)
      }
    }
    return ledger
  }

  /// Writes in a shell that stays open.
  private func writeInShell(in lane: Int) async throws -> Ledger {
    var ledger = Ledger()
    var random = SeededGenerator()
    let shell = try ShellSession(snip.store)
    #expect(try await shell.run(".timeout 60000") == "")
    func run(_ sql: String) async throws -> String {
      try await waits.timing("shell") { try await shell.run(sql) }
    }
    for round in rounds(15) {
      let title = "shell \(lane) \(round)"
      switch ledger.any(&random) {
      case let id? where random.chance(0.3):
        #expect(try await run("DELETE FROM snippet WHERE id = \(id);") == "")
        ledger.hasNo(id)
      case let id? where random.chance(0.5):
        let sql = "UPDATE snippet SET title = '\(title)' WHERE id = \(id);"
        #expect(try await run(sql) == "")
        ledger.has(id, title)
      default:
        let sql = "INSERT INTO snippet (kind, title) VALUES (1, '\(title)') RETURNING id;"
        let output = try await run(sql)
        let id = try #require(Int64(output.split(separator: "\n").first ?? ""), "\(output)")
        ledger.has(SnippetID(rawValue: id), title)
      }
    }
    try await shell.end()
    return ledger
  }

  /// Writes as an app does that has the file open all the time.
  private func write(with store: SnippetStore, in lane: Int) async throws -> Ledger {
    var ledger = Ledger()
    var random = SeededGenerator()
    for round in rounds(15) {
      let title = "app \(lane) \(round)"
      switch ledger.any(&random) {
      case let id? where random.chance(0.3):
        try await waits.timing("app") { _ = try await store.delete([id]) }
        ledger.hasNo(id)
      case let id? where random.chance(0.5):
        try await waits.timing("app") {
          _ = try await store.apply(SnippetEdit(title: title), to: id)
        }
        ledger.has(id, title)
      default:
        let bytes = Samples.bytes(1 + random.below(300_000), seed: UInt64(random.below(30)))
        let draft =
          random.chance(0.5)
          ? SnippetDraft(.text(title), title: title) : Samples.voice(bytes, title: title)
        let row = try await waits.timing("app") { try await store.save(draft) }
        ledger.has(row.id, title)
      }
    }
    return ledger
  }

  /// Reads all the while: changes, words, everything; and makes backups, which must be sound.
  private func lookAfter(_ store: SnippetStore) async throws -> Ledger {
    var told: Int64 = 0
    for _ in rounds(4) {
      let last = try await store.lastChange.rawValue
      if last > told {
        let limit = "\(last - told)"
        let output = try await snip("watch", "--json", "--after", "\(told)", "--limit", limit)
        expectSuccess(output)
        let numbers = try output.json("change").compactMap(\.integer)
        #expect(numbers == Array(told + 1...last))
        told = last
      }
      expectSuccess(try await snip("list", "--limit", "50"))
      expectSuccess(try await snip("search", "app"))
      expectSuccess(try await snip("check"))
      expectSuccess(try await snip("backup", "copy.sqlite", "--force"))
      expectSuccess(try await snip("check", "--store", "copy.sqlite"))
    }
    return Ledger()
  }

  // MARK: - Rounds and expectations

  /// So many rounds in the short form; in the long one as many as there is time for.
  private func rounds(_ count: Int) -> some Sequence<Int> {
    (0...).lazy.prefix { [end] in Self.isLong ? ContinuousClock.now < end : $0 < count }
  }

  private func expectSuccess(_ output: SnipOutput) {
    #expect(output.status == 0, "\(output)")
  }
}

/// How long each kind of writer has waited at most, its own start and work included.
private final class Waits: Sendable, CustomStringConvertible {
  private let longest = Lock<[String: Duration]>([:])

  func timing<Value>(_ kind: String, _ body: () async throws -> Value) async rethrows -> Value {
    let start = ContinuousClock.now
    defer {
      let wait = start.duration(to: .now)
      longest.withLock { $0[kind] = max($0[kind] ?? .zero, wait) }
    }
    return try await body()
  }

  var description: String {
    longest.withLock(\.self).sorted { $0.key < $1.key }
      .map { "\($0.key) \($0.value.formatted(.units(allowed: [.milliseconds])))" }
      .joined(separator: ", ")
  }
}

/// An app that keeps the rows of a list by its batches.
private final class Follower: Sendable {
  static let lastTitle = "the last of all"

  private let list: SnippetList
  private let updates: any AsyncSequence<ListBatch, SnippetStoreError> & Sendable
  private let start: SnippetPage
  /// The version after which there is only one more.
  private let goal = Lock<Int64?>(nil)

  init(_ list: SnippetList) throws {
    self.list = list
    updates = list.updates()
    start = try list.page(0..<1)
  }

  /// Applies batches up to the one after the goal.
  func follow() async throws -> (shown: [SnippetID], resetCount: Int) {
    #expect(start.count == 0)
    var (shown, version, resetCount) = ([SnippetID](), start.version, 0)
    for try await batch in updates where batch.version > version {
      if batch.isReset {
        let page = try list.page(0..<Int.max)
        (shown, version) = (page.rows.map(\.id), page.version)
        resetCount += 1
      } else {
        #expect(batch.formerVersion == version)
        #expect(batch.apply(to: &shown, at: &version) { $0.id })
      }
      if let goal = goal.withLock(\.self), version > goal { break }
    }
    return (shown, resetCount)
  }

  /// Lets it end once nobody else writes.
  func end(withCommitTo store: SnippetStore) async throws {
    let version = try list.page(0..<1).version
    goal.withLock { $0 = version }
    try await store.save(SnippetDraft(.text("end"), title: Self.lastTitle))
  }
}

/// A screen whose host is as strict as UIKit and GTK are.
@MainActor
private final class Screen {
  private let loader: SnippetLoader
  private var host = HostRules()

  init(_ list: SnippetList, _ store: SnippetStore) {
    loader = SnippetLoader(list: list, store: store)
    loader.listChangeHandler = { [weak self] change in self?.take(change) }
    _ = loader.count
    loader.show(visible: 0..<10)
  }

  /// Takes in the last state, and says how the host has fared.
  func end() -> HostRules {
    take(loader.reloadRows())
    loader.close()
    return host
  }

  private func take(_ change: ListChange) {
    host.update(by: change, count: loader.count)
    // It looks here and there, as people do.
    let start = host.batchCount % max(1, loader.count)
    loader.show(visible: start..<start + 10)
  }
}
