import Foundation
import SnippetRecognition

// Identities are plain numbers, kinds are words, and the encoder chooses the form of dates. The
// encoded form stays the same from one version of the package to the next.

extension SnippetRow: Codable {
  private enum CodingKeys: String, CodingKey {
    case id, uuid, kind, title, preview, createdAt, modifiedAt, isPinned, tags, byteCount
    case mediaType, facts, revision, blobID, deletedAt
  }

  /// Decodes a row; properties that may be empty or unknown may be missing.
  ///
  /// - Parameter decoder: The decoder to read from.
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

  /// Encodes every property under its name; `blobID` and `deletedAt` only if they are set.
  ///
  /// - Parameter encoder: The encoder to write to.
  /// - Throws: Errors of the encoder.
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
