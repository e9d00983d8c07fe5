public import Foundation

/// A result computed from a blob that can be computed again: a thumbnail, a waveform.
public struct Derivative: Hashable, Sendable {
  /// The blob that it was computed from.
  public var blobID: BlobID
  /// The recipe that it was computed with.
  public var recipe: Recipe
  /// The result.
  public var data: Data

  /// Makes a derivative.
  ///
  /// - Parameters:
  ///   - blobID: The blob that it was computed from.
  ///   - recipe: The recipe that it was computed with.
  ///   - data: The result.
  public init(blobID: BlobID, recipe: Recipe, data: Data) {
    self.blobID = blobID
    self.recipe = recipe
    self.data = data
  }
}
