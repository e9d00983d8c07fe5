public import ArgumentParser
public import SnippetStorage

/// The order of the list that a command shows.
struct OrderOptions: ParsableArguments {
  @Option(
    name: .customLong("order"),
    help: """
      The order: created, modified or deleted (latest first), size (largest first) or title (from \
      A). (default: created; deleted for the trash)
      """
  )
  var key: SnippetOrder.Key?

  @Flag(name: .customLong("reverse"), help: "Reverse the order.")
  var isReversed = false

  /// Returns the order: dates start with the latest, sizes with the largest, titles with A.
  func order(inTrash isInTrash: Bool) -> SnippetOrder {
    let key = key ?? (isInTrash ? .deleted : .created)
    return SnippetOrder(by: key, isDescending: (key == .title) == isReversed)
  }
}

extension SnippetOrder.Key: ExpressibleByArgument {}
