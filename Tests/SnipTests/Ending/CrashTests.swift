import Foundation
import SnippetStorage
import SnippetTestSupport
import Testing

/// `kill -9` at moments that nobody chose.
///
/// With `SNIP_LONG_TESTS` set there are many more rounds; the seed chooses the moments.
@Suite(.temporaryDirectory, .seeded, .timeLimit(.minutes(60)))
struct CrashTests {
  let snip: SnipTool
  private var generator = SeededGenerator()

  init() throws {
    snip = try SnipTool.inProcess()
  }

  @Test
  mutating func `an import that is killed keeps what it reported, and is completed by the next`()
    async throws
  {
    let files = try ManyFiles(
      in: TemporaryDirectory.file("files"),
      count: LongTests.isOn ? 600 : 300,
      largeCount: 5,
      generator: &generator
    )
    let duration = try await ContinuousClock().measure {
      _ = try await snip.start(["import", "files", "--store", "whole.sqlite"]).output()
    }

    var summary = (killed: 0, early: 0, told: 0)
    for round in 0..<(LongTests.isOn ? 200 : 2) {
      let store = "round-\(round).sqlite"
      // Every other round is killed twice.
      for _ in 0...round % 2 {
        let process = try snip.start(["import", "--json", "files", "--store", store])
        // Some time after the start, or a little time after some file was reported.
        let isEarly = generator.chance(0.5)
        if !isEarly {
          _ = try await process.firstLines(1 + generator.below(files.contents.count))
        }
        async let reading = process.output()
        let longest = isEarly ? duration : duration / 50
        try await Task.sleep(for: longest * Double.random(in: 0...1, using: &generator))
        process.send(SIGKILL)
        let output = try await reading

        let told = try Self.told(in: output.text)
        if output.status == 137 { summary.killed += 1 }
        if output.status == 137, told.isEmpty { summary.early += 1 }
        summary.told += told.count
        #expect(output.status == 137 || output.status == 0, "\(output)")
        let check = try await snip("check", "--store", store)
        if Self.saysThatNothingIsThere(check) {
          #expect(told.isEmpty)
          continue
        }
        #expect(check.status == 0, "\(check)")
        try await expectKept(told, of: files, in: store)
      }
      try await expectCompletion(of: files, in: store)
    }
    print(
      "import: \(summary.killed) killed, \(summary.early) of them before the first commit;",
      "\(summary.told) files reported; whole import \(duration)"
    )
  }

  @Test mutating func `a backup that is killed leaves the store sound and no half file`()
    async throws
  {
    try await makeLargeStore("store.sqlite")
    let duration = try await ContinuousClock().measure {
      _ = try await snip.start(["backup", "whole.sqlite"]).output()
    }

    for round in 0..<(LongTests.isOn ? 100 : 2) {
      let process = try snip.start(["backup", "copy.sqlite", "--force"])
      try await Task.sleep(for: duration * Double.random(in: 0...1.05, using: &generator))
      process.send(SIGKILL)
      let output = try await process.output()

      try await expectSound("store.sqlite")
      let copy = TemporaryDirectory.file("copy.sqlite")
      if FileManager.default.fileExists(atPath: copy.path) {
        try await expectSound("copy.sqlite")
        try FileManager.default.removeItem(at: copy)
      } else {
        #expect(output.status == 137, "round \(round): \(output)")
      }
    }
  }

  @Test mutating func `a restore that is killed leaves the old content or the new`() async throws {
    try await makeLargeStore("backup.sqlite")
    let duration = try await ContinuousClock().measure {
      _ = try await snip.start(["restore", "backup.sqlite", "--store", "whole.sqlite"]).output()
    }

    var outcomes: [Int: Int] = [:]
    for round in 0..<(LongTests.isOn ? 100 : 2) {
      let store = "round-\(round).sqlite"
      _ = try await snip("add", "--text", "old", "--store", store)
      let process = try snip.start(["restore", "backup.sqlite", "--store", store])
      try await Task.sleep(for: duration * Double.random(in: 0...1.2, using: &generator))
      process.send(SIGKILL)
      _ = try await process.output()

      try await expectSound(store)
      let count = try await snip("list", "--json", "--store", store).lines.count
      #expect([1, 20].contains(count))
      outcomes[count, default: 0] += 1
    }
    print("restore: \(outcomes[1] ?? 0) old, \(outcomes[20] ?? 0) new")
  }

