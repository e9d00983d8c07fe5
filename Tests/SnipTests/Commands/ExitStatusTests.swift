import Foundation
import SnippetTestSupport
import Testing

/// How the program ends, in which situation, and what it says then.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct ExitStatusTests {
  let snip: SnipTool

  init() async throws {
    snip = try SnipTool.inProcess()
    try await SampleLibrary.make()
    try snip.write(Data("just a text".utf8), "text")
    try snip.write(Data("%PDF-1".utf8), "paper.pdf")
  }

  /// A line of shell, the status, and how standard error begins.
  private static let situations: [(line: String, status: Int32, error: String)] = [
    ("snip list --json --limit 1", 0, ""),
    ("snip search nothing-like-it", 0, "Nothing found.\n"),
    ("snip --help", 0, ""),
    ("snip help cat", 0, ""),
    ("snip --version", 0, ""),
    ("snip", 0, ""),

    ("snip import missing paper.pdf text", 1, "snip: could not import a file: /"),

    ("snip show 99", 2, "snip: there is no snippet 99\nhint: "),
    ("snip cat 99", 2, "snip: there is no snippet 99\nhint: "),
    ("snip edit 99 --pin", 2, "snip: could not change snippet 99: there is no snippet 99\nhint: "),
    ("snip tag 99 x", 2, "snip: could not change snippet 99: there is no snippet 99\nhint: "),
    ("snip tag 99", 2, "snip: there is no snippet 99\nhint: "),
    ("snip rm 99", 2, "snip: there is no snippet 99\nhint: "),

    ("snip bogus", 64, "snip: there is no command ‘bogus’\nhint: "),
    ("snip list --bogus", 64, "snip: "),
    ("snip list extra", 64, "snip: could not list by words: "),
    (
      "snip list size:x", 64,
      "snip: could not read the query: “x” is not a size\n  size:x\n       ^\n"
    ),
    ("snip list --since x", 64, "snip: "),
    ("snip list --since 2024 --until 2023", 64, "snip: "),
    ("snip list --kind video", 64, "snip: "),
    ("snip list --tag ''", 64, "snip: --tag is empty"),
    ("snip export out --tag ' '", 64, "snip: --tag is empty"),
    ("snip list --order width", 64, "snip: "),
    ("snip list --limit -1", 64, "snip: ‘-1’ is not a value for --limit"),
    ("snip list --limit=-1", 64, "snip: "),
    ("snip list --from=-1", 64, "snip: "),
    ("snip list --from 1e9", 64, "snip: "),
    ("snip list --store ''", 64, "snip: could not choose a store: --store is empty\nhint: "),
    ("snip list --busy-timeout=-1", 64, "snip: "),
    ("snip list --busy-timeout nan", 64, "snip: "),
    ("snip show", 64, "snip: "),
    ("snip show 0", 64, "snip: "),
    ("snip show 99999999999999999999", 64, "snip: "),
    ("snip cat 1 --range 3-1", 64, "snip: "),
    ("snip search", 64, "snip: "),
    ("snip search x --limit=-1", 64, "snip: "),
    ("snip search '\"open'", 64, "snip: could not read the query: the quote is not closed\n"),
    ("snip browse --dump knd:image", 64, "snip: could not read the query: "),
    ("snip add </dev/null", 64, "snip: there is nothing to add\nhint: "),
    ("snip add --text x --stdin", 64, "snip: "),
    ("snip add x --text x", 64, "snip: "),
    ("snip add - -", 64, "snip: "),
    ("snip add text paper.pdf --title x", 64, "snip: --title is for one snippet\nhint: "),
    ("snip add text paper.pdf --note x", 64, "snip: --note is for one snippet\nhint: "),
    ("snip add text more", 64, "snip: could not tell a text from files: ‘text’ is there"),
    (
      "snip add missing.png", 65, "snip: could not add ‘missing.png’: there is no such file\nhint: "
    ),
    ("snip add .", 65, "snip: could not add ‘.’: it is a folder\nhint: "),
    ("snip tag 1 99 x", 2, "snip: there is no snippet 99\nhint: Nothing was changed. "),
    ("snip tag 1 99999999999999999999", 64, "snip: "),
    ("snip setup --prefix ''", 64, "snip: "),
    // Read as text, they would name another file.
    (
      #"snip add --text x --store "$(printf 'caf\351.sqlite')""#, 64,
      "snip: the argument ‘caf\u{FFFD}.sqlite’ is not UTF-8\nhint: "
    ),
    (
      #"SNIP_STORE="$(printf 'caf\351.sqlite')" snip list"#, 64,
      "snip: the variable SNIP_STORE ‘caf\u{FFFD}.sqlite’ is not UTF-8\nhint: "
    ),
    ("snip import", 64, "snip: "),
    ("snip backup", 64, "snip: "),
    ("snip backup ''", 64, "snip: the path is empty\nhint: "),
    ("snip sync join ''", 64, "snip: the place is empty\nhint: "),
    ("snip scroll --seed wild", 64, "snip: "),
    ("snip browse", 64, "snip: browse needs a terminal that it can draw on\nhint: `snip list` "),
    ("snip browse --dump --size 0x5", 64, "snip: "),
    ("snip browse --size 80x24", 64, "snip: "),
    ("snip browse --dump --cache-mb -1", 64, "snip: ‘-1’ is not a value for --cache-mb"),
    ("snip scroll --rows 0", 64, "snip: "),
    ("snip scroll --viewport 0", 64, "snip: "),
    ("snip scroll --seed=-1", 64, "snip: "),
    ("snip scroll --cache-mb=-1", 64, "snip: "),
    ("snip import . --progress loud", 64, "snip: "),

    (
      "printf 'j\njj' | snip browse --script -", 65,
      "snip: line 2 of the script is not a step: jj\nhint: "
    ),
    (
      "snip browse --script missing", 65,
      "snip: could not read missing: No such file or directory\n"
    ),
    ("snip browse --script .", 65, "snip: could not read .: "),
    ("printf ctrl-c | snip browse --script -", 130, "snip: interrupted"),
    ("snip add --image text", 65, "snip: could not save a snippet: the bytes are text/plain"),
    ("snip add --stdin < paper.pdf", 65, "snip: could not save a snippet: "),
    ("snip add --image missing.png", 65, "snip: could not save a snippet: /"),
    ("snip edit 2 --text x", 65, "snip: could not change snippet 2: it is of kind image"),
    ("snip edit 1 --stdin < store.sqlite", 65, "snip: could not read the text from standard input"),
    ("snip tag 1 a,b", 65, "snip: could not change snippet 1: "),
    ("snip cat 1 --range 99-", 65, "snip: could not read from byte 99: "),
    ("snip backup store.sqlite --force", 65, "snip: could not back up to /"),
    ("snip restore store.sqlite", 65, "snip: could not restore /"),

    ("snip list --store missing/s", 66, "snip: could not open the store /"),
    ("snip check --store missing", 66, "snip: could not open the store /"),
    ("snip list --store text", 66, "snip: could not open the store /"),
    ("snip restore missing", 66, "snip: could not restore /"),
    ("snip restore text", 66, "snip: could not restore /"),

    ("snip add --text x --store missing/s", 73, "snip: could not open the store /"),
    ("snip backup missing/b", 73, "snip: could not back up to /"),
    ("snip backup text", 73, "snip: could not back up to text: it exists\nhint: "),
    (
      "snip backup /missing/copy", 73,
      "snip: could not back up to /missing/copy: No such file or directory\nhint: "
    ),
    ("snip backup /", 73, "snip: could not back up to /: it is a folder\nhint: Add the name of"),
    ("snip cat 1 -o missing/x", 73, "snip: could not write /"),

    ("snip list > /dev/full", 74, "snip: could not write to standard output: No space left"),
    ("snip cat 1 > /dev/full", 74, "snip: could not write to standard output: No space left"),
    ("snip cat 3 > /dev/full", 74, "snip: could not write to standard output: No space left"),
    ("snip info --json > /dev/full", 74, "snip: could not write to standard output: No space left"),
    ("snip help > /dev/full", 74, "snip: could not write to standard output: No space left"),
    ("snip help rm > /dev/full", 74, "snip: could not write to standard output: No space left"),
    ("snip > /dev/full", 74, "snip: could not write to standard output: No space left"),
    ("snip rm --help > /dev/full", 74, "snip: could not write to standard output: No space left"),
    ("snip --version > /dev/full", 74, "snip: could not write to standard output: No space left"),
    ("snip list >&-", 74, "snip: could not write to standard output: "),
  ]

  // No line but the import changes anything, so those of one status share a store.
  @Test(arguments: Set(situations.map(\.status)).sorted())
  func `every situation has its status and its words`(status: Int32) async throws {
    for situation in Self.situations where situation.status == status {
      let (line, error) = (situation.line, situation.error)

      let output = try await snip.shell(line)

      #expect(output.status == status, "\(line): \(output)")
      #expect(output.standardError.hasPrefix(error), "\(line): \(output)")
      if error.isEmpty {
        #expect(output.standardError.isEmpty && !output.bytes.isEmpty, "\(line): \(output)")
      } else if status > 1 {
        #expect(output.bytes.isEmpty, "\(line): \(output)")
      }
    }
  }

  @Test func `what is in the trash can be looked at, and not changed`() async throws {
    #expect(try await snip("rm", "1").status == 0)

    for line in ["show 1", "cat 1", "tag 1", "show 1 --json"] {
      #expect(try await snip.shell("snip \(line)").status == 0, "\(line)")
    }
    for line in ["edit 1 --pin", "tag 1 x", "rm 1"] {
      #expect(try await snip.shell("snip \(line)").status == 2, "\(line)")
    }
  }

  @Test func `a reader that leaves ends the program without a word`() async throws {
    try FileManager.default.removeItem(at: snip.store)
    try await SampleLibrary.make(textCount: 2000)

    let output = try await snip.shell(
      "{ snip list --json --limit 0; echo $? > status; } | head -n 1 | wc -l"
    )

    #expect(output == SnipOutput("1\n"))
    #expect(try String(contentsOf: TemporaryDirectory.file("status"), encoding: .utf8) == "141\n")
  }

  // MARK: - A full disk

  /// Whether a file system of a chosen size can be made, which only root can.
  static let canMount: Bool = {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["unshare", "-m", "mount", "-t", "tmpfs", "none", "/mnt"]
    process.standardError = FileHandle.nullDevice
    // Where there is no such command there is no such test.
    guard (try? process.runAlone()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }()

  @Test(.enabled(if: canMount))
  func `a full disk is reported, and what was there stays sound`() async throws {
    try snip.write(Samples.bytes(3_000_000).base64EncodedData(), "big")
    let output = try await snip.shell(
      """
      mkdir small && unshare -m sh -c '
      mount -t tmpfs -o size=2m none small || exit 99
      tell() { "$@" >> out 2>> err; echo "$1 $2 $?" >> statuses; }
      tell snip add --text kept --store small/store
      tell snip import big --store small/store
      tell snip check --store small/store
      tell snip list --store small/store
      snip add --stdin --store other < big
      tell snip cat 1 --store other -o small/full
      tell snip backup small/more --store other
      ls small > left
      '
      """
    )

    #expect(output.status == 0, "\(output)")
    let statuses = try String(contentsOf: TemporaryDirectory.file("statuses"), encoding: .utf8)
    #expect(
      statuses == """
        snip add 0
        snip import 74
        snip check 0
        snip list 0
        snip cat 74
        snip backup 74

        """
    )
    let errors = try String(contentsOf: TemporaryDirectory.file("err"), encoding: .utf8)
    #expect(errors.contains("the disk is full"), "\(errors)")
    let left = try String(contentsOf: TemporaryDirectory.file("left"), encoding: .utf8)
    #expect(!left.contains("partial"), "\(left)")
  }
}
