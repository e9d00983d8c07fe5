import Foundation
import SnippetRecognition

// Defaults are left out. The encoded form stays the same from one version of the package to the
// next.

extension SnippetFilter: Codable {
  private enum CodingKeys: String, CodingKey {
    case kinds, tags, isPinned, createdFrom, createdBefore, isInTrash, query
  }

  /// Decodes the conditions that are present; the others stay open.
  ///
  /// - Parameter decoder: The decoder to read from.
  /// - Throws: `DecodingError`, also for one date without the other, for dates in the wrong order,
  ///   and for a query that is invalid or looks for words.
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
    if let text = try container.decodeIfPresent(String.self, forKey: .query) {
      query = try Self.conditions(text, in: container)
    }
  }

  private static func conditions(
    _ text: String,
    in container: KeyedDecodingContainer<CodingKeys>
  ) throws -> SearchQuery? {
    let query: SearchQuery
    do {
      query = try SearchQuery(parsing: text)
    } catch {
      throw DecodingError.dataCorruptedError(
        forKey: .query,
        in: container,
        debugDescription: error.localizedDescription
      )
    }
    guard !query.hasWords else {
      throw DecodingError.dataCorruptedError(
        forKey: .query,
        in: container,
        debugDescription: "query must have conditions only."
      )
    }
    return query.expression.map { SearchQuery($0) }
  }

  /// Encodes the conditions that are set: `kinds` and `tags` as sorted arrays, `isPinned`, the
  /// bounds as `createdFrom` and `createdBefore`, `isInTrash`, and the `query` as text.
  ///
  /// - Parameter encoder: The encoder to write to.
  /// - Throws: Errors of the encoder.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    let kinds = kinds?.sorted { $0.rawValue < $1.rawValue }
    try container.encodeIfPresent(kinds, forKey: .kinds)
    if !tags.isEmpty { try container.encode(tags.sorted(), forKey: .tags) }
    try container.encodeIfPresent(isPinned, forKey: .isPinned)
    try container.encodeIfPresent(createdAt?.lowerBound, forKey: .createdFrom)
    try container.encodeIfPresent(createdAt?.upperBound, forKey: .createdBefore)
    if isInTrash { try container.encode(isInTrash, forKey: .isInTrash) }
    try container.encodeIfPresent(query?.text, forKey: .query)
  }
}
