import Foundation

// Only the changed fields are encoded. The encoded form stays the same from one version of the
// package to the next.

extension SnippetEdit: Codable {
  private enum CodingKeys: String, CodingKey {
    case title, text, note, isPinned, createdAt, isInTrash, addedTags, removedTags
  }

  /// Decodes an edit; missing fields stay unchanged.
  ///
  /// - Parameter decoder: The decoder to read from.
  /// - Throws: `DecodingError`. The store checks the rules for titles, notes and tags when it makes the
  ///   edit.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      title: try container.decodeIfPresent(String.self, forKey: .title),
      text: try container.decodeIfPresent(String.self, forKey: .text),
      note: try container.decodeIfPresent(String.self, forKey: .note),
      isPinned: try container.decodeIfPresent(Bool.self, forKey: .isPinned),
      createdAt: try container.decodeIfPresent(Date.self, forKey: .createdAt),
      isInTrash: try container.decodeIfPresent(Bool.self, forKey: .isInTrash),
      addedTags: try container.decodeIfPresent([String].self, forKey: .addedTags) ?? [],
      removedTags: try container.decodeIfPresent([String].self, forKey: .removedTags) ?? []
    )
  }

  /// Encodes the fields that the edit changes.
  ///
  /// - Parameter encoder: The encoder to write to.
  /// - Throws: Errors of the encoder.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(title, forKey: .title)
    try container.encodeIfPresent(text, forKey: .text)
    try container.encodeIfPresent(note, forKey: .note)
    try container.encodeIfPresent(isPinned, forKey: .isPinned)
    try container.encodeIfPresent(createdAt, forKey: .createdAt)
    try container.encodeIfPresent(isInTrash, forKey: .isInTrash)
    if !addedTags.isEmpty { try container.encode(addedTags, forKey: .addedTags) }
    if !removedTags.isEmpty { try container.encode(removedTags, forKey: .removedTags) }
  }
}
