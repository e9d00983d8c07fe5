public import SnippetStorage

/// The identity of a load: a blob, and the recipe for what is made of it.
///
/// It holds neither position nor revision. A blob does not change and its number is not reused, so
/// equal keys always mean equal bytes. An edit that leaves the blob alone loads nothing again, and
/// two snippets with the same blob share one load.
public struct LoadKey: Hashable, Sendable, CustomStringConvertible {
  /// The blob.
  public let blobID: BlobID
  /// What is made of it.
  public let recipe: Recipe

  /// Makes a key.
  ///
  /// - Parameters:
  ///   - blobID: The blob.
  ///   - recipe: What is made of it. The default is the bytes as they are.
  public init(blobID: BlobID, recipe: Recipe = .original) {
    self.blobID = blobID
    self.recipe = recipe
  }

  /// The number of the blob, and the recipe unless it is the original.
  public var description: String {
    recipe == .original ? "\(blobID)" : "\(blobID) \(recipe)"
  }

  // By the numbers alone, which the compiler can see through the module that they come from.

  /// Whether two keys are for the same blob by the same recipe.
  public static func == (lhs: Self, rhs: Self) -> Bool {
    lhs.blobID.rawValue == rhs.blobID.rawValue && lhs.recipe.number == rhs.recipe.number
  }

  /// Hashes both.
  ///
  /// - Parameter hasher: Takes them.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(blobID.rawValue)
    hasher.combine(recipe.number)
  }
}
