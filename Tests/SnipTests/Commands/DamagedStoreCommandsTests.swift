import Foundation
import SnippetStorage
import SnippetTestSupport
import Testing

/// What people do with a store that a check calls damaged.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct DamagedStoreCommandsTests {
  let snip: SnipTool

  init() async throws {
    snip = try SnipTool.inProcess()
    _ = try await snip("add", "--text", "Milk, eggs, bread", "--title", "Shopping", "--tag", "home")
    _ = try await snip("add", "--text", "Second")
    // A search ends without waiting for the index.
    let store = try await SnippetStore.open(at: snip.store)
    try await store.updateSearchIndex()
    try await store.close()
  }

  @Test func `a check mends when asked to, says what, and leaves what nothing proves`() async throws
  {
    try await edit("UPDATE snippet SET title = 'Slipping' WHERE id = 1")
    try await edit("DELETE FROM search_index WHERE rowid = 2")

    let check = try await snip("check")
    let repair = try await snip("check", "--repair")
    let accepted = try await snip("check", "--repair", "--accept-damage", "--json")

    #expect(check.status == 1)
    #expect(check.standardError.contains("`snip check --repair` mends"))
    #expect(repair.status == 1)
    #expect(
      repair.text == """
        repaired: the search index was made anew
        rows: snippet 1 does not match its digest: a bit has flipped (snippet 1)

        """
    )
    #expect(
      repair.standardError.contains("`snip check --repair --accept-damage` takes them as they are")
    )
    #expect(accepted.status == 0)
    #expect(accepted.text.contains("1 damaged snippet was accepted as it is"))
    #expect(
      try await snip("check").text
        == "sound: 2 snippets, 0 blobs (0 B read and compared with their hashes)\n"
    )
  }

  @Test func `damage is accepted by who repairs only`() async throws {
    let output = try await snip("check", "--accept-damage")

    #expect(output.status == 64)
    #expect(output.standardError.contains("--accept-damage is for --repair\n"))
  }

  @Test func `a repair makes no store`() async throws {
    let output = try await snip("check", "--repair", "--store", "none.sqlite")

    #expect(output.status == 66)
    #expect(!FileManager.default.fileExists(atPath: snip.folder.path + "/none.sqlite"))
  }

  @Test func `a salvage of a sound store has everything`() async throws {
    let output = try await snip("salvage", "new.sqlite")

    #expect(output == SnipOutput("new.sqlite: 2 snippets salvaged\n"))
    let list = try await snip("list", "--json")
    #expect(try await snip("list", "--json", "--store", "new.sqlite") == list)
  }

  @Test func `a salvage names what is damaged, and ends with 65`() async throws {
    try await edit("UPDATE snippet_text SET body = 'Milk, eggs, broad' WHERE snippet_id = 1")

    let output = try await snip("salvage", "new.sqlite")
    let json = try await snip("salvage", "other.sqlite", "--json")

    #expect(
      output
        == SnipOutput(
          """
          damaged: snippet 1 “Shopping”: its row or its text does not match its digest
          new.sqlite: 2 snippets salvaged

          """,
          error: """
            snip: not everything could be salvaged: 1 damaged
            hint: The rest is in new.sqlite. The damaged file is as it was: keep it until you miss \
            nothing.

            """,
          status: 65
        )
    )
    #expect(json.status == 65)
    #expect(json.text.contains(#""damaged":[{"snippet":1,"title":"Shopping""#))
    #expect(
      try await snip("cat", "1", "--store", "new.sqlite").text.hasPrefix(
        "Milk, eggs, broad"
      )
    )
  }

  @Test func `a salvage tells of unreadable rows in one line, however many were deleted`()
    async throws
  {
    let store = try SnippetStore(at: snip.store)
    try await store.save(contentsOf: (0..<120).map { SnippetDraft(.text("Note \($0)")) })
    try await store.close()
    let page = try await Shell.run(
      "sqlite3",
      [
        "-bail", snip.store.path, "DELETE FROM snippet WHERE id > 2 AND id % 2 = 0",
        "SELECT pageno FROM dbstat WHERE name = 'snippet' AND pagetype = 'leaf'",
      ]
    )
    let number = try #require(page.standardOutput.split(separator: "\n").first.flatMap { Int($0) })
    let file = try FileHandle(forWritingTo: snip.store)
    try file.seek(toOffset: UInt64(number * 8_192 - 1_000))
    try file.write(contentsOf: Data(count: 1_000))
    try file.close()

    let output = try await snip("salvage", "new.sqlite")

    #expect(output.status == 65)
    let unread = output.lines.filter { $0.contains("nothing can be read of them") }
    #expect(unread.count == 1, "\(output)")
    #expect(unread.first?.contains("more ranges, which --json names") == true, "\(output)")
  }

  @Test(arguments: ["cut short", "with another beginning"])
  func `a store that cannot be opened is told to be salvaged`(_ damage: String) async throws {
    let file = try FileHandle(forWritingTo: snip.store)
    if damage == "cut short" {
      try file.truncate(atOffset: 8_192)
    } else {
      try file.write(contentsOf: Data("XXXX".utf8))
    }
    try file.close()

    for command in [["check"], ["check", "--repair"], ["list"]] {
      let output = try await snip.run(command)
      #expect(output.status == 66, "\(output)")
      #expect(output.standardError.contains("`snip salvage FILE` copies"), "\(output)")
    }
  }

  @Test func `a salvage replaces no file`() async throws {
    try snip.write(Data("precious".utf8), "new.sqlite")

    let output = try await snip("salvage", "new.sqlite")

    #expect(output.status == 73)
    let kept = try Data(contentsOf: snip.folder.appendingPathComponent("new.sqlite"))
    #expect(kept == Data("precious".utf8))
  }

  /// Edits the store as damage does: no trigger sees it.
  private func edit(_ sql: String) async throws {
    let output = try await Shell.run(
      "sqlite3",
      ["-bail", snip.store.path, ".dbconfig enable_trigger off", sql]
    )
    try #require(output.status == 0 && output.standardError.isEmpty, "\(output)")
  }
}
