package import Foundation
import GRDB
import SnippetBase

/// Used by SnippetMedia, whose decoding runs on threads of the loader that may block.
extension SnippetStore {
  /// Reads a derivative as ``derivative(of:by:)`` does, and blocks.
  package func blockingDerivative(
    of blob: BlobID,
    by recipe: Recipe
  ) throws(SnippetStoreError) -> Data? {
    let read = derivativeReading(of: blob, by: recipe)
    return try connections.read(.smallReads, to: Self.readingDerivatives) { try read($0) }
  }

  /// Keeps derivatives as ``saveDerivatives(_:)`` does, and blocks; a failure goes to the store's
  /// events.
  @discardableResult
  package func blockingSaveDerivatives(
    _ derivatives: [Derivative]
  ) throws(SnippetStoreError) -> Int {
    let save = derivativeSaving(derivatives)
    // The loader already has its picture, and continues without a stored one.
    return try connections.events.noting(.keepingDerivatives) { () throws(SnippetStoreError) in
      try connections.write(to: Self.savingDerivatives) { db in try save(db) }
    }
  }
}
