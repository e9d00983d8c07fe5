public import Foundation
public import SnippetStorage

/// The bytes of an image or a recording, read where and when a decoder needs them.
///
/// ```swift
/// let picture = MediaInput(try Data(contentsOf: url))
/// let recording = MediaInput(blob, byteCount: row.byteCount, in: store)  // in constant memory
/// ```
public struct MediaInput: Sendable {
  /// The number of the bytes.
  public let byteCount: Int64

  /// All bytes, where they are in memory anyway.
  private let whole: Data?
  private let supply: @Sendable (UnsafeMutableRawBufferPointer, Int64) throws -> Int

  /// Takes bytes in memory.
  ///
  /// - Parameter bytes: All of them.
  public init(_ bytes: Data) {
    self.init(byteCount: Int64(bytes.count), whole: bytes) { buffer, offset in
      guard offset >= 0, offset < bytes.count else { return 0 }
      let start = bytes.startIndex + Int(offset)
      let end = min(bytes.endIndex, start + buffer.count)
      return bytes[start..<end].copyBytes(to: buffer)
    }
  }

  /// Takes bytes from anywhere else.
  ///
  /// - Parameters:
  ///   - byteCount: The number of the bytes.
  ///   - read: Fills a buffer with the bytes from a place on, and returns how many there were:
  ///     fewer than asked for only at the end. It is called on any thread, one call at a time.
  public init(
    byteCount: Int64,
    read: @escaping @Sendable (UnsafeMutableRawBufferPointer, Int64) throws -> Int
  ) {
    self.init(byteCount: byteCount, whole: nil, read: read)
  }

  private init(
    byteCount: Int64,
    whole: Data?,
    read: @escaping @Sendable (UnsafeMutableRawBufferPointer, Int64) throws -> Int
  ) {
    self.byteCount = max(0, byteCount)
    self.whole = whole
    supply = read
  }

  /// Takes a blob of a store; nothing is read yet.
  ///
  /// - Parameters:
  ///   - blob: The blob.
  ///   - byteCount: Its size, as the row says.
  ///   - store: The store.
  public init(_ blob: BlobID, byteCount: Int64, in store: SnippetStore) {
    self.init(byteCount: byteCount) { buffer, offset in
      guard offset >= 0, offset < byteCount else { return 0 }
      let count = Int(min(byteCount - offset, Int64(buffer.count)))
      let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
      return try store.readBlob(blob, at: offset, into: part)
    }
  }

  /// Takes a blob of a store once all its bytes were held against their hash, which takes a small
  /// part of the time of decoding them.
  ///
  /// - Parameters:
  ///   - blob: The blob.
  ///   - store: The store.
  ///   - isCancelled: Says whether to stop.
  /// - Throws: ``MediaError/Code/unreadable``, also when the bytes are not those that were saved;
  ///   ``MediaError/Code/cancelled``.
  package init(
    verified blob: BlobID,
    in store: SnippetStore,
    isCancelled: () -> Bool
  ) throws(MediaError) {
    do {
      let byteCount = try store.verifiedByteCount(of: blob) {
        if isCancelled() { throw CancellationError() }
      }
      self.init(blob, byteCount: byteCount, in: store)
    } catch is CancellationError {
      throw MediaError(.cancelled)
    } catch {
      let reason = (error as? SnippetStoreError)?.reason ?? String(describing: error)
      throw MediaError(.unreadable, reason: reason)
    }
  }

  /// Fills a buffer with the bytes from a place on.
  ///
  /// - Parameters:
  ///   - buffer: Takes the bytes.
  ///   - offset: The position of the first byte; any number is allowed.
  /// - Returns: How many bytes were read; fewer than fit in the buffer only at the end.
  /// - Throws: ``MediaError/Code/unreadable``
  public func read(
    into buffer: UnsafeMutableRawBufferPointer,
    at offset: Int64
  ) throws(MediaError) -> Int {
    guard offset >= 0, offset < byteCount, buffer.count > 0 else { return 0 }
    do {
      return min(max(0, try supply(buffer, offset)), buffer.count)
    } catch {
      throw MediaError(.unreadable, reason: String(describing: error))
    }
  }

  /// All bytes in memory.
  ///
  /// - Parameter isCancelled: Says whether to stop.
  /// - Returns: The bytes.
  /// - Throws: ``MediaError/Code/unreadable``, also when there are fewer than announced;
  ///   ``MediaError/Code/cancelled``.
  func allBytes(isCancelled: () -> Bool) throws(MediaError) -> Data {
    if let whole { return whole }
    guard let count = Int(exactly: byteCount) else { throw MediaError(.tooLarge) }
    var bytes = Data(count: count)
    var offset = 0
    while offset < count {
      guard !isCancelled() else { throw MediaError(.cancelled) }
      let end = min(count, offset + Self.pieceByteCount)
      let read = bytes.withUnsafeMutableBytes { buffer in
        Result { () throws(MediaError) in
          let piece = UnsafeMutableRawBufferPointer(rebasing: buffer[offset..<end])
          return try self.read(into: piece, at: Int64(offset))
        }
      }
      guard try read.get() == end - offset else {
        throw MediaError(.unreadable, reason: "there are fewer bytes than announced")
      }
      offset = end
    }
    return bytes
  }

  /// What the bytes are, by their headers.
  ///
  /// - Returns: The type and the facts; `nil` when they are no image or recording that a store
  ///   knows.
  /// - Throws: ``MediaError/Code/unreadable``
  package func recognized() throws(MediaError) -> RecognizedContent? {
    do {
      return try RecognizedContent.ofMedia(byteCount: byteCount, read: supply)
    } catch {
      throw MediaError(.unreadable, reason: String(describing: error))
    }
  }

  /// The most bytes read at once: 256 KiB, as a store keeps them.
  static let pieceByteCount = 1 << 18
}
