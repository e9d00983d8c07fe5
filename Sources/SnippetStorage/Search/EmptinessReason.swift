/// A reason why a list or a search is empty.
public enum EmptinessReason: Sendable, Hashable {
  /// The store has no snippets at all.
  case storeIsEmpty
  /// The list or search is of the trash, which is empty.
  case trashIsEmpty
  /// All snippets, this many, are in the trash, which was not searched.
  case allInTrash(Int)
  /// The tag does not exist; with the most similar existing tag, if there is one.
  case noSuchTag(String, nearest: String?)
  /// No snippet meets this condition alone.
  case nothingMeets(SearchQuery)
  /// Each condition is met by some snippet, but none meets them all.
  case nothingMeetsAll
  /// No snippet that meets the conditions contains the words, and one of them is the name of this
  /// tag after a `#`.
  ///
  /// Search for it as `tag:recipe` or `in:tags:recipe`.
  case wordIsTag(String)
  /// No snippet that meets the conditions contains the words.
  ///
  /// For this many longer texts among them, only the first 4 MiB were searched.
  case wordsNotFound(longTextCount: Int)
}
