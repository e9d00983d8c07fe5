import Foundation
import SnippetRecognition

// Orders are words, and what holds for all snippets may be missing. The form stays as it is from one
// version of the package to the next.

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
    case kinds, tags, isPinned, createdFrom, createdBefore, isInTrash, query
  }

  /// Reads the conditions that are there; one that is missing is open.
  ///
  /// - Parameter decoder: What holds the conditions.
  /// - Throws: `DecodingError`, also for one date without the other, dates in the wrong order, and a
  ///   query that is none or looks for words.
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

  /// Writes the conditions that are set: `kinds` and `tags` as sorted arrays, `isPinned`, the
  /// bounds as `createdFrom` and `createdBefore`, `isInTrash`, and the `query` as text.
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
    try container.encodeIfPresent(query?.text, forKey: .query)
  }
}
