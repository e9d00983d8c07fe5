package import Foundation
package import SnippetStorage

/// A cache of derivatives: the store, or memory in a test.
package protocol DerivativeShelf: Sendable {
  /// Returns a derivative; `nil` if none is stored, or only one of another version.
  func derivative(of blob: BlobID, by recipe: Recipe) throws -> Data?

  /// Stores a derivative, replacing one of the same blob and recipe.
  func keep(_ derivative: Data, of blob: BlobID, by recipe: Recipe) throws
}

extension SnippetStore: DerivativeShelf {
  package func derivative(of blob: BlobID, by recipe: Recipe) throws -> Data? {
    try blockingDerivative(of: blob, by: recipe)
  }

  package func keep(_ derivative: Data, of blob: BlobID, by recipe: Recipe) throws {
    try blockingSaveDerivatives([Derivative(blobID: blob, recipe: recipe, data: derivative)])
  }
}
