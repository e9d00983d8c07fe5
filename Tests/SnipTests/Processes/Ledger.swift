import SnippetStorage
import SnippetTestSupport

/// What a writer was told is done: what the store must hold of it in the end.
///
/// Each writer changes only what it has made itself, so that the ledgers of several say all.
struct Ledger {
  /// The titles of the snippets that are there.
  private(set) var titles: [SnippetID: String] = [:]
  private(set) var deleted: Set<SnippetID> = []
  private(set) var acknowledgedCount = 0

  mutating func has(_ id: SnippetID, _ title: String) {
    titles[id] = title
    acknowledgedCount += 1
  }

  mutating func hasNo(_ id: SnippetID) {
    titles[id] = nil
    deleted.insert(id)
    acknowledgedCount += 1
  }

  /// One of the snippets that are there.
  func any(_ random: inout SeededGenerator) -> SnippetID? {
    titles.keys.sorted().randomElement(using: &random)
  }

  mutating func merge(_ other: Ledger) {
    titles.merge(other.titles) { first, _ in first }
    deleted.formUnion(other.deleted)
    acknowledgedCount += other.acknowledgedCount
  }
}
