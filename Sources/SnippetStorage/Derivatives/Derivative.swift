public import Foundation

/// What was computed from a blob and can be computed again: a thumbnail, a waveform.
public struct Derivative: Hashable, Sendable {
  /// What it was computed from.
  public var blobID: BlobID
  /// How it was computed.
  public var recipe: Recipe
  /// The result.
  public var data: Data

  /// Takes what was computed.
  ///
  /// - Parameters:
  ///   - blobID: What it was computed from.
  ///   - recipe: How it was computed.
  ///   - data: The result.
  public init(blobID: BlobID, recipe: Recipe, data: Data) {
    self.blobID = blobID
    self.recipe = recipe
    self.data = data
  }
}
