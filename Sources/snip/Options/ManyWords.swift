import ArgumentParser
import SnipCore
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
    case "rm", "undelete": ManyIDs(argument: word) != nil
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

/// Values that may begin like an option.
enum BoundValues {
  /// The options that take any value.
  private static let options: Set = ["--text", "--query"]

  /// Binds values that begin with hyphens to their options, by a sign of equality.
  ///
  /// The parser refuses words with three hyphens, with which many notes begin.
  ///
  /// - Parameter arguments: The arguments after the name of the program.
  /// - Returns: The arguments for the parser.
  static func bound(_ arguments: [String]) -> [String] {
    var bound: [String] = []
    for word in arguments {
      if let option = bound.last, options.contains(option), word.hasPrefix("---"),
        !bound.contains("--")
      {
        bound[bound.count - 1] = "\(option)=\(word)"
      } else {
        bound.append(word)
      }
    }
    return bound
  }
}

/// The numbers of one or many snippets, some perhaps as ranges, such as `3-9`.
struct ManyIDs: ExpressibleByArgument {
  private enum Part {
    case id(SnippetID)
    case range(ClosedRange<SnippetID>)
  }

  private let parts: [Part]

  init?(argument: String) {
    self.init(ManyWords.apart([argument]))
  }

  /// Takes words; `nil` if one is neither a number nor a range.
  init?(_ words: [String]) {
    var parts: [Part] = []
    for word in words {
      if let id = SnippetID(argument: word) {
        parts.append(.id(id))
      } else if let range = Self.range(word) {
        parts.append(.range(range))
      } else {
        return nil
      }
    }
    self.parts = parts
  }

  /// Joins the numbers of several arguments.
  init(_ others: [ManyIDs]) {
    parts = others.flatMap(\.parts)
  }

  /// Reads a range; `nil` for other words, such as the month `2026-07`.
  static func range(_ word: String) -> ClosedRange<SnippetID>? {
    guard let (first, last) = ends(of: word), first <= last else { return nil }
    return first...last
  }

  /// Whether a word is a range with its numbers in the wrong order, and no month such as `2026-12`.
  static func isBackward(_ word: String) -> Bool {
    guard let (first, last) = ends(of: word), first > last else { return false }
    return !(1000...9999).contains(first.rawValue) || last.rawValue > 12
  }

  private static func ends(of word: String) -> (first: SnippetID, last: SnippetID)? {
    let ends = word.split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, ends.allSatisfy({ $0.first?.isWholeNumber == true && $0.first != "0" }),
      let first = SnippetID(argument: String(ends[0])),
      let last = SnippetID(argument: String(ends[1]))
    else { return nil }
    return (first, last)
  }

  /// Whether no number and no range was given.
  var isEmpty: Bool { parts.isEmpty }

  /// Returns the given numbers, and those of a store that lie in the ranges, each once.
  ///
  /// - Parameters:
  ///   - store: The store to look in.
  ///   - isInTrash: Whether to look in the trash, or outside; `nil` for both.
  /// - Returns: The numbers.
  /// - Throws: ``SnippetStoreError``; ``MissingSnippetsError`` if there is nothing in a range.
  func all(in store: SnippetStore, isInTrash: Bool?) async throws -> [SnippetID] {
    var (all, seen) = ([SnippetID](), Set<SnippetID>())
    for part in parts {
      switch part {
      case .id(let id): if seen.insert(id).inserted { all.append(id) }
      case .range(let range):
        let found = try await store.snippetIDs(in: range, isInTrash: isInTrash)
        guard !found.isEmpty else { throw EmptyRangeError(range: range, isInTrash: isInTrash) }
        all += found.filter { seen.insert($0).inserted }
      }
    }
    return all
  }
}

/// A range of numbers has no snippet.
struct EmptyRangeError: StatusError {
  let range: ClosedRange<SnippetID>
  let isInTrash: Bool?

  var status: ExitStatus { .noSuchSnippet }
  var message: String {
    let place = isInTrash.map { $0 ? " in the trash" : " outside the trash" } ?? ""
    return "there are no snippets \(range.lowerBound) to \(range.upperBound)\(place)"
  }
  var hint: String? { "Nothing was changed." }
}
