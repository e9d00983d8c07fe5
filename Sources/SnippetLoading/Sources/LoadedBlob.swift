public import Foundation

/// A blob in memory: its bytes, and what was decoded from them.
///
/// Cells hold it as long as they show it. The cache may evict it earlier, and finds it again as
/// long as anything holds it, so that what is on screen is not loaded twice.
public final class LoadedBlob: Sendable {
  /// What it is.
  public let key: LoadKey
  /// The bytes; empty when only what was decoded from them is of use.
  public let bytes: Data
  /// What was decoded from the bytes, ready to be shown; `nil` when the bytes are all.
  private let content: (any Sendable)?
  /// The memory taken by the bytes and the content together, in bytes.
  public let byteCount: Int

  /// Makes a blob by hand, for a test or a preview; the loader makes its own.
  ///
  /// - Parameters:
  ///   - key: What it is.
  ///   - bytes: The bytes.
  ///   - byteCount: The memory taken, in bytes. The default is the number of the bytes.
  public convenience init(key: LoadKey, bytes: Data, byteCount: Int? = nil) {
    self.init(key: key, bytes: bytes, anyContent: nil, byteCount: byteCount)
  }

  /// Makes a blob with decoded content by hand, for a test or a preview.
  ///
  /// - Parameters:
  ///   - key: What it is.
  ///   - bytes: The bytes.
  ///   - content: What was decoded from them.
  ///   - byteCount: The memory taken by both, in bytes. The default is the number of the bytes.
  public convenience init(
    key: LoadKey,
    bytes: Data,
    content: some Sendable,
    byteCount: Int? = nil
  ) {
    self.init(key: key, bytes: bytes, anyContent: content, byteCount: byteCount)
  }

  init(key: LoadKey, bytes: Data, anyContent: (any Sendable)?, byteCount: Int?) {
    self.key = key
    self.bytes = bytes
    content = anyContent
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

  /// Hashes the key.
  ///
  /// - Parameter hasher: Takes the key.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(key)
  }
}
