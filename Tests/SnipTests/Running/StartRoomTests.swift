import Foundation
import SnipCore
import SnippetBase
import SnippetTestSupport
import Testing

/// Processes that may have too few threads or files.
@Suite(.temporaryDirectory, .timeLimit(.minutes(10)))
struct StartRoomTests {
  let snip: SnipTool

  init() throws {
    snip = try SnipTool()
  }

  // Such a stack is as large as the whole address space. Dispatch would try for ever to make its
  // threads, and the process would hang.
  @Test(
    .enabled(if: PeakMemory.isMeaningful),
    arguments: ["list", "add --text x", "derive", "--version"]
  )
  func `where no thread can be had, a command ends and says so`(command: String) async throws {
    let output = try await snip.shell("ulimit -s 137438953472 && exec snip \(command)")

    #expect(output.status == 1 && output.bytes.isEmpty, "\(output)")
    #expect(
      output.standardError.hasPrefix(
        "snip: could not start: no more processes or memory are allowed\nhint: "
      ),
      "\(output)"
    )
    #expect(!FileManager.default.fileExists(atPath: snip.store.path))
  }

  // Eleven such stacks fit into the address space, and the program.
  @Test(
    .enabled(if: PeakMemory.isMeaningful),
    arguments: ["demo", "scroll --rows 5", "browse --demo --dump"]
  )
  func `where a list cannot have its threads, a command ends and says so`(
    command: String
  ) async throws {
    let limits = "ulimit -s 4194304 && ulimit -v \(11 * 4_194_304 + 2_000_000) && exec"

    let version = try await snip.shell("\(limits) snip --version")
    let output = try await snip.shell("\(limits) snip \(command)")

    #expect(version.status == 0, "\(version)")
    #expect(output.status == 1 && output.bytes.isEmpty, "\(output)")
    #expect(output.standardError.hasPrefix("snip: could not start: no more processes"), "\(output)")
  }

  // Below four the system's loader finds no libraries.
  @Test(arguments: [4, 5, 6, 7, 8])
  func `with too few files a command ends and says so`(count: Int) async throws {
    let output = try await snip.shell("ulimit -n \(count) && exec snip list")

    #expect(output.status == 74 && output.bytes.isEmpty, "\(output)")
    #expect(
      output.standardError
        == """
        snip: could not start: no more files may be open at a time
        hint: Raise the limit: ulimit -n 256

        """,
      "\(output)"
    )
  }

  @Test(arguments: 9...24)
  func `with few files a command ends by itself, whatever it can do`(count: Int) async throws {
    let output = try await snip.shell("ulimit -n \(count) && exec snip add --text x")

    let status = try #require(ExitStatus(rawValue: output.status), "\(output)")
    // For `check`, this one says that the store is not sound.
    #expect(status != .failure, "\(output)")
    #expect(output.standardError.isEmpty == (output.status == 0), "\(output)")
  }
}
