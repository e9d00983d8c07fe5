import Foundation
import SnippetRecognition

// How the values of a store are encoded: identities as plain numbers, kinds and orders as words,
// dates as the encoder has them. What holds for all snippets may be missing. The form stays as it
// is from one version of the package to the next.

extension SnippetOrder: Codable {
  private enum CodingKeys: String, CodingKey {
    case key, isDescending
  }

  /// Reads an order.
  ///
  /// - Parameter decoder: What holds the order.
  /// - Throws: `DecodingError`, also for a key that is none.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      by: try container.decode(Key.self, forKey: .key),
      isDescending: try container.decodeIfPresent(Bool.self, forKey: .isDescending) ?? false
    )
  }

  /// Writes the `key` as a word, and `isDescending`.
  ///
  /// - Parameter encoder: What takes them.
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(key, forKey: .key)
    try container.encode(isDescending, forKey: .isDescending)
  }
}

extension SnippetFilter: Codable {
  private enum CodingKeys: String, CodingKey {
    case kinds, tags, isPinned, createdFrom, createdBefore, isInTrash
  }

  /// Reads the conditions that are there; one that is missing is open.
  ///
  /// - Parameter decoder: What holds the conditions.
  /// - Throws: `DecodingError`, also for one date without the other, or dates in the wrong order.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let start = try container.decodeIfPresent(Date.self, forKey: .createdFrom)
    let end = try container.decodeIfPresent(Date.self, forKey: .createdBefore)
    var dates: Range<Date>?
    switch (start, end) {
    case (nil, nil): break
    case (let start?, let end?) where start <= end: dates = start..<end
    default:
      throw DecodingError.dataCorruptedError(
        forKey: .createdFrom,
        in: container,
        debugDescription: "createdFrom and createdBefore must both be there, in this order."
      )
    }
    self.init(
      kinds: try container.decodeIfPresent(Set<SnippetKind>.self, forKey: .kinds),
      tags: try container.decodeIfPresent(Set<String>.self, forKey: .tags) ?? [],
      isPinned: try container.decodeIfPresent(Bool.self, forKey: .isPinned),
      createdAt: dates,
      isInTrash: try container.decodeIfPresent(Bool.self, forKey: .isInTrash) ?? false
    )
  }

  /// Writes the conditions that are set: `kinds` and `tags` as sorted arrays, `isPinned`, the
  /// bounds as `createdFrom` and `createdBefore`, and `isInTrash`.
  ///
  /// - Parameter encoder: What takes them.
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    let kinds = kinds?.sorted { $0.rawValue < $1.rawValue }
    try container.encodeIfPresent(kinds, forKey: .kinds)
    if !tags.isEmpty { try container.encode(tags.sorted(), forKey: .tags) }
    try container.encodeIfPresent(isPinned, forKey: .isPinned)
    try container.encodeIfPresent(createdAt?.lowerBound, forKey: .createdFrom)
    try container.encodeIfPresent(createdAt?.upperBound, forKey: .createdBefore)
    if isInTrash { try container.encode(isInTrash, forKey: .isInTrash) }
  }
}

extension SnippetRow: Codable {
  private enum CodingKeys: String, CodingKey {
    case id, uuid, kind, title, preview, createdAt, modifiedAt, isPinned, tags, byteCount
    case mediaType, facts, revision, blobID, deletedAt
  }

  /// Reads a row; what may be empty or unknown may be missing.
  ///
  /// - Parameter decoder: What holds the row.
  /// - Throws: `DecodingError`, also for a size below 0.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let byteCount = try container.decode(Int64.self, forKey: .byteCount)
    guard byteCount >= 0 else {
      throw DecodingError.dataCorruptedError(
        forKey: .byteCount,
        in: container,
        debugDescription: "A size must not be below 0."
      )
    }
    self.init(
      id: try container.decode(SnippetID.self, forKey: .id),
      uuid: try container.decode(UUID.self, forKey: .uuid),
      kind: try container.decode(SnippetKind.self, forKey: .kind),
      title: try container.decode(String.self, forKey: .title),
      preview: try container.decodeIfPresent(String.self, forKey: .preview) ?? "",
      createdAt: try container.decode(Date.self, forKey: .createdAt),
      modifiedAt: try container.decode(Date.self, forKey: .modifiedAt),
      isPinned: try container.decodeIfPresent(Bool.self, forKey: .isPinned) ?? false,
      tags: try container.decodeIfPresent([String].self, forKey: .tags) ?? [],
      byteCount: byteCount,
      mediaType: try container.decode(String.self, forKey: .mediaType),
      facts: try container.decodeIfPresent(MediaFacts.self, forKey: .facts) ?? MediaFacts(),
      revision: try container.decodeIfPresent(Int64.self, forKey: .revision) ?? 1,
      blobID: try container.decodeIfPresent(BlobID.self, forKey: .blobID),
      deletedAt: try container.decodeIfPresent(Date.self, forKey: .deletedAt)
    )
  }

  /// Writes every property under its name; `blobID` and `deletedAt` only where there is one.
  ///
  /// - Parameter encoder: What takes them.
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    try container.encode(uuid, forKey: .uuid)
    try container.encode(kind, forKey: .kind)
    try container.encode(title, forKey: .title)
    try container.encode(preview, forKey: .preview)
    try container.encode(createdAt, forKey: .createdAt)
    try container.encode(modifiedAt, forKey: .modifiedAt)
    try container.encode(isPinned, forKey: .isPinned)
    try container.encode(tags, forKey: .tags)
    try container.encode(byteCount, forKey: .byteCount)
    try container.encode(mediaType, forKey: .mediaType)
    try container.encode(facts, forKey: .facts)
    try container.encode(revision, forKey: .revision)
    try container.encodeIfPresent(blobID, forKey: .blobID)
    try container.encodeIfPresent(deletedAt, forKey: .deletedAt)
  }
}

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
