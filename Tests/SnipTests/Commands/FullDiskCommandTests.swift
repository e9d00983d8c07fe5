import Foundation
import SnippetTestSupport
import Testing

/// What is done in several steps, on a disk that is full before the last.
@Suite(
  .temporaryDirectory,
  .seeded,
  .timeLimit(.minutes(30)),
  .enabled(if: ExitStatusTests.canMount)
)
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
        hint: Free some space. The saved bytes are still there: `snip capture --recover` \
        makes a snippet of them.

        """
    )
    #expect(try await snip("capture", "--recover", "--store", "store") == SnipOutput("1\n"))
    let bytes = try await snip("cat", "1", "--store", "store").bytes
    #expect(bytes.count > 262_144 && bytes == Samples.bytes(6_000_000).prefix(bytes.count))
  }

  // What is left of a new store would be taken for one of an older version.
  @Test func `a store that does not fit leaves nothing`() async throws {
    let output = try await snip.shell(
      """
      mkdir small && unshare -m sh -c '
      for size in $(seq 4 24 400); do
        mount -t tmpfs -o size=${size}k none small || exit 99
        snip add --text "Milk and eggs" --store small/store 2> err
        echo "$? $(ls small | tr "\\n" " ")" >> told
        umount small
      done'
      """
    )

    #expect(output.status == 0, "\(output)")
    #expect(try text("told") == String(repeating: "74 \n", count: 17))
  }

  @Test func `a store on a disk without a byte left leaves nothing`() async throws {
    let output = try await snip.shell(
      """
      mkdir small && unshare -m sh -c '
      mount -t tmpfs -o size=400k none small || exit 99
      dd if=/dev/zero of=small/others bs=1k 2> /dev/null
      snip add --text "Milk and eggs" --store small/store 2> err
      echo "$? $(ls small)" > told
      '
      """
    )

    #expect(output.status == 0, "\(output)")
    #expect(try text("told") == "74 others\n")
  }

  // A store needs two more files beside it while something is written.
  @Test(arguments: [2, 3])
  func `a disk without room for another file is told as a full one`(fileCount: Int) async throws {
    let output = try await snip.shell(
      """
      snip add --text "Milk and eggs" --store store
      mkdir small && unshare -m sh -c '
      mount -t tmpfs -o size=4m,nr_inodes=\(fileCount) none small || exit 99
      cp store small/store
      snip list --json --store small/store > list
      echo $? > status
      snip add --text Bread --store small/store 2> err
      echo $? >> status
      '
      """
    )

    #expect(output.status == 0, "\(output)")
    #expect(try text("status") == "0\n74\n")
    #expect(try text("list").split(separator: "\n").count == 1)
    let told = try text("err")
    #expect(
      told.hasSuffix(
        ": the disk is full\nhint: Nothing was changed. Free some space and try again.\n"
      ),
      "\(told)"
    )
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
        snip: could not purge the trash: there is no room to rewrite the file
        hint: The snippets are deleted, but traces are left. Free twice the size of the file and \
        purge again; or purge without rewriting the file.

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
        hint: Files reported as imported are kept. Free some space and try again.

        """
    )
  }

  @Test func `a disk without a byte left is read, searched and deleted from`() async throws {
    try snip.write(sound(2_000_000, 1), "voices/1.wav")

    let output = try await snip.shell(
      """
      mkdir small && unshare -m sh -c '
      mount -t tmpfs -o size=80m none small || exit 99
      snip add --text "Milk and eggs" --store small/store
      snip import voices --store small/store
      dd if=/dev/zero of=small/others bs=1k 2> /dev/null
      df --output=avail small | tail -n 1
      for command in "list" "cat 1" "search eggs" "check" "add --text no" "rm 1" "undelete 1" \
        "rm 2 --permanently" "rm 1" "purge --quick" "gc" "add --text yes" "check"
      do
        snip $command --store small/store > out 2> err
        echo "$command: $?"
      done
      df --output=avail small | tail -n 1
      ls small'
      """
    )

    #expect(output.status == 0, "\(output)")
    let lines = output.lines.map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(
      lines[2...15] == [
        "0", "list: 0", "cat 1: 0", "search eggs: 0", "check: 0", "add --text no: 74", "rm 1: 0",
        "undelete 1: 0", "rm 2 --permanently: 0", "rm 1: 0", "purge --quick: 0", "gc: 0",
        "add --text yes: 0", "check: 0",
      ],
      "\(output)"
    )
    #expect(try #require(Int(lines[16])) > 1000)
    #expect(lines.contains("store-reserve"))
  }

  /// With `SNIP_LONG_TESTS` set: at each 4 KiB of room up to a mebibyte; otherwise at one of them,
  /// which the seed draws.
  @Test func `with whatever room is left nothing breaks, and what makes room works`() async throws {
    var generator = SeededGenerator()
    let steps = Array(0..<256).share(1, using: &generator)
    try snip.write(sound(300_000, 1), "voices/1.wav")

    let output = try await snip.shell(
      """
      mkdir small && unshare -m sh -c '
      mount -t tmpfs -o size=24m none small || exit 99
      snip add --text "Milk and eggs" --store small/store > /dev/null
      snip import voices --store small/store > /dev/null
      cp small/store* .
      for step in \(steps.map(String.init).joined(separator: " ")); do
        cp store store-reserve small/
        available=$(df --output=avail small | tail -n 1)
        dd if=/dev/zero of=small/others bs=1k count=$((available - 4 * step)) 2> /dev/null
        told="$step:"
        for command in "list" "search eggs" "cat 2" "add --text no" "import voices/1.wav" \
          "rm 1" "rm 2 --permanently" "purge --quick" "gc" "check"
        do
          snip $command --store small/store > /dev/null 2> err
          told="$told $?"
        done
        echo "$told $(ls small | tr "\\n" " ")"
        rm small/*
      done'
      """
    )

    #expect(output.status == 0, "\(output)")
    #expect(output.lines.count == steps.count)
    for line in output.lines {
      let told = line.split(separator: " ")
      #expect(told[1...3] == ["0", "0", "0"] && told[6...10].allSatisfy { $0 == "0" }, "\(line)")
      #expect(["0", "74"].contains(told[4]) && ["0", "74"].contains(told[5]), "\(line)")
    }
  }

  @Test func `a full disk without a reserve is read and searched, and says what to do`()
    async throws
  {
    let output = try await snip.shell(
      """
      mkdir small && snip add --text "Milk and eggs" --store store && unshare -m sh -c '
      mount -t tmpfs -o size=1m none small || exit 99
      cp store small/store
      dd if=/dev/zero of=small/others bs=1k 2> /dev/null
      snip list --store small/store && snip cat 1 --store small/store &&
      snip search milk --store small/store && snip check --store small/store
      echo $? > status
      snip rm 1 --store small/store 2> err
      echo $? >> status
      rm small/others
      snip rm 1 --store small/store
      echo $? >> status'
      """
    )

    #expect(output.text.contains("sound: 1 snippet,"), "\(output)")
    #expect(try text("status") == "0\n74\n0\n")
    #expect(try text("err").contains("the disk is full\nhint: "))
  }

  // SQLite maps pages of which it has only allocated the last block.
  @Test(.enabled(if: canMountImage))
  func `a disk of small blocks is told as full, whatever room is left`() async throws {
    let output = try await snip.shell(
      """
      mkdir small && snip add --text "Milk and eggs" --store store && truncate -s 24m image &&
      mkfs.ext4 -q -b 1024 -m 0 image && unshare -m sh -c '
      mount -o loop image small || exit 99
      for room in $(seq 4 16); do
        cp store small/
        available=$(df --output=avail small | tail -n 1)
        dd if=/dev/zero of=small/others bs=1k count=$((available - room)) 2> /dev/null
        for command in "list" "add --text no"; do
          snip $command --store small/store > /dev/null 2> err
          echo $?
        done
        rm -f small/store* small/others
      done'
      """
    )

    #expect(output.status == 0, "\(output)")
    #expect(output.lines == ["1"] + (0..<13).flatMap { _ in ["0", "74"] })
  }

  @Test func `a new store needs no room for temporary files, and what does names their folder`()
    async throws
  {
    try snip.write(Data(repeating: UInt8(ascii: "a"), count: 3_000_000), "big")
    let output = try await snip.shell(
      """
      mkdir small other && unshare -m sh -c '
      mount -t tmpfs -o size=64k none small || exit 99
      mount -t tmpfs -o size=2m none other || exit 99
      dd if=/dev/zero of=small/others bs=1k 2> /dev/null
      export TMPDIR=$PWD/small
      snip add --text Milk --store store
      snip add --text Milk --store other/store
      snip add big --store other/store 2> err
      echo $?
      '
      """
    )

    #expect(output.text == "1\n1\n74\n", "\(output)")
    let told = try text("err")
    #expect(told.contains("hint: Nothing was changed. Free some space, also in /"), "\(told)")
    #expect(told.hasSuffix("/small for temporary files, and try again.\n"), "\(told)")
  }

  @Test func `a disk with room keeps no reserve, and lets one go`() async throws {
    let output = try await snip.shell(
      """
      mkdir small && unshare -m sh -c '
      mount -t tmpfs -o size=80m none small || exit 99
      snip add --text "Milk and eggs" --store small/store && ls small
      cp small/store-reserve .
      '
      snip add --text "Milk and eggs" --store store && ls store*
      """
    )

    #expect(output == SnipOutput("1\nstore\nstore-reserve\n1\nstore\n"))
  }

  @Test func `what only has the name of a reserve is left alone`() async throws {
    let output = try await snip.shell(
      """
      mkdir small && snip add --text "Milk and eggs" --store store
      snip backup copy --store store && mv copy store-reserve && unshare -m sh -c '
      mount -t tmpfs -o size=80m none small || exit 99
      cp store* small
      for store in store small/store; do
        snip add --text more --store $store && snip rm 2 --store $store
        snip list --store $store-reserve --json | wc -l
      done
      '
      """
    )

    #expect(output.status == 0, "\(output)")
    #expect(output.lines.filter { $0.trimmingCharacters(in: .whitespaces) == "1" }.count == 3)
    #expect(try await Shell.sha256(TemporaryDirectory.file("store-reserve")).count == 64)
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

  /// Whether an image of a disk can be mounted, for which there must be a loop device.
  static let canMountImage: Bool = {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "sh", "-c",
      """
      image=$(mktemp) && truncate -s 1m "$image" && mkfs.ext4 -q "$image" &&
      unshare -m mount -o loop "$image" /mnt
      status=$?; rm -f "$image"; exit $status
      """,
    ]
    process.standardError = FileHandle.nullDevice
    guard (try? process.runAlone()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }()

  private func sound(_ frameCount: Int, _ seed: UInt64) -> Data {
    Samples.wav(frameCount: frameCount).prefix(44) + Samples.bytes(frameCount, seed: seed)
  }

  private func text(_ name: String) throws -> String {
    try String(contentsOf: TemporaryDirectory.file(name), encoding: .utf8)
  }
}
