import Foundation
import SnippetTestSupport
import Testing

/// A store whose file is mounted elsewhere without its folder, as `docker -v file:file` does.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)), .enabled(if: ExitStatusTests.canMount))
struct MountedFileTests {
  private let snip: SnipTool

  init() throws {
    snip = try SnipTool()
  }

  @Test func `a file that is mounted alone can be read, and writing is refused`() async throws {
    #expect(try await snip("add", "--text", "under the first name").status == 0)

    let output = try await snip.shell(
      """
      touch alone && unshare -m sh -c '
      mount --bind store.sqlite alone || exit 99
      snip add --text two --store alone 2> err
      echo $? > status
      snip list --json --store alone > list
      '
      """
    )

    #expect(output.status == 0, "\(output)")
    let path = snip.folder.appendingPathComponent("alone").path
    #expect(try text("status") == "73\n")
    #expect(
      try text("err") == """
        snip: could not open the store \(path): it is mounted without its folder, so its log is \
        not that of its other place
        hint: Nothing was changed. Mount the folder of the store instead of the file.

        """
    )
    #expect(try text("list").contains("under the first name"))
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOf: snip.folder.appendingPathComponent(name), encoding: .utf8)
  }
}
