// Only what the edit changes is there. The form stays as it is from one version of the package to the
// next.

extension SnippetEdit: Codable {
  private enum CodingKeys: String, CodingKey {
    case title, text, isPinned, addedTags, removedTags
  }

  /// Reads what is to be changed; what is missing stays as it is.
  ///
  /// - Parameter decoder: What holds the changes.
  /// - Throws: `DecodingError`. The rules for titles and tags are those of the store, which checks
  ///   them when it is to make the changes.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      title: try container.decodeIfPresent(String.self, forKey: .title),
      text: try container.decodeIfPresent(String.self, forKey: .text),
      isPinned: try container.decodeIfPresent(Bool.self, forKey: .isPinned),
      addedTags: try container.decodeIfPresent([String].self, forKey: .addedTags) ?? [],
      removedTags: try container.decodeIfPresent([String].self, forKey: .removedTags) ?? []
    )
  }

  /// Writes what is to be changed, each under its name.
  ///
  /// - Parameter encoder: What takes it.
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(title, forKey: .title)
    try container.encodeIfPresent(text, forKey: .text)
    try container.encodeIfPresent(isPinned, forKey: .isPinned)
    if !addedTags.isEmpty { try container.encode(addedTags, forKey: .addedTags) }
    if !removedTags.isEmpty { try container.encode(removedTags, forKey: .removedTags) }
  }
}
