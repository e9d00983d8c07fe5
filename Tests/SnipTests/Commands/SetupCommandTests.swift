import Foundation
import SnippetTestSupport
import TerminalKit
import Testing

@testable import snip

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct SetupCommandTests {
  let snip: SnipTool

  init() throws {
    snip = try SnipTool.inProcess()
  }

  private static let files = [
    "man/man1/snip.1", "bash-completion/completions/snip", "zsh/site-functions/_snip",
    "fish/vendor_completions.d/snip.fish",
  ]

  private func outcomes(_ output: SnipOutput, in share: String) throws -> [String: String] {
    var outcomes: [String: String] = [:]
    for line in try output.json() {
      let file = try #require(line["file"]?.string)
      #expect(file.hasPrefix(share), "\(file)")
      outcomes[String(file.dropFirst(share.count + 1))] = line["outcome"]?.string
    }
    return outcomes
  }

  @Test(
    arguments: [
      ([:], [], "home/.local/share"), (["XDG_DATA_HOME": "/data"], [], "/data"),
      ([:], ["--prefix", "usr"], "usr/share"),
    ] as [([String: String], [String], String)]
  )
  func `all is written where man and the shells look, and stays`(
    variables: [String: String],
    options: [String],
    place: String
  ) async throws {
    let folder = TemporaryDirectory.current.url.path
    let share = place.hasPrefix("/") ? folder + place : "\(folder)/\(place)"
    let snip = snip.with(variables.mapValues { folder + $0 })

    let first = try await snip.run(["setup", "--json"] + options)
    let again = try await snip.run(["setup", "--json"] + options)

    #expect(first.status == 0)
    #expect(
      try outcomes(first, in: share)
        == .init(uniqueKeysWithValues: Self.files.map { ($0, "written") })
    )
    #expect(
      try outcomes(again, in: share)
        == .init(uniqueKeysWithValues: Self.files.map { ($0, "unchanged") })
    )
    for file in Self.files {
      let text = try String(contentsOfFile: "\(share)/\(file)", encoding: .utf8)
      #expect(text.contains("undelete") && text.hasSuffix("\n"), "\(file)")
    }
    #expect(!FileManager.default.fileExists(atPath: snip.store.path))
  }

  @Test func `an older file is brought up to date, and a single shell is served alone`()
    async throws
  {
    let old = Data("# undelete, salvage".utf8)
    try snip.write(old, "usr/share/fish/vendor_completions.d/snip.fish")

    let output = try await snip("setup", "--prefix", "usr", "--shell", "fish")

    let share = TemporaryDirectory.file("usr/share").path
    #expect(
      output.text
        == "written  \(share)/man/man1/snip.1\nwritten  \(share)/fish/vendor_completions.d/snip.fish\n"
    )
    #expect(!FileManager.default.fileExists(atPath: "\(share)/zsh"))
  }

  @Test func `it removes what it has installed, and nothing else`() async throws {
    try snip.write(Data("other".utf8), "usr/share/zsh/site-functions/_other")
    _ = try await snip("setup", "--prefix", "usr")

    let removed = try await snip("setup", "--prefix", "usr", "--remove", "--json")
    let again = try await snip("setup", "--prefix", "usr", "--remove", "--json")

    let share = TemporaryDirectory.file("usr/share").path
    #expect(try outcomes(removed, in: share).values.allSatisfy { $0 == "removed" })
    #expect(try outcomes(again, in: share).values.allSatisfy { $0 == "missing" })
    #expect(FileManager.default.fileExists(atPath: "\(share)/zsh/site-functions/_other"))
  }

  @Test func `a file of another program stays, and a message says so`() async throws {
    let name = "usr/share/man/man1/snip.1"
    let other = Data(".TH SNIP 1 \"cut pictures from the screen\"".utf8)
    try snip.write(other, name)
    let path = TemporaryDirectory.file(name).path

    let written = try await snip("setup", "--prefix", "usr")
    let removed = try await snip("setup", "--prefix", "usr", "--remove")

    let expected = """
      snip: could not write \(path): a file of another program is in the way
      hint: Move away what has that name.

      """
    #expect(written.status == 73 && written.standardError.hasSuffix(expected), "\(written)")
    #expect(written.lines.first == "foreign  \(path)" && written.lines.count == 4, "\(written)")
    #expect(removed.status == 0, "\(removed)")
    #expect(removed.standardError == "\(path) is a file of another program, and stays.\n")
    #expect(try Data(contentsOf: TemporaryDirectory.file(name)) == other)
    let files = try FileManager.default.contentsOfDirectory(
      atPath: TemporaryDirectory.file("usr/share/zsh/site-functions").path
    )
    #expect(files.isEmpty)
  }

  @Test func `a folder that cannot be made is told`() async throws {
    try snip.write(Data("a file".utf8), "usr")

    let output = try await snip("setup", "--prefix", "usr")

    #expect(
      output.status == 73 && output.standardError.hasPrefix("snip: could not write /"),
      "\(output)"
    )
    #expect(try await snip.with(["HOME": nil])("setup").status == 73)
  }

  @Test(
    .enabled(if: StoreOpeningTests.canBeWithoutPower),
    arguments: ["", "--remove"]
  )
  func `a file that cannot be read is not taken for another program's`(option: String)
    async throws
  {
    _ = try await snip("setup", "--prefix", "usr")
    let path = TemporaryDirectory.file("usr/share/man/man1/snip.1").path

    let output = try await snip.shell(
      "chmod 0 \(path) && \(StoreOpeningTests.withoutPower) snip setup --prefix usr \(option)"
    )

    #expect(
      output
        == SnipOutput(
          error: """
            snip: could not read \(path): Permission denied
            hint: Check its permissions. A file of another program stays as it is.

            """,
          status: 73
        )
    )
  }

  // A pipe would be waited for.
  @Test(arguments: [
    ("mkdir", "a folder"), ("ln -s away", "a broken link"), ("mkfifo", "a special file"),
  ])
  func `what is in the place of a file stays, and all others are written`(
    command: String,
    thing: String
  ) async throws {
    let name = "usr/share/man/man1/snip.1"
    let path = TemporaryDirectory.file(name).path
    _ = try await snip.shell("mkdir -p usr/share/man/man1 && \(command) \(name)")

    let written = try await snip("setup", "--prefix", "usr")
    let removed = try await snip("setup", "--prefix", "usr", "--remove")

    let expected = """
      snip: could not write \(path): \(thing) is in the way
      hint: Move away what has that name.

      """
    #expect(written.status == 73 && written.standardError.hasSuffix(expected), "\(written)")
    #expect(removed.status == 0, "\(removed)")
    #expect(removed.standardError == "\(path) is \(thing), and stays.\n")
    for (output, outcome) in [(written, "written"), (removed, "removed")] {
      #expect(output.lines.count == 4 && output.lines[0] == "foreign  \(path)", "\(output)")
      #expect(output.lines.dropFirst().allSatisfy { $0.hasPrefix("\(outcome)  ") }, "\(output)")
    }
    let names = try await snip.shell("ls -A usr/share/man/man1")
    #expect(names.text == "snip.1\n")
  }

  @Test func `all that is in the way is named at once`() async throws {
    _ = try await snip.shell(
      "mkdir -p usr/share/man/man1/snip.1 usr/share/zsh/site-functions/_snip"
    )

    let output = try await snip("setup", "--prefix", "usr")

    let share = TemporaryDirectory.file("usr/share").path
    let expected = """
      snip: could not write \(share)/man/man1/snip.1: a folder is in the way; \
      \(share)/zsh/site-functions/_snip: a folder is in the way
      hint: Move away what has those names.

      """
    #expect(output.status == 73 && output.standardError.hasSuffix(expected), "\(output)")
  }

  @Test(arguments: ["", "/below"])
  func `no folder takes the place of a log of a store`(below: String) async throws {
    #expect(try await snip("add", "--text", "Milk").status == 0)
    let place = snip.store.path + "-wal" + below
    try? FileManager.default.removeItem(atPath: snip.store.path + "-wal")

    let own = try await snip.with(["XDG_DATA_HOME": place])("setup")
    let all = try await snip("setup", "--prefix", place)

    for output in [own, all] {
      #expect(output.status == 65, "\(output)")
      #expect(output.standardError.contains("belongs to the store"), "\(output)")
    }
    #expect(!FileManager.default.fileExists(atPath: snip.store.path + "-wal"))
    #expect(try await snip("list").status == 0)
  }

  @Test func `the completions are ones that the shells take`() async throws {
    _ = try await snip("setup", "--prefix", "usr")

    let output = try await snip.shell(
      """
      bash -c '. usr/share/bash-completion/completions/snip && complete -p snip' &&
        bash -n usr/share/bash-completion/completions/snip
      """
    )

    #expect(output.status == 0 && output.text.contains("snip\n"), "\(output)")
  }

  /// What bash offers for the last word of a line.
  private func completions(of line: String) async throws -> String {
    _ = try await snip("setup", "--prefix", "usr")
    let script = #"""
      . usr/share/bash-completion/completions/snip
      COMP_LINE=\#(ShellWord(line)); COMP_POINT=${#COMP_LINE}
      _snip_as_typed snip '' ''
      printf '%s\n' "${COMPREPLY[@]}"
      """#
    try snip.write(Data(script.utf8), "complete.bash")
    let output = try await snip.shell("bash complete.bash")
    #expect(output.standardError.isEmpty, "\(output)")
    return output.text
  }

  @Test(arguments: [
    ("snip list --tag fa", "family\\ photo\nfar/away\n"),
    ("snip list --tag far/a", "far/away\n"), ("snip list --tag=fam", "family\\ photo\n"),
    ("snip list --tag family\\ p", "family\\ photo\n"),
    ("snip list --tag \"family p", "family photo\n"),
    ("snip list --tag 'family p", "family photo\n"),
    ("snip list --tag 'it", "it'\\''s\n"), ("snip list --tag \"it", "it's\n"),
    ("snip list --tag \"say", "say \\\"so\\\"\n"), ("snip list --tag \"far\"/", "far/away\n"),
    ("snip tag 1 --add 'a b' --remove k=", "v\n"), ("snip tag 1 size:", "12\n"),
    ("snip tag 1 \"size:", "size:12\n"), ("snip tag 1 --add \"", "\n"),
  ])
  func `the completions know the tags, as far and in the quotes that they were typed in`(
    line: String,
    offered: String
  ) async throws {
    var tags = ["family photo", "far/away", "it's", "say \"so\"", "k=v", "size:12"]
    // History would replace it, whatever the quotes.
    if line.hasSuffix(" \"") { tags = ["wow!"] }
    _ = try await snip.run(["add", "--text", "x"] + tags.flatMap { ["--tag", $0] })

    #expect(try await completions(of: line) == offered)
  }

  @Test(arguments: ["snip search ki", "snip rm --query ki", "snip list ki", "snip list tag:a ki"])
  func `the completions know the conditions of a query`(line: String) async throws {
    #expect(try await completions(of: line) == "kind:text\nkind:image\nkind:voice\n")
  }

  @Test(arguments: [
    ("snip search tag:", "home\nwork/berlin\n\\\"two\\ words\\\"\n"),
    ("snip list tag:ho", "home\n"),
    ("snip search kind:i", "image\n"), ("snip rm --query tag:wo", "work/berlin\n"),
    ("snip search tag:tw", "\\\"two\\ words\\\"\n"),
    ("snip search 'tag:tw", "tag:\"two words\"\n"),
    ("snip search milk tag:home in:t", "title\ntags\ntext\n"), ("snip search tag:none", "\n"),
  ])
  func `the completions know the values behind a colon, of which tags are some`(
    line: String,
    values: String
  ) async throws {
    _ = try await snip(
      "add",
      "--text",
      "x",
      "--tag",
      "home",
      "--tag",
      "work/berlin",
      "--tag",
      "two words"
    )

    let found = try await completions(of: line)

    #expect(found.split(separator: "\n").sorted() == values.split(separator: "\n").sorted())
  }

  @Test(arguments: ["", "'", "\""], ["snip list --tag ", "snip search tag:", "snip tag 1 "])
  func `no completion runs what is written in a tag, then or later`(
    quote: String,
    line: String
  ) async throws {
    _ = try await snip("add", "--text", "x", "--tag", "$(touch run)", "--tag", "`touch run`")

    let found = try await completions(of: line + quote)
    for word in found.split(separator: "\n") where word.contains("touch") {
      try snip.write(Data("printf '%s\\n' \(quote)\(word)\(quote)".utf8), "later.bash")
      #expect(try await snip.shell("bash later.bash").text.contains("touch run"), "\(word)")
    }

    #expect(found.contains("touch"), "\(found)")
    #expect(!FileManager.default.fileExists(atPath: TemporaryDirectory.file("run").path))
  }

  @Test func `no word for zsh has a description, and all keep their signs`() async throws {
    _ = try await snip("add", "--text", "x", "--tag", "a:b", "--tag", "back\\slash")
    let snip = snip.with(["SAP_SHELL": "zsh"])

    let tags = try await snip("tag", "--for-completion", "tags").text
    let conditions = try await snip("tag", "--for-completion", "conditions").text

    #expect(tags == "a\\:b\nback\\\\slash\n")
    #expect(
      conditions.hasPrefix("after\\:\n")
        && conditions.hasSuffix("\ntag\\:a\\:b\ntag\\:back\\\\slash\n"),
      "\(conditions)"
    )
  }

  @Test func `the manual has every command and option, and man takes it without a warning`()
    async throws
  {
    let page = ManualPage(of: Snip.configuration).text
    let help = try await snip("show", "--help")

    #expect(page.contains(".SS \"snip show <id> [options]\"\n"))
    #expect(page.contains(".B \\-\\-no\\-pager\n") && help.text.contains("--no-pager"))
    #expect(!page.contains("decode\\-media") && !page.contains("random\\-edits"))
    #expect(page.contains("CLICOLOR_FORCE") && page.contains("SNIP_STORE"))
    // Common options are told once.
    #expect(page.components(separatedBy: ".B \\-\\-store <file>\n").count == 2)
    try snip.write(Data(page.utf8), "snip.1")
    let output = try await snip.shell("groff -k -man -ww -Tutf8 snip.1 2>&1 >/dev/null")
    #expect(output.bytes.isEmpty, "\(output)")
  }
}
