import Foundation
import Migrations
import SnippetTestSupport
import Testing

/// What commands that read or change do with a file that is no store yet, or not one of this
/// version.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct UnalteringCommandsTests {
  let snip: SnipTool

  init() throws {
    snip = try SnipTool.inProcess()
  }

  /// Every command that reads.
  private static let reading = [
    "list", "show 1", "cat 1", "search x", "export out", "info",
    "watch --after 0 --limit 1", "browse --dump --size 40x5", "tag", "tag 1", "capture --list",
    "scroll --frames 2",
  ]
  /// Those that look at the file itself, whatever its version.
  private static let looking = ["check", "backup copy.sqlite", "backup -"]

  /// Those that change what is there.
  private static let changing = [
    "rm 1", "undelete 1", "edit 1 --title x", "tag 1 +x", "gc", "purge", "derive",
  ]

  @Test(arguments: reading + looking + changing)
  func `only what adds makes a store`(command: String) async throws {
    let output = try await snip.shell("snip \(command)")

    #expect(output.status == 66 && output.bytes.isEmpty, "\(output)")
    let hint = """
      --store and SNIP_STORE name another. Without them, the sample library of `snip demo` has a \
      file of its own: snip browse --demo

      """
    #expect(output.standardError.hasSuffix(hint), "\(output)")
    #expect(try names() == [])
  }

  @Test(arguments: reading + looking + changing)
  func `only what adds makes a folder for the default store`(command: String) async throws {
    let snip = snip.with(["SNIP_STORE": nil])

    #expect(try await snip.shell("snip \(command)").status == 66)

    let home = TemporaryDirectory.file("home").path
    #expect(try FileManager.default.contentsOfDirectory(atPath: home) == [])
  }

  @Test(arguments: reading + looking)
  func `an empty file is refused and stays empty`(command: String) async throws {
    try snip.write(Data(), "store.sqlite")

    let output = try await snip.shell("snip \(command)")

    #expect(output.status == 66 && output.bytes.isEmpty, "\(output)")
    #expect(output.standardError.contains("the file is empty"), "\(output)")
    #expect(try Data(contentsOf: snip.store) == Data())
    #expect(try names() == ["store.sqlite"])
  }

  @Test func `a command that reads brings nothing up to date`() async throws {
    try await makeOlderStore(version: 6)
    let before = try await Shell.sha256(snip.store)

    for command in Self.reading {
      let output = try await snip.shell("snip \(command)")

      #expect(output.status == 66 && output.bytes.isEmpty, "\(command): \(output)")
      let error = output.standardError
      #expect(error.contains("its schema is 6 and must first become "), "\(command): \(output)")
      #expect(error.contains("hint: `snip gc` does that once; "), "\(command): \(output)")
      #expect(try await Shell.sha256(snip.store) == before, "\(command)")
    }
  }

  @Test func `gc brings a store up to date as the advice has it`() async throws {
    try await makeOlderStore(version: 6)

    #expect(try await snip("gc").status == 0)

    #expect(try await snip("list").status == 0)
  }

  @Test(arguments: 1..<Migrations.latestVersion)
  func `a check and a backup take an older version as it is`(version: Int) async throws {
    try await makeOlderStore(version: version)
    let before = try await Shell.sha256(snip.store)

    let check = try await snip("check")
    let backup = try await snip("backup", "copy.sqlite")

    #expect(check.status == 0 && check.text.hasPrefix("sound: "), "\(check)")
    #expect(backup.status == 0, "\(backup)")
    #expect(try await snip("list", "--store", "copy.sqlite").status == 0)
    #expect(try await Shell.sha256(snip.store) == before)
  }

  // Opened for writing, it would be switched to WAL.
  @Test func `a backup stays byte for byte as it is when it is read`() async throws {
    try await SampleLibrary.make()
    #expect(try await snip("backup", "other.sqlite").status == 0)
    let backup = TemporaryDirectory.file("other.sqlite")
    let before = try await Shell.sha256(backup)

    for command in Self.reading.filter({ !$0.hasPrefix("watch") }) + Self.looking {
      let output = try await snip.shell("snip \(command) --store other.sqlite")

      #expect(output.status == 0, "\(command): \(output)")
      #expect(try await Shell.sha256(backup) == before, "\(command)")
      #expect(try names().filter { $0.hasPrefix("other") } == ["other.sqlite"], "\(command)")
    }
  }

  @Test func `an altered schema is read, and not written`() async throws {
    try await SampleLibrary.make()
    let trigger = "CREATE TRIGGER z AFTER INSERT ON snippet BEGIN DELETE FROM snippet; END"
    #expect(try await Shell.sqlite3(snip.store, trigger).status == 0)

    let added = try await snip("add", "--text", "x")
    let check = try await snip("check")

    #expect(added.status == 66 && added.bytes.isEmpty)
    #expect(
      added.standardError.contains(
        """
        its schema was altered: trigger z on snippet does not belong here
        hint: Nothing was changed. Drop that with the sqlite3 shell; until then the store can be \
        opened for reading.
        """
      ),
      "\(added)"
    )
    #expect(
      check.status == 1 && check.text == "schema: trigger z on snippet does not belong here\n"
    )
    #expect(check.standardError.contains("Drop what does not belong there with sqlite3"))
    for command in ["list", "show 1", "cat 1", "search milk", "export out", "info"] {
      #expect(try await snip.shell("snip \(command)").status == 0, "\(command)")
    }
    #expect(try await Shell.sqlite3(snip.store, "DROP TRIGGER z").status == 0)
  }

  @Test func `a table of another program is noted and leaves the store sound`() async throws {
    try await SampleLibrary.make()
    let table = "CREATE TABLE _litestream_seq (id INTEGER)"
    #expect(try await Shell.sqlite3(snip.store, table).status == 0)

    let check = try await snip("check")
    let backup = try await snip("backup", "copy.sqlite", "--json")
    let restore = try await snip("restore", "copy.sqlite")

    let note = "table _litestream_seq is another program's, and touches nothing of the store"
    #expect(check.status == 0 && check.lines.first == "note: \(note)", "\(check)")
    #expect(try backup.json("notes").first == [.string(note)], "\(backup)")
    #expect(restore.status == 0, "\(restore)")
    #expect(
      restore.standardError == """
        Gone with the old content, tables of other programs: _litestream_seq. Start those programs \
        again.

        """
    )
    #expect(try await snip("check").lines.count == 1)
  }

  private func makeOlderStore(version: Int) async throws {
    let sql = Migrations.all.prefix(version).map(\.sql).joined(separator: "\n")
    let output = try await Shell.sqlite3(snip.store, "\n" + sql)
    #expect(output == Shell.Output(standardOutput: ""))
  }

  /// The files in the folder but those of the tool itself.
  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: TemporaryDirectory.current.url.path)
      .filter { !["home", "tmp"].contains($0) }.sorted()
  }
}
