import Foundation
import SnippetTestSupport
import Testing

/// Where the store is, how it is made, and what happens when it cannot be opened.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct StoreOpeningTests {
  let snip: SnipTool

  init() throws {
    snip = try SnipTool.inProcess()
  }

  // MARK: - Where it is

  @Test(
    arguments: [
      (["SNIP_STORE": "chosen.sqlite", "XDG_DATA_HOME": "/D"], "chosen.sqlite"),
      (["SNIP_STORE": nil, "XDG_DATA_HOME": "/D"], "data/snip/snippets.sqlite"),
      (["SNIP_STORE": "", "XDG_DATA_HOME": nil], "home/.local/share/snip/snippets.sqlite"),
      (
        ["SNIP_STORE": nil, "XDG_DATA_HOME": "relative"],
        "home/.local/share/snip/snippets.sqlite"
      ),
      (["SNIP_STORE": nil, "XDG_DATA_HOME": ""], "home/.local/share/snip/snippets.sqlite"),
    ] as [([String: String?], String)]
  )
  func `the environment says where the store is`(
    variables: [String: String?],
    file: String
  ) async throws {
    let data = TemporaryDirectory.file("data").path
    let snip = snip.with(variables.mapValues { $0 == "/D" ? data : $0 })

    let output = try await snip("add", "--text", "Milk")

    #expect(output == SnipOutput("1\n"))
    #if os(Linux)
    let url = TemporaryDirectory.file(file)
    #expect(try mode(of: url) == 0o600)
    if file.hasSuffix("snip/snippets.sqlite") {
      #expect(try mode(of: url.deletingLastPathComponent()) == 0o700)
    }
    #endif
    let path = try #require(try await snip("info", "--json").json("store").first?.string)
    #expect(path.hasSuffix("/snippets.sqlite") || path.hasSuffix("/chosen.sqlite"))
  }

  @Test func `the option goes before the environment`() async throws {
    #expect(try await snip("add", "--text", "Milk", "--store", "other") == SnipOutput("1\n"))

    #expect(!FileManager.default.fileExists(atPath: snip.store.path))
    #expect(try mode(of: TemporaryDirectory.file("other")) == 0o600)
    #expect(try await snip("info", "--store", "other").text.contains("other (from --store)\n"))
  }

  @Test(arguments: [
    ["import", "missing"], ["import", "missing", "too"], ["import", "--dry-run", "missing"],
    ["capture", "--recover"], ["capture", "--discard"], ["capture", "--list"],
  ])
  func `a command with nothing to keep makes no store`(arguments: [String]) async throws {
    let output = try await snip.run(arguments)

    #expect(output.status != 0, "\(output)")
    #expect(!FileManager.default.fileExists(atPath: snip.store.path))
  }

  @Test func `a folder that was named is never made`() async throws {
    let output = try await snip("add", "--text", "x", "--store", "missing/store.sqlite")

    #expect(output.status == 73 && output.bytes.isEmpty, "\(output)")
    #expect(!FileManager.default.fileExists(atPath: TemporaryDirectory.file("missing").path))
  }

  @Test(arguments: [nil, "", "relative"] as [String?])
  func `without a home a store must be named`(home: String?) async throws {
    let snip = snip.with(["HOME": home, "SNIP_STORE": nil])

    for command in ["list", "demo", "info"] {
      #expect(
        try await snip(command)
          == SnipOutput(
            error: """
              snip: could not choose a store: HOME is not set to an absolute path
              hint: Name the file with --store FILE or with the variable SNIP_STORE.

              """,
            status: 66
          )
      )
    }
  }

  // MARK: - What is refused

  /// What makes each of the files.
  private static let refused = [
    "foreign": "sqlite3 foreign 'CREATE TABLE t (a)'",
    "newer": "snip add --text x --store newer && sqlite3 newer 'PRAGMA user_version = 99'",
    "text": "echo 'dear diary' > text",
    "damaged": """
    snip add --text x --store damaged \
    && sqlite3 damaged 'PRAGMA wal_checkpoint(TRUNCATE)' \
    && dd if=/dev/zero of=damaged bs=100 count=80 seek=1 conv=notrunc
    """,
    "folder": "mkdir folder",
    "pipe": "mkfifo pipe",
  ]

  @Test(arguments: refused.keys.sorted())
  func `what is no store is refused and left as it is`(name: String) async throws {
    let made = try await snip.shell(Self.refused[name] ?? "false")
    #expect(made.status == 0, "\(made)")
    let isFile = name != "folder" && name != "pipe"
    let file = TemporaryDirectory.file(name)
    let before = isFile ? try await Shell.sha256(file) : ""

    for command in [["list"], ["add", "--text", "x"], ["check"], ["cat", "1"], ["backup", "b"]] {
      let output = try await snip.run(command + ["--store", name])

      #expect(output.status == 66 && output.bytes.isEmpty, "\(command) \(output)")
      #expect(output.standardError.hasPrefix("snip: could not open the store "), "\(output)")
      #expect(output.standardError.contains("\nhint: "), "\(output)")
    }

    #expect(try await (isFile ? Shell.sha256(file) : "") == before)
  }

  @Test(arguments: ["", "PRAGMA journal_mode = WAL;", "0001", "0001 0002"])
  func `a store whose creation was cut short is completed by the next program that adds`(
    beginning: String
  ) async throws {
    let migrations = SampleFiles.package.appendingPathComponent("Migrations")
    let sql = beginning.hasPrefix("0") ? beginning.split(separator: " ").map { "\($0)_*" } : []
    for command in ["add --text x", "demo"] {
      let made = try await snip.shell(
        """
        rm -f store.sqlite* && : > store.sqlite && chmod 600 store.sqlite
        cd '\(migrations.path)' && cat /dev/null \(sql.joined(separator: " ")) | \
          sqlite3 -bail "$SNIP_STORE"
        [ -z '\(sql.isEmpty ? beginning : "")' ] || sqlite3 "$SNIP_STORE" '\(beginning)'
        """
      )
      #expect(made.status == 0, "\(made)")

      let output = try await snip.shell("snip \(command)")

      #expect(output.status == 0, "\(command): \(output)")
      #expect(try await snip("check").status == 0)
    }
  }

  // MARK: - Where it cannot be written

  /// Root may write everywhere, unless it gives up that power.
  static let withoutPower = geteuid() == 0 ? "setpriv --bounding-set=-all " : ""

  static let canBeWithoutPower =
    geteuid() != 0 || FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv")

  @Test(.enabled(if: canBeWithoutPower))
  func `a store that cannot be written is read`() async throws {
    try await SampleLibrary.make()
    let list = try await snip("list")
    let script = "chmod 400 store.sqlite && chmod 500 . && \(Self.withoutPower)"
    defer { chmod(TemporaryDirectory.current.url.path, 0o700) }

    for command in [
      "list", "show 1", "cat 2", "info", "search milk", "tag",
      "tag 1", "check", "scroll --frames 2", "capture --list",
    ] {
      let output = try await snip.shell("\(script) snip \(command)")
      #expect(output.status == 0 && output.standardError.isEmpty, "\(command): \(output)")
    }
    #expect(try await snip.shell("\(script) snip list") == list)
    for command in ["add --text x", "rm 1", "edit 1 --pin", "tag 1 x", "import ."] {
      let output = try await snip.shell("\(script) snip \(command)")
      #expect(output.status == 73 && output.bytes.isEmpty, "\(command): \(output)")
    }
  }

  @Test(.enabled(if: canBeWithoutPower))
  func `a store that cannot be read is refused`() async throws {
    try await SampleLibrary.make()

    let output = try await snip.shell("chmod 0 store.sqlite && \(Self.withoutPower) snip list")

    chmod(snip.store.path, 0o600)
    #expect(output.status == 66 && output.bytes.isEmpty, "\(output)")
  }

  // MARK: - While another program writes

  @Test func `what changes the store waits its time for another program, then is busy`()
    async throws
  {
    try await SampleLibrary.make()
    try snip.write(Data("new".utf8), "files/new.txt")
    _ = try await snip("backup", "copy.sqlite")
    let other = try ShellSession(snip.store)
    _ = try await other.run("BEGIN IMMEDIATE;")

    for command in [
      ["add", "--text", "x"], ["edit", "1", "--pin"], ["tag", "1", "x"], ["rm", "1"],
      ["import", "files"], ["restore", "copy.sqlite"], ["demo"],
    ] {
      let output = try await snip.run(command + ["--busy-timeout", "0.05"])

      #expect(output.status == 75, "\(command) \(output)")
      #expect(output.standardError.contains("another program is using the store"), "\(output)")
    }
    try await other.end()
  }

  @Test func `what only reads waits for nobody and writes nothing`() async throws {
    try await SampleLibrary.make()
    let before = try await Shell.sha256(snip.store)
    let other = try ShellSession(snip.store)
    _ = try await other.run("BEGIN IMMEDIATE; UPDATE snippet SET title = 'not yet' WHERE id = 1;")

    for command in [
      ["list"], ["show", "1"], ["cat", "1"], ["info"], ["search", "milk"],
      ["tag"], ["check"], ["backup", "copy.sqlite"], ["scroll", "--frames", "2"],
    ] {
      let output = try await snip.run(command + ["--busy-timeout", "0"])

      #expect(output.status == 0, "\(command) \(output)")
      #expect(!output.text.contains("not yet"))
    }
    #expect(try await Shell.sha256(snip.store) == before)
    try await other.end()
  }

  @Test func `what waited goes on when the other program is done`() async throws {
    try await SampleLibrary.make()
    let other = try ShellSession(snip.store)
    _ = try await other.run("BEGIN IMMEDIATE; UPDATE snippet SET title = 'theirs' WHERE id = 2;")

    let waiting = try snip.start(["edit", "2", "--pin"])
    _ = try await other.run("COMMIT;")

    #expect(try await waiting.output() == SnipOutput())
    let row = try #require(try await snip("show", "2", "--json").json().first)
    #expect(row["title"] == "theirs" && row["pinned"] == true)
    try await other.end()
  }

  @Test func `a copy of the file alone has all of it after any command`() async throws {
    try snip.write(Data("A file".utf8), "a.txt")
    for (command, status) in [
      (["add", "--text", "Milk"], 0), (["import", "a.txt"], 0), (["edit", "1", "--pin"], 0),
      (["list"], 0), (["cat", "1"], 0), (["cat", "99"], 2), (["scroll", "--frames", "2"], 0),
      (["demo"], 0), (["rm", "1"], 0),
    ] as [([String], Int32)] {
      let output = try await snip.run(command)

      #expect(output.status == status, "\(command) \(output)")
      let besides = try FileManager.default.contentsOfDirectory(
        atPath: TemporaryDirectory.file("").path
      )
      .filter { $0.hasPrefix(snip.store.lastPathComponent) }
      #expect(besides == [snip.store.lastPathComponent], "\(command)")
    }
  }

  private func mode(of url: URL) throws -> Int? {
    try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
  }
}
