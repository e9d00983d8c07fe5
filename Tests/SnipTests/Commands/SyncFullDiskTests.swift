import Foundation
import SnippetTestSupport
import Testing

/// Synchronizations that find a disk full: that of the store, of the place, or of temporary files.
@Suite(
  .temporaryDirectory,
  .timeLimit(.minutes(30)),
  .enabled(if: ExitStatusTests.canMount)
)
struct SyncFullDiskTests {
  private let snip: SnipTool

  init() throws {
    snip = try SnipTool()
  }

  /// Runs commands where the folder `small` is a disk of a few kilobytes.
  private func run(_ size: String, _ lines: String) async throws {
    for number in 0..<6 {
      let count = number == 0 ? 9_000_000 : 300_000
      try snip.write(
        Samples.wav(frameCount: count).prefix(44) + Samples.bytes(count, seed: UInt64(number)),
        "voices/\(number).wav"
      )
    }
    let output = try await snip.shell(
      """
      export XDG_DATA_HOME="$PWD/data"
      mkdir small && snip import voices && snip add milk && unshare -m sh -c '
      mount -t tmpfs -o size=\(size) none small || exit 99
      \(lines)
      '
      """
    )
    #expect(output.status == 0, "\(output)")
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOf: snip.folder.appendingPathComponent(name), encoding: .utf8)
  }

  @Test func `a place that is full says so, and gets the rest once it has room`() async throws {
    try await run(
      "1200k",
      """
      snip sync join small/meeting --name laptop 2> err
      echo $? > status
      snip sync status --json > unsent
      mount -o remount,size=40m small
      snip sync
      echo $? >> status
      snip sync check --read >> status
      snip sync join small/meeting --name phone --store phone.sqlite --key data/snip/keys/*.key
      snip list --json --store phone.sqlite > received
      """
    )

    #expect(try text("status").hasPrefix("74\n0\nIntact: 1 device, "))
    #expect(try text("err").contains(": the disk of "))
    #expect(try text("err").contains(" is full\nhint: Make room there, and try again.\n"))
    #expect(!(try text("unsent").contains(#""unsentBlobs":0"#)))
    #expect(try text("received").split(separator: "\n").count == 7)
  }

  @Test func `a place that may only be read is a file that cannot be written`() async throws {
    try await run(
      "40m",
      """
      snip sync join small/meeting --name laptop
      snip add eggs
      mount -o remount,ro small
      snip sync 2> err
      echo $? > status
      """
    )

    #expect(try text("status") == "73\n")
    #expect(
      try text("err").contains(" is mounted to be read only\nhint: Mount it to be written.\n")
    )
  }

  @Test func `a store whose disk is full keeps what it has, and receives the rest later`()
    async throws
  {
    try await run(
      "3m",
      """
      snip sync join meeting --name laptop
      snip sync join meeting --name phone --store small/phone --key data/snip/keys/*.key 2> err
      echo $? > status
      snip check --store small/phone > check
      echo $? >> status
      mount -o remount,size=40m small
      snip sync --store small/phone
      echo $? >> status
      snip list --json --store small/phone > received
      snip check --store small/phone > check
      echo $? >> status
      """
    )

    #expect(try text("status") == "74\n0\n0\n0\n")
    #expect(try text("err").contains("could not synchronize: the disk is full"))
    #expect(try text("err").contains("What was received or sent before stays so."))
    #expect(try text("received").split(separator: "\n").count == 7)
  }

  @Test func `a full folder of temporary files is named`() async throws {
    try await run(
      "4m",
      """
      snip sync join meeting --name laptop
      export TMPDIR=$PWD/small
      snip sync join meeting --name phone --store phone --key data/snip/keys/*.key 2> err
      echo $? > status
      mount -o remount,size=40m small
      snip sync --store phone
      echo $? >> status
      snip list --json --store phone > received
      """
    )

    #expect(try text("status") == "74\n0\n")
    #expect(try text("err").contains("the temporary folder cannot be written"))
    #expect(try text("received").split(separator: "\n").count == 7)
  }
}
