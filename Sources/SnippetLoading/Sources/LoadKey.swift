public import SnippetStorage

/// The identity of a load: the content that it is computed from, and the recipe.
///
/// It holds no position. A blob does not change and its number is not reused, so an edit that
/// leaves the blob alone loads nothing again, and two snippets with the same blob share one load. A
/// short text has no blob: it is loaded by its snippet, and again for each revision, and so are
/// results computed from a row. So equal keys mean equal content.
public struct LoadKey: Hashable, Sendable, CustomStringConvertible {
  /// The content that a load is computed from.
  package enum Content: Hashable, Sendable {
    /// A blob.
    case blob(BlobID)
    /// A snippet at a revision: its row, or the text kept with it.
    case snippet(SnippetID, revision: Int64)
  }

  /// The recipe applied to the content.
  public let recipe: Recipe
  /// The number of the blob or of the snippet.
  private let number: Int64
  /// The revision of the snippet; 0 for a blob, since no revision is 0.
  private let revision: Int64

  /// Makes a key.
  ///
  /// - Parameters:
  ///   - content: The content that the load is computed from.
  ///   - recipe: The recipe applied to it. The default is the unchanged bytes.
  package init(_ content: Content, recipe: Recipe = .original) {
    switch content {
    case .blob(let id): (number, revision) = (id.rawValue, 0)
    case .snippet(let id, let revision): (number, self.revision) = (id.rawValue, max(1, revision))
    }
    self.recipe = recipe
  }

  /// Makes the key of a blob.
  ///
  /// - Parameters:
  ///   - blobID: The blob.
  ///   - recipe: The recipe applied to it. The default is the unchanged bytes.
  public init(blobID: BlobID, recipe: Recipe = .original) {
    self.init(.blob(blobID), recipe: recipe)
  }

  /// Makes the key of a snippet's content: its blob, or its short text at this revision.
  ///
  /// - Parameters:
  ///   - row: The snippet.
  ///   - recipe: The recipe applied to it. The default is the unchanged bytes.
  public init(of row: SnippetRow, recipe: Recipe = .original) {
    self.init(row.blobID.map(Content.blob) ?? .snippet(of: row), recipe: recipe)
  }

  /// The content that the load is computed from.
  package var content: Content {
    revision == 0
      ? .blob(BlobID(rawValue: number))
      : .snippet(SnippetID(rawValue: number), revision: revision)
  }

  /// The blob that the load is computed from; `nil` for a snippet.
  public var blobID: BlobID? { revision == 0 ? BlobID(rawValue: number) : nil }

  /// The snippet that the load is computed from, by its row or its short text; `nil` for a blob.
  public var snippetID: SnippetID? { revision == 0 ? nil : SnippetID(rawValue: number) }

  /// The same content with another recipe.
  ///
  /// - Parameter recipe: The other recipe.
  /// - Returns: The key.
  public func by(_ recipe: Recipe) -> LoadKey { LoadKey(content, recipe: recipe) }

  /// The number of the blob, or of the snippet with its revision; and the recipe unless it is the
  /// original.
  public var description: String {
    let content = revision == 0 ? "\(number)" : "snippet \(number)@\(revision)"
    return recipe == .original ? content : "\(content) \(recipe)"
  }

  /// A number that stands for the content, for sources that generate bytes.
  package var seed: UInt64 { UInt64(bitPattern: number) &+ UInt64(bitPattern: revision) << 32 }

  /// A number that mixes everything that distinguishes two keys.
  var mixedBits: UInt64 {
    UInt64(bitPattern: number) &+ UInt64(bitPattern: revision) &* 0xD1B5_4A32_D192_ED03
      &+ UInt64(recipe.number) &* 0x9E37_79B9_7F4A_7C15
  }

  // By the numbers alone, which the compiler can see through the module boundary.

  /// Whether two keys have the same content and recipe.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.number == rhs.number && lhs.revision == rhs.revision
      && lhs.recipe.number == rhs.recipe.number
  }

  /// Hashes all fields.
  ///
  /// - Parameter hasher: Takes the numbers.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(number)
    hasher.combine(revision)
    hasher.combine(recipe.number)
  }
}

extension LoadKey.Content {
  /// A snippet at the revision of a row.
  static func snippet(of row: SnippetRow) -> Self { .snippet(row.id, revision: row.revision) }
}
