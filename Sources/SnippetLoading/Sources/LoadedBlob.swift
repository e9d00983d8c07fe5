public import Foundation

/// A blob in memory: its bytes, and the content decoded from them.
///
/// Cells hold it as long as they show it. The cache may evict it earlier, and finds it again as
/// long as anything holds it, so a blob on screen is not loaded twice.
public final class LoadedBlob: Sendable {
  /// The identity of the blob.
  public let key: LoadKey
  /// The bytes; empty when only the decoded content is useful.
  public let bytes: Data
  /// The decoded content, ready to be shown; `nil` when there are only bytes.
  private let content: (any Sendable)?
  /// The memory taken by the bytes and the content together, in bytes.
  public let byteCount: Int

  /// Makes a blob by hand, for a test or a preview; the loader makes its own.
  ///
  /// - Parameters:
  ///   - key: The identity of the blob.
  ///   - bytes: The bytes.
  ///   - content: The content decoded from them. The default is none.
  ///   - byteCount: The memory taken by both, in bytes. The default is the number of bytes.
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

  /// The decoded content, as the type that its processor makes.
  ///
  /// - Parameter type: The type.
  /// - Returns: The content; `nil` when there is none, or it has another type.
  public func content<Content: Sendable>(as type: Content.Type) -> Content? {
    content as? Content
  }
}

extension LoadedBlob: Hashable {
  /// Whether both have the same key, and so the same bytes.
  public static func == (lhs: LoadedBlob, rhs: LoadedBlob) -> Bool { lhs.key == rhs.key }

  /// Hashes the key.
  ///
  /// - Parameter hasher: Takes the key.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(key)
  }
}
