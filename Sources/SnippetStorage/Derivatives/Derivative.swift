public import Foundation

/// How something is computed from a blob.
public struct DerivativeRecipe: Hashable, Sendable {
  /// The name, such as `thumbnail 320`: one line of 1 to 100 characters.
  public let name: String
  /// Goes up when the same blob gives another result: what an earlier version made is not found any
  /// more, and makes room for what this one makes.
  public let version: Int

  /// Names a recipe.
  ///
  /// - Parameters:
  ///   - name: The name, one line of 1 to 100 characters.
  ///   - version: The version; 1 by default.
  public init(_ name: String, version: Int = 1) {
    precondition(
      (1...100).contains(name.unicodeScalars.count)
        && !name.unicodeScalars.contains { $0 == "\n" || $0 == "\0" },
      "The name of a recipe must be one line of 1 to 100 characters."
    )
    self.name = name
    self.version = version
  }
}

/// What was computed from a blob and can be computed again: a thumbnail, a waveform.
public struct Derivative: Hashable, Sendable {
  /// What it was computed from.
  public var blobID: BlobID
  /// How it was computed.
  public var recipe: DerivativeRecipe
  /// The result.
  public var data: Data

  /// Takes what was computed.
  ///
  /// - Parameters:
  ///   - blobID: What it was computed from.
  ///   - recipe: How it was computed.
  ///   - data: The result.
  public init(blobID: BlobID, recipe: DerivativeRecipe, data: Data) {
    self.blobID = blobID
    self.recipe = recipe
    self.data = data
  }
}
