import Foundation
import SnippetTestSupport
import Testing

/// `check`, `backup` and `restore`.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct KeepingCommandsTests {
  let snip: SnipTool

  init() async throws {
    snip = try SnipTool.inProcess()
    try await SampleLibrary.make()
  }

  @Test func `a sound store passes the check`() async throws {
    #expect(
      try await snip("check")
        == SnipOutput("sound: 5 snippets, 4 blobs (96.2 kB read and compared with their hashes)\n")
    )
  }

  @Test func `a changed byte and a missing trigger fail the check by name`() async throws {
    _ = try await snip("backup", "copy.sqlite")
    let tampering = try await Shell.sqlite3(
      TemporaryDirectory.file("copy.sqlite"),
      """
      DROP TRIGGER blob_chunk_on_update;
      UPDATE blob_chunk SET data = zeroblob(length(data)) WHERE id = 1 << 20;
      """
    )
    #expect(tampering.status == 0, "\(tampering)")

    let output = try await snip("check", "--store", "copy.sqlite")
    let json = try await snip("check", "--store", "copy.sqlite", "--json")

    #expect(
      output
        == SnipOutput(
          """
          schema: trigger blob_chunk_on_update is missing
          blobs: the bytes of blob 1 do not match its hash (snippet 2)

          """,
          error: """
            snip: the store has 2 problems, named above
            hint: Keep the file as it is, and restore a backup: snip restore FILE. Without one, \
            `snip salvage` copies what can be read into a new store.

            """,
          status: 1
        )
    )
    #expect(json.status == 1)
    let report = try #require(try json.json().first)
    #expect(report["sound"] == false)
    #expect(
      report["problems"] == [
        [
          "area": "schema", "problem": "trigger blob_chunk_on_update is missing", "snippets": [],
        ],
        [
          "area": "blobs", "problem": "the bytes of blob 1 do not match its hash",
          "snippets": [2],
        ],
      ]
    )
  }

  @Test func `what nothing refers to is put right by gc, and the check says so`() async throws {
    let edit = try await Shell.sqlite3(snip.store, "DELETE FROM derivative_total")
    #expect(edit.status == 0, "\(edit)")

    let output = try await snip("check")

    #expect(
      output
        == SnipOutput(
          "references: the total size of the derivatives is missing\n",
          error: """
            snip: the store has 1 problem, named above
            hint: No snippet needs any of it: `snip gc` puts it right. If you miss snippets, restore \
            a backup instead: snip restore FILE.

            """,
          status: 1
        )
    )
    #expect(try await snip("gc").status == 0)
    #expect(try await snip("check").status == 0)
  }

  @Test func `a backup is a store of its own, for its owner alone`() async throws {
    let output = try await snip("backup", "copy.sqlite")

    #expect(
      output
        == SnipOutput(
          "copy.sqlite: 5 snippets, 4 blobs, checked\n",
          error: "To bring it back: snip restore copy.sqlite\n"
        )
    )
    #expect(try mode(of: "copy.sqlite") == 0o600)
    let list = try await snip("list", "--json")
    #expect(try await snip("list", "--json", "--store", "copy.sqlite") == list)
    #expect(try await snip("check", "--store", "copy.sqlite").status == 0)
  }

  @Test func `a file that exists is replaced only when asked for`() async throws {
    try snip.write(Data("precious".utf8), "copy.sqlite")

    let refused = try await snip("backup", "copy.sqlite")
    let kept = try Data(contentsOf: TemporaryDirectory.file("copy.sqlite"))
    let forced = try await snip("backup", "copy.sqlite", "--force", "--json")

    #expect(
      refused
        == SnipOutput(
          error: """
            snip: could not back up to copy.sqlite: it exists
            hint: Choose another name, or replace it with --force.

            """,
          status: 73
        )
    )
    #expect(kept == Data("precious".utf8))
    #expect(forced.status == 0 && forced.standardError.isEmpty, "\(forced)")
    #expect(try await snip("check", "--store", "copy.sqlite").status == 0)
  }

  @Test func `nothing but a file is ever replaced by a backup`() async throws {
    let made = try await snip.shell("mkfifo pipe && mkdir folder && touch folder/kept")
    #expect(made.status == 0)

    let pipe = try await snip("backup", "pipe", "--force")
    let folder = try await snip("backup", "folder", "--force")
    let store = try await snip("backup", "store.sqlite", "--force")

    #expect(pipe.status == 73 && folder.status == 73, "\(pipe) \(folder)")
    #expect(store.status == 65, "\(store)")
    #expect(try await snip.shell("test -p pipe && test -f folder/kept").status == 0)
    #expect(try await snip("check").status == 0)
    let names = try FileManager.default
      .contentsOfDirectory(atPath: TemporaryDirectory.current.url.path)
    #expect(!names.contains { $0.contains("partial") }, "\(names)")
  }

  @Test func `a backup brings everything back`() async throws {
    let before = try await snip("list", "--json")
    _ = try await snip("backup", "copy.sqlite")
    _ = try await snip("rm", "1", "2", "3")
    _ = try await snip("add", "--text", "later")

    let output = try await snip("restore", "copy.sqlite")

    #expect(output == SnipOutput("\(snip.store.path): 5 snippets restored\n"))
    #expect(try await snip("list", "--json") == before)
    #expect(try await snip("check").status == 0)
    for id in 1...5 {
      #expect(try await snip("cat", "\(id)").bytes == SampleLibrary.contents[id - 1])
    }
  }

  @Test func `a store that is missing is made by a restore`() async throws {
    _ = try await snip("backup", "copy.sqlite")

    let output = try await snip("restore", "copy.sqlite", "--store", "new.sqlite", "--json")

    let report = try #require(try output.json().first)
    #expect(output.status == 0 && report["snippets"] == 5, "\(output)")
    #expect(report["store"] == .string(TemporaryDirectory.file("new.sqlite").path))
    #expect(try mode(of: "new.sqlite") == 0o600)
    #expect(try await snip("check", "--store", "new.sqlite").status == 0)
  }

  @Test func `a damaged backup replaces nothing`() async throws {
    let before = try await snip("list", "--json")
    _ = try await snip("backup", "copy.sqlite")
    _ = try await Shell.sqlite3(
      TemporaryDirectory.file("copy.sqlite"),
      "DROP TRIGGER blob_chunk_on_update"
    )

    let output = try await snip("restore", "copy.sqlite")

    #expect(output.status == 66 && output.bytes.isEmpty, "\(output)")
    #expect(output.standardError.contains("trigger blob_chunk_on_update is missing"), "\(output)")
    #expect(try await snip("list", "--json") == before)
  }

  @Test func `a store that is too damaged to be opened is put aside`() async throws {
    _ = try await snip("backup", "copy.sqlite")
    var bytes = try Data(contentsOf: TemporaryDirectory.file("copy.sqlite"))
    bytes.replaceSubrange(100..<8192, with: Data(repeating: 0x5A, count: 8092))
    try snip.write(bytes, "damaged.sqlite")

    let refused = try await snip("list", "--store", "damaged.sqlite")
    let output = try await snip("restore", "copy.sqlite", "--store", "damaged.sqlite", "--json")

    #expect(refused.status == 66, "\(refused)")
    #expect(output.status == 0, "\(output)")
    let aside = try #require(try output.json("damagedFile").first?.string)
    #expect(try Data(contentsOf: URL(fileURLWithPath: aside)) == bytes)
    #expect(try await snip("check", "--store", "damaged.sqlite").status == 0)
  }

  private func mode(of name: String) throws -> Int? {
    let file = TemporaryDirectory.file(name).path
    return try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
  }
}
