public import Foundation
public import SnippetStorage

extension SnippetStore: DerivativeShelf {
  /// What was made of a blob and kept in the store.
  ///
  /// - Parameters:
  ///   - blob: The blob.
  ///   - recipe: How it was made.
  /// - Returns: The result; `nil` when it is not kept, or was made by another version.
  /// - Throws: ``SnippetStoreError``
  public func derivative(of blob: BlobID, by recipe: MediaRecipe) throws -> Data? {
    try derivative(of: blob, by: recipe.inStore)
  }

  /// Keeps what was made of a blob in the store, as long as there is room for it.
  ///
  /// - Parameters:
  ///   - derivative: The result.
  ///   - blob: The blob.
  ///   - recipe: How it was made.
  /// - Throws: ``SnippetStoreError``
  public func keep(_ derivative: Data, of blob: BlobID, by recipe: MediaRecipe) throws {
    let kept = Derivative(blobID: blob, recipe: recipe.inStore, data: derivative)
    try saveDerivatives([kept])
  }
}

extension MediaRecipe {
  fileprivate var inStore: DerivativeRecipe { DerivativeRecipe(name, version: version) }
}
