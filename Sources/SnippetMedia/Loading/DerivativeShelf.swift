public import Foundation
public import SnippetStorage

/// Where what was made of blobs is kept, until there is no more room.
public protocol DerivativeShelf: Sendable {
  /// What was made of a blob and kept.
  ///
  /// - Parameters:
  ///   - blob: The blob.
  ///   - recipe: How it was made.
  /// - Returns: The result; `nil` when it is not kept, or was made by another version.
  /// - Throws: Any error; the result is then made again.
  func derivative(of blob: BlobID, by recipe: MediaRecipe) throws -> Data?

  /// Keeps what was made of a blob, in place of what was kept of it by the same recipe.
  ///
  /// - Parameters:
  ///   - derivative: The result.
  ///   - blob: The blob.
  ///   - recipe: How it was made.
  /// - Throws: Any error; the result is then not kept.
  func keep(_ derivative: Data, of blob: BlobID, by recipe: MediaRecipe) throws
}
