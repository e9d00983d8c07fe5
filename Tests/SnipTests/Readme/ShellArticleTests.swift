import Foundation
import SnippetTestSupport
import Testing

/// The recipes of the article on the shell, as somebody would copy them.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct ShellArticleTests {
  let snip: SnipTool
  private let article = Article()

  init() async throws {
    snip = try SnipTool()
    try await SampleLibrary.make()
    // Chooses the first that it is offered, and does what the real one would with its options.
    try FileManager.default.createDirectory(
      at: TemporaryDirectory.file("bin"),
      withIntermediateDirectories: true
    )
    try await Shell.writeScript(
      #"""
      printf '%s\n' "$@" > "$HOME/fzf-options"
      while [ $# -gt 0 ]; do
        case $1 in
          --preview) preview=$2 ;;
          --bind) reload=${2#*reload:} ;;
          --query) query=$2 ;;
        esac
        shift
      done
      if [ -n "$reload" ]; then
        rows=$(sh -c "$(printf %s "$reload" | sed "s/{q}/'$query'/")")
      else
        rows=$(cat)
      fi
      [ -n "$rows" ] || exit 1
      row=$(printf '%s\n' "$rows" | sed -n 2p)
      id=$(printf %s "$row" | awk '{ print $1 }')
      sh -c "$(printf %s "$preview" | sed "s/{1}/$id/")" > "$HOME/preview" || exit 9
      printf '%s\n' "$row"
      """#,
      to: TemporaryDirectory.file("bin/fzf")
    )
  }

  private func shell(_ line: String) async throws -> SnipOutput {
    try await snip.shell("PATH=$PWD/bin:$PATH\n\(line)")
  }

  @Test func `snippets are chosen with fzf`() async throws {
    let blocks = try article.blocks(of: "sh")
    let functions = blocks.filter { $0.contains("() {") }
    #expect(functions.count == 2)
    // Hyphens in the names of functions are for the shells that people type into.
    let sources = functions.joined().replacing("snip-pick", with: "snip_pick")
      .replacing("snip-find", with: "snip_find")

    let picked = try await shell(sources + "snip_pick --kind image")
    let preview = try String(contentsOf: TemporaryDirectory.file("home/preview"), encoding: .utf8)
    let found = try await shell(sources + "snip_find milk")
    let nothing = try await shell(sources + "snip_find no-such-word")

    #expect(picked == SnipOutput("2\n"), "\(picked)")
    #expect(preview.contains("Harbour") && preview.contains("\u{1B}["), "\(preview)")
    #expect(found == SnipOutput("1\n"), "\(found)")
    #expect(nothing == SnipOutput(error: "Nothing found.\n"), "\(nothing)")
  }

  @Test func `what was chosen goes on through a pipe`() async throws {
    let blocks = try article.blocks(of: "sh")
    let function = try #require(blocks.first { $0.contains("snip-pick() {") })
    let uses = try #require(blocks.first { $0.contains("| xargs snip tag") })

    for use in uses.split(separator: "\n").reversed() {
      let line = (function + use + "\n").replacing("snip-pick", with: "snip_pick")
      let output = try await shell(line)
      #expect(output.status == 0, "\(use): \(output)")
    }

    #expect(try Data(contentsOf: TemporaryDirectory.file("chosen.png")) == SampleLibrary.picture)
    // The newest was moved to the trash, and the newest text of the others tagged then.
    #expect(
      try await snip("tag", "4") == SnipOutput("holiday\nhome\n".replacing("home", with: "Home"))
    )
    #expect(try await snip("list", "--trash", "--json").json("id") == [5])
  }

  @Test(arguments: ["wl-paste --watch", "while clipnotify"])
  func `a clipboard history has each text once`(beginning: String) async throws {
    let block = try #require(try article.blocks(of: "sh").first { $0.hasPrefix(beginning) })
    // Each tells three copies, of which the last equals the first.
    let texts = "n=$(cat \"$HOME/n\" 2>/dev/null); case $n in .) text=two ;; *) text=one ;; esac"
    try await Shell.writeScript(
      "shift; for text in one two one; do printf %s $text | \"$@\"; done",
      to: TemporaryDirectory.file("bin/wl-paste")
    )
    try await Shell.writeScript(
      "[ -e \"$HOME/n\" ] && printf . >>\"$HOME/n\" || : >\"$HOME/n\"; [ $(wc -c <\"$HOME/n\") -lt 3 ]",
      to: TemporaryDirectory.file("bin/clipnotify")
    )
    try await Shell.writeScript(
      texts + "; printf %s $text",
      to: TemporaryDirectory.file("bin/xclip")
    )

    let output = try await shell(block)

    #expect(output.text == "6\n7\n6\n", "\(output)")
    #expect(output.standardError == "Snippet 6 has this already, and is on top now.\n")
    let rows = try await snip("list", "--tag", "clipboard", "--json").json("title")
    #expect(rows == ["one", "two"])
  }

  @Test func `an older text of the clipboard is copied again`() async throws {
    _ = try await snip("add", "--text", "older", "--tag", "clipboard")
    let blocks = try article.blocks(of: "sh")
    let function = try #require(blocks.first { $0.contains("snip-pick() {") })
    let use = try #require(blocks.first { $0.contains("wl-copy") })
    try await Shell.writeScript("cat >copied", to: TemporaryDirectory.file("bin/wl-copy"))

    let output = try await shell((function + use).replacing("snip-pick", with: "snip_pick"))

    #expect(output.status == 0, "\(output)")
    #expect(try Data(contentsOf: TemporaryDirectory.file("copied")) == Data("older".utf8))
  }

  @Test func `the lines for cron do their work`() async throws {
    let lines = try article.blocks(of: "cron").joined().split(separator: "\n")
      .filter { !$0.hasPrefix("PATH=") }
    #expect(lines.count == 4)
    _ = try await snip("rm", "3")

    for line in lines {
      let fields = line.split(separator: " ", maxSplits: 5)
      #expect(fields.count == 6 && fields[..<5].allSatisfy { $0.wholeMatch(of: /[0-9*]+/) != nil })
      // A bare percent sign would end the command.
      #expect(String(fields[5]).replacing("\\%", with: "").contains("%") == false)
      let output = try await snip.shell(String(fields[5]).replacing("\\%", with: "%"))
      // Cron mails whatever is written.
      #expect(output == SnipOutput(), "\(line): \(output)")
    }

    let copies = try FileManager.default.contentsOfDirectory(
      atPath: TemporaryDirectory.file("home/snip-backups").path
    )
    #expect(copies.count == 1)
    #expect(try await snip("check", "--store", "home/snip-backups/\(copies[0])").status == 0)
    // It had been there for a moment only.
    #expect(try await snip("list", "--trash", "--json").json("id") == [3])
  }

  @Test func `the service of systemd makes a backup`() async throws {
    let units = try article.blocks(of: "ini")
    #expect(units.count == 2 && units[1].contains("OnCalendar=") && units[1].contains("[Install]"))
    let lines = units[0].split(separator: "\n")
    let start = try #require(lines.first { $0.hasPrefix("ExecStart=") })

    let command = start.dropFirst("ExecStart=".count).replacing("%%", with: "%")
      .replacing("$$", with: "$")
    let output = try await snip.shell(String(command))

    #expect(output.status == 0, "\(output)")
    let copies = try FileManager.default.contentsOfDirectory(
      atPath: TemporaryDirectory.file("home/snip-backups").path
    )
    #expect(copies.count == 1 && copies[0].hasSuffix(".sqlite"))
  }

  @Test func `every other line works as written`() async throws {
    let block = try #require(try article.blocks(of: "sh").last)
    let lines = block.split(separator: "\n")
    #expect(lines.count >= 3)

    for line in lines {
      let output = try await snip.shell(String(line))
      #expect(output.status == 0, "\(line): \(output)")
    }
  }
}

/// The article beside the library.
private struct Article {
  func blocks(of language: String) throws -> [String] {
    let root = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let file = root.appendingPathComponent(
      "Sources/SnippetStorage/SnippetStorage.docc/SnipInTheShell.md"
    )
    let text = try String(contentsOf: file, encoding: .utf8)
    return text.components(separatedBy: "```\(language)\n").dropFirst().map { rest in
      rest.components(separatedBy: "```")[0]
    }
  }
}
