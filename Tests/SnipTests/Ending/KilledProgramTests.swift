#if os(Linux)

import Foundation
import SnippetTestSupport
import Testing

/// What every command finds after another program was killed in the middle of a write, and does
/// about it.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct KilledProgramTests {
  private static let commands = [["list"], ["check"], ["backup", "copy.sqlite"]]

  let snip: SnipTool

  init() throws {
    snip = try SnipTool.inProcess()
  }

  @Test(arguments: commands)
  func `a store whose creation was killed is said to be empty`(command: [String]) async throws {
    let journal = snip.store.path + "-journal"
    // The first write into the file, which only the journal can undo.
    let plan = FaultPlan(.write, of: "store.sqlite", number: 1, .killAfter)
    let killed = try await snip.run(["add", "--text", "Milk"], under: plan)
    try #require(killed.isStruck && killed.output.status == 137, "\(killed)")
    try #require(FileManager.default.fileExists(atPath: journal))

    let output = try await snip.run(command)

    #expect(output.status == 66 && output.bytes.isEmpty, "\(output)")
    #expect(output.standardError.contains("the file is empty"), "\(output)")
    #expect(!FileManager.default.fileExists(atPath: journal))
    #expect(try await snip("add", "--text", "Milk") == SnipOutput("1\n"))
  }

  @Test(arguments: commands + [["restore", "torn.sqlite", "--store", "new.sqlite"]])
  func `a backup that a killed program was changing is as it was before`(
    command: [String]
  ) async throws {
    _ = try await TornBackup.make("torn.sqlite")

    let output = try await snip.with(["SNIP_STORE": "torn.sqlite"]).run(command)

    #expect(output.status == 0, "\(output)")
    let list = try await snip("list", "--json", "--store", "torn.sqlite")
    #expect(list.lines.count == TornBackup.titles.count && !list.text.contains("\"torn\""))
  }

  @Test(.enabled(if: StoreOpeningTests.canBeWithoutPower), arguments: commands)
  func `where it cannot be undone the message says what to do`(command: [String]) async throws {
    let file = try await TornBackup.make("torn.sqlite")
    let script = "chmod 400 torn.sqlite* && chmod 500 . && \(StoreOpeningTests.withoutPower)"
    defer { chmod(TemporaryDirectory.current.url.path, 0o700) }

    let line = "\(script) snip \(command.joined(separator: " ")) --store torn.sqlite"
    let output = try await snip.shell(line)

    #expect(
      output
        == SnipOutput(
          error: """
            snip: could not open the store \(file.path): another program was stopped while it \
            wrote, and its changes cannot be undone here
            hint: Copy it, with the -journal beside it, to where both can be written, and use the \
            copy.

            """,
          status: 66
        )
    )
  }
}

#endif
