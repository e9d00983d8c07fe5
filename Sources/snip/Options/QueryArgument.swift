import ArgumentParser
import SnipCore
import SnippetStorage
import TerminalKit

/// The words of a query on the command line.
struct QueryArgument: ParsableArguments {
  @Argument(
    help: ArgumentHelp("The words and conditions to find, as described above.", valueName: "query"),
    completion: .conditions
  )
  var words: [String] = []

  /// The query, read to its end.
  var query: SearchQuery {
    get throws { try Self.query(words) }
  }

  /// Reads a query that came as several arguments.
  static func query(_ words: [String]) throws -> SearchQuery {
    try SearchQuery(parsing: apart(words).joined(separator: " "))
  }

  // MARK: - Words that begin with a hyphen

  /// The commands whose arguments are queries.
  private static let commands: Set = ["search", "list", "browse"]
  /// The options of these commands that take a value, which is not part of a query.
  static let valueOptions: Set = [
    "--store", "--busy-timeout", "--color", "--kind", "--tag", "--since", "--until", "--order",
    "--from", "--limit", "--pixels", "--cache-mb", "--script", "--size",
  ]
  /// A mark that no argument from outside can contain.
  private static let mark = "\0"

  /// Marks the words that a query excludes, which the parser would take for options.
  ///
  /// Every option of these commands except `-h` has two hyphens.
  ///
  /// - Parameter arguments: The arguments after the name of the program.
  /// - Returns: The arguments for the parser.
  static func marked(_ arguments: [String]) -> [String] {
    guard let command = arguments.first, commands.contains(command) else { return arguments }
    let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
    var former = ""
    return arguments[..<end].map { argument in
      defer { former = argument }
      let isExcluded =
        argument.hasPrefix("-") && !argument.hasPrefix("--") && !valueOptions.contains(former)
      return isExcluded && argument.count > 1 && argument != "-h" ? mark + argument : argument
    } + arguments[end...]
  }

  /// The words as they were typed.
  private static func apart(_ words: [String]) -> [String] {
    words.flatMap { word in
      let typed = word.hasPrefix(mark) ? String(word.dropFirst(mark.count)) : word
      // Between joined words a mark gives an empty one.
      return typed.contains(mark) ? ManyWords.apart([typed]).filter { !$0.isEmpty } : [typed]
    }
  }

  /// The part of a query without results that may have been meant otherwise; `nil` if there is
  /// none.
  static func doubt(about words: [String]) -> String? {
    let words = apart(words)
    if let word = mistakenOption(in: words) {
      return "“\(word)” leaves out snippets with “\(word.dropFirst())”; options have two "
        + "hyphens, as --limit has."
    }
    let signs = words.joined().filter { "()".contains($0) }
    if signs.count(where: { $0 == ")" }) > signs.count(where: { $0 == "(" }) {
      return "“)” closes no parenthesis, and was looked for as a sign."
    }
    return mistakenCondition(in: words)
  }

  /// The conditions, each with its colon.
  private static let conditions = [
    "after:", "before:", "duration:", "file:", "from:", "in:", "is:", "kind:", "path:", "size:",
    "tag:", "title:", "type:",
  ]

  /// Says that a word looks like a condition and is none; `nil` for others, such as an address.
  static func mistakenCondition(in words: [String]) -> String? {
    for word in apart(words).flatMap({ $0.split(whereSeparator: \.isWhitespace) }) {
      guard let match = word.wholeMatch(of: /-?([A-Za-z]{2,12}:)[^\/].*/) else { continue }
      let (shown, key) = (TerminalText(String(word)), match.1.lowercased())
      if !conditions.contains(key) {
        return "“\(shown)” counts as a word: there is no condition “\(match.1)”. Conditions are "
          + "\(conditions.dropLast().joined(separator: ", ")) and \(conditions.last ?? "")."
      }
      if key == "type:", (try? SearchQuery(parsing: String(word)))?.hasWords == true {
        return "“\(shown)” counts as a word: that is not a type, as jpg, markdown, audio/flac and "
          + "voice are."
      }
    }
    return nil
  }

  /// A word that looks like an option of one letter; `nil` if there is none.
  static func mistakenOption(in words: [String]) -> String? {
    apart(words).first { $0.wholeMatch(of: /-[A-Za-z]/) != nil }
  }

  /// The help on queries.
  static let help = """
    A query consists of words, "phrases" and conditions, which must all hold; with OR between them \
    one is enough, - or NOT excludes the next one, and parentheses group. Conditions: tag:recipe, \
    kind:image, type:jpeg, file:*.md, path:photos/2024, from:Notes, is:pinned, is:trashed, \
    before:2024-07, after:yesterday, size:>1MB, duration:1m..2m, and in:title before words. Put a query with blanks or signs in single quotes, so that the shell leaves it \
    alone.
    """
}

/// A list was asked for words.
struct WordsInListError: StatusError {
  let query: SearchQuery
  /// The words as they were typed.
  let words: [String]

  var status: ExitStatus { .usage }
  var message: String { "could not list by words: a list takes conditions only" }
  var hint: String? {
    QueryArgument.mistakenOption(in: words).map {
      "If “\($0)” was meant as an option: they have two hyphens, as --limit has."
    } ?? QueryArgument.mistakenCondition(in: words)
      ?? "To find words: snip search \(ShellWord(query.text))"
  }
}
