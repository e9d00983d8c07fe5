import ArgumentParser
import SnipCore
import SnippetBase
import TerminalKit

/// A mistake in the command line that deserves a better message than the parser's.
struct UsageMistake: StatusError, Equatable {
  let message: String
  let hint: String?

  var status: ExitStatus { .usage }

  private init(_ message: String, hint: String) {
    (self.message, self.hint) = (message, hint)
  }

  // MARK: - Unknown commands

  /// Looks for an unknown command, even one whose help is requested.
  ///
  /// - Parameters:
  ///   - arguments: The arguments after the name of the program.
  ///   - commands: All commands, including hidden ones.
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

  /// The names of all commands, with that of the parser's own.
  private static func names(of commands: [CommandConfiguration]) -> Set<String> {
    Set(commands.compactMap(\.commandName) + ["help"])
  }

  /// The names that other programs use for commands here.
  private static let otherNames = [
    "ls": "list", "ll": "list", "all": "list", "find": "search", "grep": "search",
    "new": "add", "create": "add", "save": "add", "put": "add", "insert": "add",
    "view": "show", "listen": "play", "get": "cat", "print": "cat", "less": "show", "more": "show",
    "delete": "rm", "del": "rm", "remove": "rm", "trash": "list --trash", "untrash": "undelete",
    "recover": "undelete", "undo": "undelete", "empty": "purge", "tags": "tag", "label": "tag",
    "update": "edit", "rename": "edit", "pin": "edit", "ui": "browse", "tui": "browse",
    "status": "info", "stats": "info", "size": "info", "du": "info", "verify": "check",
    "fsck": "check", "repair": "check", "vacuum": "gc", "dump": "export", "load": "import",
    "copy": "backup", "query": "search", "follow": "watch", "completion": "setup",
    "completions": "setup", "install": "setup", "man": "help", "version": "--version",
  ]

  /// Commands that are only suggested for a word with one letter wrong.
  private static let destructive: Set = ["purge", "restore", "rm"]

  private static func likelyCommands(
    for word: String,
    among commands: [CommandConfiguration]
  ) -> [String] {
    let word = word.lowercased()
    if let other = otherNames[word] { return [other] }
    let shown = commands.filter(\.shouldDisplay).compactMap(\.commandName)
    let near = shown.map { (name: $0, distance: word.editDistance(to: $0)) }
      .filter {
        isNear($0.distance, to: word) && ($0.distance < 2 || !destructive.contains($0.name))
      }
    let nearest = near.map(\.distance).min()
    let likely = near.filter { $0.distance == nearest }.map(\.name)
    if !likely.isEmpty { return Array(likely.prefix(2)) }
    return Array(shown.filter { word.count > 1 && $0.hasPrefix(word) }.prefix(2))
  }

  // MARK: - Misread options

  /// Looks for arguments that the parser took for options by mistake.
  ///
  /// - Parameters:
  ///   - arguments: The arguments after the name of the program.
  ///   - commands: All commands, including hidden ones.
  ///   - message: The message of the parser.
  ///   - isHelp: Whether that message is help.
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
    } else if let mistake = Self(otherOptionIn: arguments, toldAs: message)
      ?? Self(numberIn: arguments, toldAs: message)
      ?? Self(valueIn: arguments, toldAs: message)
    {
      self = mistake
    } else {
      self.init(optionBeforeCommandIn: arguments, among: commands)
    }
  }

  /// A word such as `-the` contains the letter of the option for help, which was not meant.
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
      "‘\(word)’ starts with - and is not an option",
      hint: "Write -- before words that start with -: snip \(Self.line(arguments, guarding: word))"
    )
  }

  /// A negative number in place of a snippet's number.
  private init?(numberIn arguments: [String], toldAs message: String) {
    let takesNumbers = ["show", "cat", "open", "play", "edit", "rm", "undelete", "tag"]
    guard let command = arguments.first, takesNumbers.contains(command),
      let number = arguments.dropFirst().first(where: { $0.wholeMatch(of: /-[0-9]+/) != nil }),
      message.contains("Missing expected argument") || message.contains("'\(number)'")
    else { return nil }
    self.init(
      "‘\(number)’ is not the number of a snippet: they count from 1",
      hint: "`snip list` shows the numbers."
    )
  }

  /// A negative number as the value of an option, which the parser takes for another option.
  private init?(valueIn arguments: [String], toldAs message: String) {
    for (option, value) in zip(arguments, arguments.dropFirst())
    where value.wholeMatch(of: /-[0-9]+/) != nil && message.contains("value for '\(option)") {
      self.init(
        "‘\(value)’ is not a value for \(option): it must not be negative",
        hint: "`snip \(arguments[0]) --help` lists the values."
      )
      return
    }
    return nil
  }

  /// An option placed before its command.
  private init?(
    optionBeforeCommandIn arguments: [String],
    among commands: [CommandConfiguration]
  ) {
    guard let option = arguments.first, option.hasPrefix("-"),
      let command = arguments.dropFirst().first(where: Self.names(of: commands).contains)
    else { return nil }
    self.init(
      "‘\(option)’ comes before the command",
      hint: "Options come after it: snip \(command) \(option) …"
    )
  }

  /// The options that people expect of a command, with what to write instead.
  private static let otherOptions: [String: [String: String]] = [
    "list": ["--sort": "snip list --order title", "--count": "snip list --limit 20"],
    "search": ["--sort": "snip list --order title", "--count": "snip search --limit 20 WORD"],
    "browse": ["--sort": "snip browse --order title"],
    "edit": [
      "--tag": "snip tag ID TAG", "--add-tag": "snip tag ID TAG",
      "--remove-tag": "snip tag ID --remove TAG",
    ],
    "tag": ["--delete": "snip tag ID --remove TAG", "--tag": "snip tag ID TAG"],
    "rm": ["--tag": "snip rm --query tag:TAG", "--force": "snip rm ID --permanently --yes"],
  ]

  /// An option of other programs.
  private init?(otherOptionIn arguments: [String], toldAs message: String) {
    guard let command = arguments.first, let options = Self.otherOptions[command],
      let option = options.keys.sorted().first(where: {
        message.contains("Unknown option '\($0)'")
      }), let instead = options[option]
    else { return nil }
    self.init(
      "there is no option ‘\(option)’ of `snip \(command)`",
      hint: "Write it as: \(instead)"
    )
  }

  private static func line(_ arguments: [String], guarding word: String) -> String {
    var words = arguments.map { ShellWord($0).description }
    if let index = arguments.firstIndex(of: word) { words.insert("--", at: index) }
    return words.joined(separator: " ")
  }

  // MARK: - Guesses of the parser

  /// Removes the parser's suggestion of an option if it is far from the typed one.
  ///
  /// - Parameter message: The message of the parser.
  /// - Returns: The message; unchanged if the suggestion is close or there is none.
  static func withoutFarGuess(in message: String) -> String {
    message.replacing(/(Unknown option '-{1,2}([^']+)')\. Did you mean '-{1,2}([^']+)'\?/) {
      match in
      let (typed, guess) = (String(match.2), String(match.3))
      return String(isNear(typed.editDistance(to: guess), to: typed) ? match.0 : match.1)
    }
  }

  /// Whether two words differ by so few letters that one may be a slip for the other.
  private static func isNear(_ distance: Int, to word: String) -> Bool {
    distance <= (word.count < 4 ? 1 : 2)
  }
}
