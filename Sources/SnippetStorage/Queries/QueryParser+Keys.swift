import SnippetBase

extension QueryParser {
  /// The name of a condition.
  enum Key: String, CaseIterable {
    case after, before, duration, file, from, `in`, `is`, kind, path, size, tag, title, type
  }

  /// The beginning of a word that may be a condition.
  enum WrittenKey {
    case known(Key, end: String.Index)
    /// A name that resembles a key, with the end of its colon.
    case unknown(String, meant: Key, end: String.Index)
  }

  /// Returns the key at the start of a text, which is letters and a colon; `nil` for other words.
  static func key(of text: Substring) -> WrittenKey? {
    let bytes = text.utf8
    // One more than the longest key with an extra letter.
    let letters = bytes.prefix(12).prefix { (0x41...0x5A).contains($0 & 0xDF) }
    guard !letters.isEmpty, letters.endIndex < bytes.endIndex,
      bytes[letters.endIndex] == UInt8(ascii: ":")
    else { return nil }
    let end = bytes.index(after: letters.endIndex)
    let word = text[..<letters.endIndex].lowercased()
    if let key = Key(rawValue: word) { return .known(key, end: end) }
    return Key(meantBy: word).map {
      .unknown(String(text[..<letters.endIndex]), meant: $0, end: end)
    }
  }
}

extension QueryParser.Key {
  /// Names that other programs use for these keys.
  private static let foreign: [String: Self] = [
    "tags": .tag, "label": .tag, "format": .type, "filename": .file, "folder": .from,
    "since": .after, "until": .before, "length": .duration,
    "larger": .size, "smaller": .size, "subject": .title,
  ]

  /// Guesses the key that a word was meant for: one that other programs use, or one with a letter
  /// added, missing, wrong, or two letters swapped.
  init?(meantBy word: String) {
    if let key = Self.foreign[word] {
      self = key
      return
    }
    // Words of two letters are close to too many others, and `in` and `title` accept any value.
    let keys = Self.allCases.filter {
      $0.rawValue.count > 3 && ![.title, .type, .file, .from, .path].contains($0)
    }
    guard let key = keys.first(where: { $0.rawValue.editDistance(to: word) == 1 }) else {
      return nil
    }
    self = key
  }

  /// Translates a value into conditions; `nil` if it is wrong.
  func conditions(
    _ value: String,
    isExact: Bool,
    _ dates: DateWords
  ) -> [QueryExpression.Condition]? {
    switch self {
    case .after: return dates.period(value).map { [.madeFrom($0.lowerBound.milliseconds)] }
    case .before: return dates.period(value).map { [.madeBefore($0.lowerBound.milliseconds)] }
    case .is:
      switch value.lowercased() {
      case "pinned": return [.pinned]
      case "trashed": return [.inTrash]
      default: return nil
      }
    case .kind: return SnippetKind(name: value.lowercased()).map { [.kind($0)] }
    case .size: return SizeWords.bounds(value)
    case .duration: return DurationWords.bounds(value)
    case .tag:
      let tag = TextRules.composed(value)
      guard !tag.isEmpty, !tag.utf8.contains(UInt8(ascii: ",")) else { return nil }
      return [isExact ? .exactTag(tag) : .tag(tag)]
    case .type:
      if let kind = TypeWords.kind(value) { return [.kind(kind)] }
      if TypeWords.endings(value) != nil { return [.file(FileCondition(.type, value))] }
      return TypeWords.mediaType(value).map { [.mediaType($0)] }
    case .file, .from, .path:
      guard let part = FileCondition.Part(rawValue: rawValue), !value.hasPrefix("//"),
        !value.allSatisfy(\.isWhitespace)
      else { return nil }
      return [.file(FileCondition(part, value))]
    case .in, .title: return nil
    }
  }

  /// Says why a value is wrong.
  func reason(against value: String) -> String {
    switch self {
    case .after, .before: "“\(value)” is not a date"
    case .kind: "“\(value)” is not a kind"
    case .size: "“\(value)” is not a size"
    case .duration: "“\(value)” is not a length of time"
    case .tag: "“\(value)” is not a tag"
    case .is: "“\(value)” is not a state"
    case .type: "“\(value)” is not a type of files"
    case .file, .from, .path: "“\(value)” is not the name of a file"
    case .in, .title: "“\(value)” is not a field"
    }
  }

  /// A suggestion of what to write.
  var advice: String {
    let instead =
      switch self {
      case .after, .before: "Write a date such as \(DateWords.examples)"
      case .kind: "Write kind:text, kind:image or kind:voice"
      case .size: "Write a size such as size:>1MB, size:<=10kB or size:1MB..5MB"
      case .duration: "Write a length such as duration:>5m, duration:90 or duration:1m..2m"
      case .tag: "Write one tag, in quotes if it has blanks: tag:\"two words\""
      case .is: "Write is:pinned or is:trashed"
      case .in: "Write in:title, in:tags or in:text, with words after it"
      case .type: "Write an ending, a name or a media type, as in type:jpg or type:audio/flac"
      case .file, .path: "Write a part of the name, or a pattern such as file:*.md"
      case .from: "Write a folder, by its name or path, as in from:Notes"
      case .title: "Write a word or a phrase in quotes after it"
      }
    return "\(instead). To find the text itself, put it in quotes."
  }
}