  // import               backup
  // first batch told ───▶ starts
  // goes on               copies one moment
  @Test mutating func `a backup during an import holds what was reported before`() async throws {
    let files = try ManyFiles(
      in: TemporaryDirectory.file("files"),
      count: 1800,
      generator: &generator
    )
    let process = try snip.start(["import", "--json", "files"])
    let before = try await process.firstLines(501)

    async let importing = process.output()
    let backup = try await snip("backup", "copy.sqlite")
    let output = try await importing

    #expect(backup.status == 0 && output.status == 0, "\(backup) \(output)")
    try await expectSound("copy.sqlite")
    try await expectSound("store.sqlite")
    let told = try Self.told(in: before.joined(separator: "\n") + "\n")
    #expect(told.count == 501)
    try await expectKept(told, of: files, in: "copy.sqlite")
  }

  // MARK: - Expectations

  private func expectSound(_ store: String) async throws {
    let output = try await snip("check", "--store", store)
    #expect(output.status == 0, "\(output)")
  }

  /// Expects every file reported to be in a store, under the number told, byte for byte.
  private func expectKept(
    _ told: [(path: String, id: SnippetID)],
    of files: ManyFiles,
    in name: String
  ) async throws {
    let store = try SnippetStore(at: TemporaryDirectory.file(name))
    for (path, id) in told {
      let bytes = try await store.content(of: id)
      #expect(bytes == files.contents[path], "\(name): \(path)")
    }
    try await store.close()
  }

  /// Expects another import to bring what is missing, and to leave every file there once.
  private func expectCompletion(of files: ManyFiles, in name: String) async throws {
    let output = try await snip("import", "--json", "files", "--store", name)

    let totals = try #require(try output.json().last)
    let counts = ["imported", "unchanged", "unsupported", "failed"].map {
      totals[$0]?.integer ?? -1
    }
    #expect(output.status == 0 && counts[2...] == [0, 0], "\(output)")
    #expect(counts[0] + counts[1] == Int64(files.contents.count))
    let store = try SnippetStore(at: TemporaryDirectory.file(name))
    let list = store.list()
    #expect(try list.count == files.contents.count)
    var contents = Set(files.contents.values)
    for row in try list.rows(in: 0..<list.count) {
      contents.remove(try await store.content(of: row.id))
    }
    #expect(contents.isEmpty, "\(contents.count) files are missing")
    try await store.close()
    try await expectSound(name)
    let url = TemporaryDirectory.file(name)
    try FileManager.default.removeItem(at: url)
  }

  /// The files that an import reported as its own, from its complete lines.
  private static func told(in text: String) throws -> [(path: String, id: SnippetID)] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    return try lines.compactMap { line in
      let json = try JSONDecoder().decode(ParsedJSON.self, from: Data(line.utf8))
      guard json["outcome"] == "imported", let path = json["file"]?.string,
        let id = json["id"]?.integer
      else { return nil }
      return (path, SnippetID(rawValue: id))
    }
  }

  /// Whether a check finds no store yet: before the first commit there is no file, or one without a
  /// schema.
  private static func saysThatNothingIsThere(_ check: SnipOutput) -> Bool {
    let reasons = ["there is no such file", "the file is empty"]
    return check.status == 66 && reasons.contains(where: check.standardError.contains)
  }

  private func makeLargeStore(_ name: String) async throws {
    let store = try TemporaryStore.open(name)
    for seed in 0..<20 as Range<UInt64> {
      try await store.save(Samples.image(Samples.bytes(1_000_000, seed: seed)))
    }
    try await store.close()
  }
}
