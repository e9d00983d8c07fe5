public import SnippetStorage

/// Which form of a blob a load is for.
public struct BlobVariant: RawRepresentable, Hashable, Sendable {
  /// The number of the form.
  public let rawValue: UInt32

  /// Names a form by its number.
  ///
  /// - Parameter rawValue: 0 is ``original``.
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// The bytes as they are stored.
  public static let original = Self(rawValue: 0)
}

/// The identity of a load: one form of one blob.
///
/// It never holds a position, and needs no revision: a blob does not change and its number is not
/// given twice, so an equal key always means equal bytes. An edit that leaves the blob alone loads
/// nothing again, and two snippets with the same blob share one load.
public struct LoadKey: Hashable, Sendable, CustomStringConvertible {
  /// The blob.
  public let blobID: BlobID
  /// The form of it.
  public let variant: BlobVariant

  /// Makes a key.
  ///
  /// - Parameters:
  ///   - blobID: The blob.
  ///   - variant: The form of it. The default is the bytes as they are stored.
  public init(blobID: BlobID, variant: BlobVariant = .original) {
    self.blobID = blobID
    self.variant = variant
  }

  /// The number of the blob, and that of the form unless it is the original.
  public var description: String {
    variant == .original ? "\(blobID)" : "\(blobID).\(variant.rawValue)"
  }

  /// What a cell with this row needs, or `nil` when the row is all there is.
  init?(_ row: SnippetRow) {
    guard let blobID = row.blobID else { return nil }
    self.init(blobID: blobID)
  }
}
