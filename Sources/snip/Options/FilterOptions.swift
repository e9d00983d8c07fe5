public import ArgumentParser
import Foundation
import SnippetBase
public import SnippetStorage

/// The snippets that a command works on.
struct FilterOptions: ParsableArguments {
  @Option(
    name: .customLong("kind"),
    help: ArgumentHelp("Only this kind: text, image or voice. May be repeated.", valueName: "kind")
  )
  var kinds: [SnippetKind] = []

  @Option(
    name: .customLong("tag"),
    help: ArgumentHelp(
      "Only snippets with this tag or one below it, as work/berlin is below work. May be repeated: all must match.",
      valueName: "tag"
    ),
    completion: .tags
  )
  var tags: [String] = []

  @Flag(name: .customLong("pinned"), help: "Only pinned snippets.")
  var isPinned = false

  @Flag(name: .customLong("trash"), help: "Only snippets in the trash.")
  var isInTrash = false

  @Option(
    help: ArgumentHelp(
      "Only snippets made since then: 2024, 2024-03, 2024-03-01, yesterday, or 3d or 2w ago.",
      valueName: "date"
    ),
    transform: Self.period
  )
  var since: Range<Date>?

  @Option(
    help: ArgumentHelp(
      "Only snippets made until then, that day, month or year included.",
      valueName: "date"
    ),
    transform: Self.period
  )
  var until: Range<Date>?

  func validate() throws {
    guard tags.allSatisfy({ !$0.allSatisfy(\.isWhitespace) }) else {
      throw ValidationError("--tag is empty. Give a tag, or leave it out.")
    }
    if let since, let until, since.lowerBound >= until.upperBound {
      throw ValidationError("--since must be before the end of --until.")
    }
  }

  var filter: SnippetFilter {
    let start = since?.lowerBound ?? .distantPast
    return SnippetFilter(
      kinds: kinds.isEmpty ? nil : Set(kinds),
      tags: Set(tags.map(TagWord.plain)),
      isPinned: isPinned ? true : nil,
      createdAt: since == nil && until == nil
        ? nil : start..<max(start, until?.upperBound ?? .endOfDates),
      isInTrash: isInTrash
    )
  }

  private static func period(_ text: String) throws -> Range<Date> {
    guard let period = DateWords().period(text) else {
      throw ValidationError("“\(text)” is not a date. Give one such as \(DateWords.examples).")
    }
    return period
  }
}

extension SnippetKind: ExpressibleByArgument {
  /// Reads a kind from the command line.
  ///
  /// - Parameter argument: The word for the kind.
  public init?(argument: String) {
    self.init(name: argument)
  }

  /// The words that stand for kinds.
  public static var allValueStrings: [String] { allCases.map(\.name) }
}

extension SnippetID: ExpressibleByArgument {
  /// Reads the number of a snippet from the command line.
  ///
  /// - Parameter argument: The digits.
  public init?(argument: String) {
    guard let number = Int64(argument), number > 0 else { return nil }
    self.init(rawValue: number)
  }
}

extension Date {
  /// The moment that every snippet is made before: the end of the year 9999.
  fileprivate static let endOfDates = Date(timeIntervalSince1970: 253_402_300_800)
}
