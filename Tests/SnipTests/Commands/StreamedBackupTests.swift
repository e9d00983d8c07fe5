import Foundation
import SnippetTestSupport
import Testing

/// `backup -` and `restore -`.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct StreamedBackupTests {
  let snip: SnipTool

  init() async throws {
    snip = try SnipTool()
    try await SampleLibrary.make()
  }

  @Test func `a backup on standard output is a store, and nothing else is left`() async throws {
    let output = try await snip("backup", "-")

    #expect(output.status == 0)
    #expect(output.standardError == "Standard output: 5 snippets, 4 blobs, checked\n")
    #expect(try names() == ["store.sqlite"])
    try snip.write(output.bytes, "copy.sqlite")
    #expect(try await snip("check", "--store", "copy.sqlite").status == 0)
    let list = try await snip("list", "--json")
    #expect(try await snip("list", "--json", "--store", "copy.sqlite") == list)
  }

  @Test func `a backup goes through a pipe into a restore`() async throws {
    let list = try await snip("list", "--json")

    let output = try await snip.shell("snip backup - | snip restore - --store new.sqlite")

    #expect(output.status == 0, "\(output)")
    #expect(try await snip("list", "--json", "--store", "new.sqlite") == list)
    #expect(try names() == ["new.sqlite", "store.sqlite"])
  }

  @Test func `a backup that fails writes nothing`() async throws {
    let damage = """
      DROP TRIGGER blob_chunk_on_update;
      UPDATE blob_chunk SET data = zeroblob(length(data)) WHERE id = 1 << 20
      """
    #expect(try await snip("backup", "other").status == 0)
    #expect(try await Shell.sqlite3(TemporaryDirectory.file("other"), damage).status == 0)

    let output = try await snip("backup", "-", "--store", "other")

    #expect(output.status == 66 && output.bytes.isEmpty, "\(output)")
    #expect(
      output.standardError.hasPrefix(
        "snip: could not back up to standard output: the copy does not pass the check: "
      ),
      "\(output)"
    )
    #expect(try names() == ["other", "store.sqlite"])
  }

  @Test func `a reader that leaves ends a backup, and nothing is left`() async throws {
    try snip.write(Samples.bytes(3_000_000).base64EncodedData(), "big.txt")
    #expect(try await snip("import", "big.txt").status == 0)

    let output = try await snip.shell("{ snip backup -; echo $? > status; } | head -c 1 | wc -c")

    #expect(output == SnipOutput("1\n"))
    #expect(try String(contentsOf: TemporaryDirectory.file("status"), encoding: .utf8) == "141\n")
    #expect(try names() == ["big.txt", "status", "store.sqlite"])
  }

  @Test func `what a killed backup left is removed by the next, and nothing of anybody else`()
    async throws
  {
    let stale = "store.sqlite-stream.partial-abcdef"
    let others = [
      "store.sqlite-stream.partial-notes1", "x.partial-lock-notes1", "x.partial-notes1",
    ]
    for name in [stale, stale + "-journal"] + others { try snip.write(Data("half".utf8), name) }
    try snip.write(Data(), "store.sqlite-stream.partial-lock-abcdef", "y.partial-lock-notes")

    let output = try await snip("backup", "-")

    #expect(output.status == 0, "\(output)")
    #expect(try names() == (["store.sqlite", "y.partial-lock-notes"] + others).sorted())
  }

  @Test func `a terminal gets no backup and gives none`() async throws {
    let backup = try await snip.onTerminal("backup", "-")
    let restore = try await snip.onTerminal("restore", "-")

    #expect(backup.status == 64)
    #expect(
      backup.text.contains("could not back up to standard output: it is a terminal"),
      "\(backup)"
    )
    #expect(restore.status == 64)
    #expect(restore.text.contains("could not restore from standard input: it is a terminal"))
    #expect(try names() == ["store.sqlite"])
  }

  @Test func `a backup and JSON do not go to one place`() async throws {
    let output = try await snip("backup", "-", "--json")

    #expect(output.status == 64 && output.bytes.isEmpty)
  }

  @Test func `what comes from standard input and is no backup replaces nothing`() async throws {
    let list = try await snip("list", "--json")
    let backup = try await snip("backup", "-").bytes
    for (bytes, status, message) in [
      (Data(), 65, "could not restore from standard input: it is empty"),
      (Data("no backup".utf8), 66, "from standard input: "),
      (
        backup.prefix(backup.count / 2), 66,
        "hint: Nothing was changed. Use another backup.\n"
      ),
    ] as [(Data, Int32, String)] {
      let output = try await snip("restore", "-", input: bytes)

      #expect(output.status == status && output.bytes.isEmpty, "\(output)")
      #expect(output.standardError.contains(message), "\(output)")
      #expect(!output.standardError.contains(".partial-"), "\(output)")
    }
    #expect(try await snip("list", "--json") == list)
    #expect(try names() == ["store.sqlite"])
  }

  @Test(arguments: [[], ["--force"]])
  func `a pipe is no place for a backup, which the message helps with`(
    options: [String]
  ) async throws {
    #expect(try await snip.shell("mkfifo pipe").status == 0)

    let output = try await snip.run(["backup", "pipe"] + options)

    #expect(
      output
        == SnipOutput(
          error: """
            snip: could not back up to pipe: it is a pipe
            hint: Write into it with: snip backup - > pipe

            """,
          status: 73
        )
    )
    let read = try await snip.shell("cat pipe > copy.sqlite & snip backup - > pipe; wait")
    #expect(read.status == 0, "\(read)")
    #expect(try await snip("check", "--store", "copy.sqlite").status == 0)
  }

  @Test func `a file that the shell has opened is not replaced by a backup`() async throws {
    let output = try await snip.shell(
      "{ echo a; snip backup --force /dev/stdout; echo $?; } > file; cat file"
    )

    #expect(
      output
        == SnipOutput(
          "a\n73\n",
          error: """
            snip: could not back up to /dev/stdout: it is an output that is already open
            hint: Write to standard output with: snip backup -

            """
        )
    )
  }

  @Test(.enabled(if: StoreOpeningTests.canBeWithoutPower))
  func `where the folder of the store cannot be written the copy is made elsewhere`()
    async throws
  {
    let folder = TemporaryDirectory.file("folder")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    #expect(try await snip("backup", "folder/store").status == 0)
    chmod(folder.path, 0o500)
    defer { chmod(folder.path, 0o700) }

    let output = try await snip.shell(
      "\(StoreOpeningTests.withoutPower) snip backup - --store folder/store"
    )

    #expect(output.status == 0 && output.bytes.starts(with: "SQLite format 3".utf8))
    let temporary = TemporaryDirectory.file("tmp").path
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporary) == [])
  }

  @Test(.enabled(if: ExitStatusTests.canMount))
  func `where the file system of the store is read-only the copy is made elsewhere`()
    async throws
  {
    let output = try await snip.shell(
      """
      mkdir folder && unshare -m sh -c '
      mount -t tmpfs none folder || exit 99
      snip backup folder/store > /dev/null 2>&1 && mount -o remount,ro folder || exit 98
      snip backup - --store folder/store > copy.sqlite'
      """
    )

    #expect(output.status == 0, "\(output)")
    #expect(try await snip("check", "--store", "copy.sqlite").status == 0)
  }

  /// The files in the folder but those of the tool itself and the log that readers leave.
  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: TemporaryDirectory.current.url.path)
      .filter { name in
        !["home", "tmp"].contains(name) && !["-wal", "-shm"].contains { name.hasSuffix($0) }
      }
      .sorted()
  }
}
