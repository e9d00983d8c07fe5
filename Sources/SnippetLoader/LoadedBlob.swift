public import Foundation

/// One variant of a blob in memory: its bytes, and what a processor made of them.
///
/// Cells hold it for as long as they show it. While anybody does, the loader finds it again, even
/// after it had to leave the cache. Two are equal when their keys are: an equal key always means
/// equal bytes.
public final class LoadedBlob: Sendable {
  /// Which variant of which blob it is.
  public let key: LoadKey
  /// The bytes of the variant; empty when ``content`` is all there is.
  public let bytes: Data
  /// What a processor made of the bytes, ready to be shown, such as a decoded picture; `nil` when
  /// there was none.
  public let content: (any Sendable)?
  /// The memory that bytes and content take, in bytes.
  public let byteCount: Int

  /// Makes a loaded blob by hand, for previews and tests; the loader makes its own.
  ///
  /// - Parameters:
  ///   - key: Which variant of which blob it is.
  ///   - bytes: The bytes of the variant.
  ///   - content: What was made of the bytes. The default is nothing.
  ///   - contentByteCount: The memory that the content takes, in bytes. The default is 0.
  public init(
    key: LoadKey,
    bytes: Data,
    content: (any Sendable)? = nil,
    contentByteCount: Int = 0
  ) {
    self.key = key
    self.bytes = bytes
    self.content = content
    let (sum, isOverflow) = bytes.count.addingReportingOverflow(max(0, contentByteCount))
    byteCount = isOverflow ? .max : sum
  }
}

extension LoadedBlob: Hashable {
  /// Whether two are the same variant of the same blob.
  public static func == (lhs: LoadedBlob, rhs: LoadedBlob) -> Bool {
    lhs === rhs || lhs.key == rhs.key
  }

  /// Hashes the key.
  ///
  /// - Parameter hasher: Takes the key.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(key)
  }
}
