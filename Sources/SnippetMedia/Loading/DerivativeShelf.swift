package import Foundation
package import SnippetStorage

/// Where derivatives are kept for as long as there is room: the store, or memory in a test.
package protocol DerivativeShelf: Sendable {
  /// The derivative of a blob by a recipe; `nil` when none is kept, or only of another version.
  func derivative(of blob: BlobID, by recipe: Recipe) throws -> Data?

  /// Keeps a derivative in place of what was kept of the blob by the same recipe.
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
