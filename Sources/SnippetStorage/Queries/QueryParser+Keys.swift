import SnippetBase

extension QueryParser.Key {
  /// What other search fields call it.
  private static let foreign: [String: Self] = [
    "tags": .tag, "label": .tag, "type": .kind, "since": .after, "until": .before,
    "larger": .size, "smaller": .size, "subject": .title,
  ]

  /// The key that a word of another kind was meant for: one that other search fields have, or one
  /// with a letter too many, too few, wrong, or two exchanged.
  init?(meantBy word: String) {
    if let key = Self.foreign[word] {
      self = key
      return
    }
    // A word of two letters is near to too many others, and behind these two anything is right.
    let keys = Self.allCases.filter { $0.rawValue.count > 3 && $0 != .title }
    guard let key = keys.first(where: { $0.rawValue.editDistance(to: word) == 1 }) else {
      return nil
    }
    self = key
  }

  /// Why a value is wrong.
  func reason(against value: String) -> String {
    switch self {
    case .after, .before: "“\(value)” is no date"
    case .kind: "“\(value)” is no kind"
    case .size: "“\(value)” is no size"
    case .tag: "“\(value)” is no tag"
    case .is: "“\(value)” is no state"
    case .in, .title: "“\(value)” is no place"
    }
  }

  /// What to write.
  var advice: String {
    let instead =
      switch self {
      case .after, .before: "Write a date such as \(DateWords.examples)"
      case .kind: "Write kind:text, kind:image or kind:voice"
      case .size: "Write a size such as size:>1MB, size:<=10kB or size:1MB..5MB"
      case .tag: "Write one tag, in quotes if it has blanks: tag:\"two words\""
      case .is: "Write is:pinned or is:trashed"
      case .in: "Write in:title, in:tags or in:text, with words behind it"
      case .title: "Write a word or a phrase in quotes behind it"
      }
    return "\(instead). To find the text itself, put it in quotes."
  }
}
