import Foundation
import SnippetTestSupport
import Testing

/// Files of a person that `snip` replaces as root.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)), .enabled(if: getuid() == 0))
struct FormerOwnerTests {
  private let snip: SnipTool

  init() async throws {
    snip = try SnipTool()
    try await SampleLibrary.make()
  }

  @Test func `a damaged store that root restores stays that of its owner`() async throws {
    let output = try await snip.shell(
      """
      snip backup copy.sqlite
      chown 1234:2345 store.sqlite
      head -c 3000 /dev/zero | tr "\\0" X | dd of=store.sqlite bs=1 seek=100 conv=notrunc
      snip restore --yes copy.sqlite
      """
    )

    #expect(output.status == 0 && output.standardError.contains(".damaged-"), "\(output)")
    #expect(owner(of: "store.sqlite") == [1234, 2345])
    #expect(try await snip("list", "--json").text.split(separator: "\n").count == 5)
  }

  @Test func `a backup that root replaces stays that of its owner`() async throws {
    let output = try await snip.shell(
      """
      snip backup copy.sqlite
      chown 1234:2345 copy.sqlite
      snip backup --force copy.sqlite
      """
    )

    #expect(output.status == 0, "\(output)")
    #expect(owner(of: "copy.sqlite") == [1234, 2345])
  }

  private func owner(of name: String) -> [UInt32] {
    var status = stat()
    stat(snip.folder.appendingPathComponent(name).path, &status)
    return [status.st_uid, status.st_gid]
  }
}
