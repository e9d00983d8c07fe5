import ArgumentParser
import SnippetStorage

/// Many words of a command line, in few arguments.
///
/// The parser copies all values that it has so far whenever it takes another one, and then looks
/// for each among all: it needs 8 seconds for 20,000 words. So long runs of words reach it as one
/// argument, which the command takes apart.
enum ManyWords {
  /// The fewest words to join.
  static let leastCount = 64
  /// A character that no argument from outside can contain.
  private static let separator = UInt8(0)

  /// The words that a command may take by the thousand.
  private static func isTaken(_ word: String, by command: String) -> Bool {
    switch command {
    case "rm", "undelete": SnippetID(argument: word) != nil
    case "add", "import", "tag", "search", "list", "browse": true
    default: false
    }
  }

  /// Joins long runs of words.
  ///
  /// - Parameter arguments: The arguments after the name of the program.
  /// - Returns: The arguments for the parser.
  static func joined(_ arguments: [String]) -> [String] {
    guard let command = arguments.first, arguments.count > leastCount else { return arguments }
    var (joined, run) = ([command], [String]())
    func end() {
      if run.count < leastCount {
        joined += run
      } else {
        joined.append(run.joined(separator: String(UnicodeScalar(separator))))
      }
      run = []
    }
    var (isValue, isBehindEnd) = (false, false)
    for word in arguments.dropFirst() {
      let isOption = word.hasPrefix("-") && !isBehindEnd
      // The word behind an option may be its value.
      if isOption || isValue || !isTaken(word, by: command) {
        end()
        joined.append(word)
      } else {
        run.append(word)
      }
      isValue = isOption && word != "--" && !word.contains("=")
      if word == "--" { isBehindEnd = true }
    }
    end()
    return joined
  }

  /// Takes the words of arguments apart.
  static func apart(_ arguments: [String]) -> [String] {
    arguments.flatMap { argument in
      argument.utf8.split(separator: separator, omittingEmptySubsequences: false)
        .map { String(Substring($0)) }
    }
  }
}

/// The numbers of one or many snippets.
struct ManyIDs: ExpressibleByArgument {
  let ids: [SnippetID]

  init?(argument: String) {
    let ids = ManyWords.apart([argument]).map(SnippetID.init(argument:))
    guard !ids.contains(nil) else { return nil }
    self.ids = ids.compactMap { $0 }
  }
}
