public import Foundation

/// A blob in memory: its bytes, and what was decoded from them.
///
/// Cells hold it as long as they show it. The cache may let go of it earlier, and finds it again as
/// long as somebody holds it, so that what is on screen is not loaded twice.
public final class LoadedBlob: Sendable {
  /// What it is.
  public let key: LoadKey
  /// The bytes; empty when only what was decoded from them is of use.
  public let bytes: Data
  /// What was decoded from the bytes, ready to be shown; `nil` when the bytes are all.
  public let content: (any Sendable)?
  /// The memory taken by the bytes and the content together, in bytes.
  public let byteCount: Int

  /// Makes a blob by hand, for a test or a preview; the loader makes its own.
  ///
  /// - Parameters:
  ///   - key: What it is.
  ///   - bytes: The bytes.
  ///   - content: What was decoded from them. The default is nothing.
  ///   - byteCount: The memory taken by both, in bytes. The default is the number of the bytes.
  public init(
    key: LoadKey,
    bytes: Data,
    content: (any Sendable)? = nil,
    byteCount: Int? = nil
  ) {
    self.key = key
    self.bytes = bytes
    self.content = content
    self.byteCount = max(0, byteCount ?? bytes.count)
  }

  /// What was decoded from the bytes, as the type that its processor makes.
  ///
  /// - Parameter type: The type.
  /// - Returns: The content; `nil` when there is none, or it is something else.
  public func content<Content: Sendable>(as type: Content.Type) -> Content? {
    content as? Content
  }
}

extension LoadedBlob: Hashable {
  /// Whether both are the same form of the same blob, and so have the same bytes.
  public static func == (lhs: LoadedBlob, rhs: LoadedBlob) -> Bool { lhs.key == rhs.key }

  /// Feeds the key, which tells blobs apart.
  ///
  /// - Parameter hasher: Takes the key.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(key)
  }
}
