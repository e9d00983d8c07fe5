import Foundation
import SnippetStorage
import SnippetTestSupport
import Testing

/// What is done in several steps, on a disk that is full before the last.
@Suite(.temporaryDirectory, .timeLimit(.minutes(10)), .enabled(if: ExitStatusTests.canMount))
struct FullDiskCommandTests {
  private let snip: SnipTool

  init() throws {
    snip = try SnipTool()
  }

  @Test func `a capture says what is left of it, which can be recovered`() async throws {
    try snip.write(Samples.bytes(6_000_000), "sound")

    let output = try await snip.shell(
      """
      mkdir small && unshare -m sh -c '
      mount -t tmpfs -o size=4m none small || exit 99
      snip capture --kind voice --store small/store < sound 2> err
      echo $? > status
      cp small/store* .
      '
      """
    )

    #expect(output.status == 0, "\(output)")
    #expect(try text("status") == "74\n")
    #expect(
      try text("err") == """
        snip: could not append to capture 1: the disk is full
        hint: Free some space. What was saved until then is still there: `snip capture --recover` \
        makes a snippet of it.

        """
    )
    #expect(try await snip("capture", "--recover", "--store", "store") == SnipOutput("1\n"))
    let bytes = try await snip("cat", "1", "--store", "store").bytes
    #expect(bytes.count > 262_144 && bytes == Samples.bytes(6_000_000).prefix(bytes.count))
  }

  @Test func `a purge tells that everything is deleted, and what to do about the traces`()
    async throws
  {
    for seed in 0..<3 as Range<UInt64> {
      try snip.write(sound(400_000, seed), "voices/\(seed).wav")
    }
    let output = try await snip.shell(
      """
      mkdir small && snip import voices --store store && unshare -m sh -c '
      mount -t tmpfs -o size=2400k none small || exit 99
      cp store small/store
      snip rm 1 --store small/store
      snip purge --store small/store 2> err
      echo $? > status
      snip list --trash --json --store small/store > trash
      snip purge --quick --store small/store
      echo $? >> status
      '
      """
    )

    #expect(output.status == 0, "\(output)")
    #expect(try text("status") == "74\n0\n")
    #expect(
      try text("err") == """
        snip: could not purge the trash: there is no room to write the file anew
        hint: What was in the trash is deleted, and has left traces. Free as much space as the file \
        has, twice, and purge again; or purge without writing the file anew.

        """
    )
    #expect(try text("trash").isEmpty)
  }

  @Test func `an import tells that what is counted is kept`() async throws {
    for seed in 0..<30 as Range<UInt64> {
      try snip.write(sound(2_000_000, seed), "voices/\(seed).wav")
    }
    let output = try await snip.shell(
      """
      mkdir small && unshare -m sh -c '
      mount -t tmpfs -o size=40m none small || exit 99
      snip import voices --json --store small/store > out 2> err
      echo $? > status
      snip list --json --store small/store > list
      '
      """
    )

    #expect(output.status == 0, "\(output)")
    #expect(try text("status") == "74\n")
    let saved = try text("list").split(separator: "\n").count
    #expect(saved > 0 && saved < 30)
    let told = try text("out")
    #expect(told.contains("{\"imported\":\(saved),"), "\(told)")
    #expect(
      try text("err") == """
        snip: could not import files: the disk is full
        hint: What was reported as imported is kept. Free some space and try again.

        """
    )
  }

  @Test func `a store on a read-only file system is listed, shown and searched`() async throws {
    let output = try await snip.shell(
      """
      mkdir small && snip add --text "Milk and eggs" --store store && unshare -m sh -c '
      mount -t tmpfs none small || exit 99
      cp store small/store
      mount -o remount,ro small
      snip list --store small/store &&
      snip cat 1 --store small/store &&
      snip search milk --store small/store &&
      snip info --store small/store
      snip rm 1 --store small/store 2> err
      echo $? > status
      '
      """
    )

    #expect(output.status == 0, "\(output)")
    #expect(output.text.contains("Milk and eggs\n"), "\(output)")
    #expect(try text("status") == "73\n")
    #expect(try text("err").contains("its file system is read-only"))
  }

  private func sound(_ frameCount: Int, _ seed: UInt64) -> Data {
    Samples.wav(frameCount: frameCount).prefix(44) + Samples.bytes(frameCount, seed: seed)
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOf: TemporaryDirectory.file(name), encoding: .utf8)
  }
}
