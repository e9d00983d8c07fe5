public import ArgumentParser
public import SnippetStorage

/// Which snippets a command looks at.
struct FilterOptions: ParsableArguments {
  @Option(
    name: .customLong("kind"),
    help: ArgumentHelp("Only this kind: text, image or voice. May be repeated.", valueName: "kind")
  )
  var kinds: [SnippetKind] = []

  @Option(
    name: .customLong("tag"),
    help: ArgumentHelp(
      "Only snippets with this tag. May be repeated: all must match.",
      valueName: "tag"
    )
  )
  var tags: [String] = []

  @Flag(name: .customLong("pinned"), help: "Only pinned snippets.")
  var isPinned = false

  @Flag(name: .customLong("trash"), help: "Only snippets in the trash.")
  var isInTrash = false

  var filter: SnippetFilter {
    SnippetFilter(
      kinds: kinds.isEmpty ? nil : Set(kinds),
      tags: Set(tags),
      isPinned: isPinned ? true : nil,
      isInTrash: isInTrash
    )
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

/// What a list is ordered by, as the command line spells it.
enum OrderArgument: String, CaseIterable, ExpressibleByArgument {
  case created, modified, title, deleted

  /// The order: dates start with the latest, titles with A.
  func order(isReversed: Bool) -> SnippetOrder {
    switch self {
    case .created: SnippetOrder(by: .created, isDescending: !isReversed)
    case .modified: SnippetOrder(by: .modified, isDescending: !isReversed)
    case .title: SnippetOrder(by: .title, isDescending: isReversed)
    case .deleted: SnippetOrder(by: .deleted, isDescending: !isReversed)
    }
  }
}
