/// Why a list or a search holds nothing.
public enum EmptinessReason: Sendable, Hashable {
  /// The store has no snippet at all.
  case storeIsEmpty
  /// Nothing is in the trash, which was looked through.
  case trashIsEmpty
  /// All snippets, so many, are in the trash, which was not looked through.
  case allInTrash(Int)
  /// There is no such tag; the nearest that there is, if one is near.
  case noSuchTag(String, nearest: String?)
  /// No snippet meets this condition alone.
  case nothingMeets(SearchQuery)
  /// Each condition is met by some snippet, and no snippet meets all.
  case nothingMeetsAll
  /// No snippet that meets the conditions holds the words, one of which is the name of this tag
  /// behind a `#`: it is found as `tag:recipe` or `in:tags:recipe`.
  case wordIsTag(String)
  /// No snippet that meets the conditions holds the words. Of so many longer texts among them, only
  /// the first 4 MiB were searched.
  case wordsNotFound(longTextCount: Int)
}
