import ArgumentParser
import SnipCore
import SnippetBase
import TerminalKit

/// A mistake in the command line of which more can be said than the parser says.
struct UsageMistake: StatusError, Equatable {
  let message: String
  let hint: String?

  var status: ExitStatus { .usage }

  private init(_ message: String, hint: String) {
    (self.message, self.hint) = (message, hint)
  }

  // MARK: - Commands that there are not

  /// Looks for a command that there is not, also one that help is wanted for.
  ///
  /// - Parameters:
  ///   - arguments: What was typed behind the name of the program.
  ///   - commands: The commands that there are, hidden ones too.
  init?(in arguments: [String], among commands: [CommandConfiguration]) {
    let words = arguments.first == "help" ? arguments.dropFirst() : arguments[...]
    guard let word = words.first, !word.hasPrefix("-"), !Self.names(of: commands).contains(word)
    else { return nil }
    let likely = Self.likelyCommands(for: word, among: commands).map { "`snip \($0)`" }
    let list = "`snip --help` lists the commands."
    self.init(
      "there is no command ‘\(word)’",
      hint: likely.isEmpty ? list : "Did you mean \(likely.joined(separator: " or "))? \(list)"
    )
  }

  /// The names of all commands, and that of the parser's own.
  private static func names(of commands: [CommandConfiguration]) -> Set<String> {
    Set(commands.compactMap(\.commandName) + ["help"])
  }

  /// What other programs call what a command here does.
  private static let otherNames = [
    "ls": "list", "ll": "list", "all": "list", "find": "search", "grep": "search",
    "new": "add", "create": "add", "save": "add", "put": "add", "insert": "add",
    "view": "show", "open": "show", "get": "cat", "print": "cat", "less": "show", "more": "show",
    "delete": "rm", "del": "rm", "remove": "rm", "trash": "rm", "untrash": "undelete",
    "recover": "undelete", "undo": "undelete", "empty": "purge", "tags": "tag", "label": "tag",
    "update": "edit", "rename": "edit", "pin": "edit", "ui": "browse", "tui": "browse",
    "status": "info", "stats": "info", "size": "info", "du": "info", "verify": "check",
    "fsck": "check", "repair": "check", "vacuum": "gc", "dump": "export", "load": "import",
    "copy": "backup", "query": "search", "follow": "watch", "completion": "setup",
    "completions": "setup", "install": "setup", "man": "help", "version": "--version",
  ]

  private static func likelyCommands(
    for word: String,
    among commands: [CommandConfiguration]
  ) -> [String] {
    let word = word.lowercased()
    if let other = otherNames[word] { return [other] }
    let shown = commands.filter(\.shouldDisplay).compactMap(\.commandName)
    let near = shown.map { (name: $0, distance: word.editDistance(to: $0)) }
      .filter { isNear($0.distance, to: word) }
    let nearest = near.map(\.distance).min()
    let likely = near.filter { $0.distance == nearest }.map(\.name)
    if !likely.isEmpty { return Array(likely.prefix(2)) }
    return Array(shown.filter { word.count > 1 && $0.hasPrefix(word) }.prefix(2))
  }

  // MARK: - What the parser takes for something else

  /// Looks for what the parser took for options and that is none.
  ///
  /// - Parameters:
  ///   - arguments: What was typed behind the name of the program.
  ///   - commands: The commands that there are, hidden ones too.
  ///   - message: What the parser says.
  ///   - isHelp: Whether that is help.
  init?(
    in arguments: [String],
    among commands: [CommandConfiguration],
    toldAs message: String,
    asHelp isHelp: Bool
  ) {
    if isHelp {
      self.init(unwantedHelpIn: arguments)
    } else if let text = arguments.first(where: {
      $0.hasPrefix("-") && $0.contains(where: \.isWhitespace) && !$0.hasPrefix("--")
    }) {
      self.init(noOption: text, in: arguments)
    } else if let mistake = Self(numberIn: arguments, toldAs: message)
      ?? Self(valueIn: arguments, toldAs: message)
    {
      self = mistake
    } else {
      self.init(optionBeforeCommandIn: arguments, among: commands)
    }
  }

  /// A word such as `-the` holds the letter of the option for help, which nobody asked for.
  private init?(unwantedHelpIn arguments: [String]) {
    let isWanted = arguments.contains { ["-h", "-help"].contains($0) || $0.hasPrefix("--") }
    guard !isWanted,
      let word = arguments.first(where: {
        $0.hasPrefix("-") && $0.count > 2 && $0.contains("h")
      })
    else { return nil }
    self.init(noOption: word, in: arguments)
  }

  private init(noOption word: String, in arguments: [String]) {
    self.init(
      "‘\(word)’ starts with - and is no option",
      hint: "Write -- before words that start with -: snip \(Self.line(arguments, guarding: word))"
    )
  }

  /// A number below zero where that of a snippet should be.
  private init?(numberIn arguments: [String], toldAs message: String) {
    let takesNumbers = ["show", "cat", "edit", "rm", "undelete", "tag"]
    guard let command = arguments.first, takesNumbers.contains(command),
      let number = arguments.dropFirst().first(where: { $0.wholeMatch(of: /-[0-9]+/) != nil }),
      message.contains("Missing expected argument") || message.contains("'\(number)'")
    else { return nil }
    self.init(
      "‘\(number)’ is not the number of a snippet: they count from 1",
      hint: "`snip list` shows the numbers."
    )
  }

  /// A number below zero as the value of an option, which the parser takes for another option.
  private init?(valueIn arguments: [String], toldAs message: String) {
    for (option, value) in zip(arguments, arguments.dropFirst())
    where value.wholeMatch(of: /-[0-9]+/) != nil && message.contains("value for '\(option)") {
      self.init(
        "‘\(value)’ is no value for \(option): it must not be negative",
        hint: "`snip \(arguments[0]) --help` tells what it can be."
      )
      return
    }
    return nil
  }

  /// An option of a command that stands before it.
  private init?(
    optionBeforeCommandIn arguments: [String],
    among commands: [CommandConfiguration]
  ) {
    guard let option = arguments.first, option.hasPrefix("-"),
      let command = arguments.dropFirst().first(where: Self.names(of: commands).contains)
    else { return nil }
    self.init(
      "‘\(option)’ stands before the command",
      hint: "Options come after it: snip \(command) \(option) …"
    )
  }

  private static func line(_ arguments: [String], guarding word: String) -> String {
    var words = arguments.map { ShellWord($0).description }
    if let index = arguments.firstIndex(of: word) { words.insert("--", at: index) }
    return words.joined(separator: " ")
  }

  // MARK: - What the parser guesses

  /// What the parser says, without a guess at an option that is far from what was typed.
  ///
  /// - Parameter message: What it says.
  /// - Returns: The same where it guesses well or not at all.
  static func withoutFarGuess(in message: String) -> String {
    message.replacing(/(Unknown option '-{1,2}([^']+)')\. Did you mean '-{1,2}([^']+)'\?/) {
      match in
      let (typed, guess) = (String(match.2), String(match.3))
      return String(isNear(typed.editDistance(to: guess), to: typed) ? match.0 : match.1)
    }
  }

  /// Whether so few changes make another word of one that it may be a slip.
  private static func isNear(_ distance: Int, to word: String) -> Bool {
    distance <= (word.count < 4 ? 1 : 2)
  }
}
