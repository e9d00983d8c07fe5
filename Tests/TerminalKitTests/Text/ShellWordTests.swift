import SnippetTestSupport
import Testing

@testable import TerminalKit

struct ShellWordTests {
  @Test(arguments: [
    ("a/b-c_1.txt", "a/b-c_1.txt"), ("", "''"), ("two words", "'two words'"),
    ("it's", #"'it'\''s'"#), ("俳句 «é»", "'俳句 «é»'"), ("$HOME`x`", "'$HOME`x`'"),
    ("\u{1B}[1m'\\é1", #"$'\033[1m\'\\\303\2511'"#), ("a\nb", #"$'a\012b'"#),
    ("\u{1}2", #"$'\0012'"#),
  ])
  func `a word is quoted as far as it needs to be`(text: String, word: String) {
    #expect(ShellWord(text).description == word)
  }

  @Test(
    arguments: Hostile.texts + [
      "it's", "a b", "$(x) \\ \"y\"", "~", "*", "-n", "#x", "'\u{301}; echo x '\u{301}",
    ]
  )
  func `a shell takes the word for the text`(text: String) async throws {
    let output = try await Shell.run("bash", ["-c", "printf %s \(ShellWord(text))"])

    #expect(output == Shell.Output(standardOutput: text))
    #expect(Hostile.findings(in: .init(ShellWord(text).description.utf8), isTerminal: false) == [])
  }
}
