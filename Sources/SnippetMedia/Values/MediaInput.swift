public import Foundation
public import SnippetStorage

/// The bytes of an image or a recording, read when a decoder needs them.
///
/// ```swift
/// let picture = MediaInput(try Data(contentsOf: url))
/// let recording = MediaInput(blob, byteCount: row.byteCount, in: store)  // in constant memory
/// ```
public struct MediaInput: Sendable, ByteSource {
  /// The number of bytes.
  public let byteCount: Int64

  /// All bytes, if they are in memory anyway.
  private let whole: Data?
  private let supply: @Sendable (UnsafeMutableRawBufferPointer, Int64) throws -> Int

  /// Wraps bytes in memory.
  ///
  /// - Parameter bytes: All bytes.
  public init(_ bytes: Data) {
    self.init(byteCount: Int64(bytes.count), whole: bytes) { buffer, offset in
      guard offset >= 0, offset < bytes.count else { return 0 }
      let start = bytes.startIndex + Int(offset)
      let end = min(bytes.endIndex, start + buffer.count)
      return bytes[start..<end].copyBytes(to: buffer)
    }
  }

  /// Wraps bytes from any other source.
  ///
  /// - Parameters:
  ///   - byteCount: The number of bytes.
  ///   - read: Fills a buffer with the bytes from a position on and returns their number, which may
  ///     be less than requested only at the end. It is called on any thread, one call at a time.
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

  /// Wraps a blob of a store, without reading it yet.
  ///
  /// - Parameters:
  ///   - blob: The blob.
  ///   - byteCount: Its size, as given in the row.
  ///   - store: The store.
  public init(_ blob: BlobID, byteCount: Int64, in store: SnippetStore) {
    self.init(byteCount: byteCount) { buffer, offset in
      guard offset >= 0, offset < byteCount else { return 0 }
      let count = Int(min(byteCount - offset, Int64(buffer.count)))
      let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])
      return try store.readBlob(blob, at: offset, into: part)
    }
  }

  /// Wraps a blob of a store after checking all its bytes against their hash, which takes a small
  /// part of the time needed to decode them.
  ///
  /// - Parameters:
  ///   - blob: The blob.
  ///   - store: The store.
  ///   - isCancelled: Tells whether to stop.
  /// - Throws: ``MediaError/Code/unreadable``, also if the bytes are damaged;
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

  /// Fills a buffer with the bytes from a position on.
  ///
  /// - Parameters:
  ///   - buffer: Receives the bytes.
  ///   - offset: The position of the first byte; any number is allowed.
  /// - Returns: The number of bytes read; fewer than fit into the buffer only at the end.
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

  /// Reads all bytes into memory.
  ///
  /// - Parameter isCancelled: Tells whether to stop.
  /// - Returns: The bytes.
  /// - Throws: ``MediaError/Code/unreadable``, also if there are fewer than announced;
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

  /// Recognizes the bytes by their headers.
  ///
  /// - Returns: The type and the facts; `nil` if they are not an image or a recording known to a
  ///   store.
  /// - Throws: ``MediaError/Code/unreadable``
  package func recognized() throws(MediaError) -> RecognizedContent? {
    try reading { try ContentRecognizer.recognizeMedia(self) }
  }

  /// Whether the end of an image or a recording of a type is missing.
  func isCut(_ type: ContentType) throws(MediaError) -> Bool {
    try reading { try ContentRecognizer.isCut(type, self) }
  }

  /// Leaves out what comes before an image or a recording, since decoders know files by their first
  /// bytes.
  func withoutJunk() throws(MediaError) -> MediaInput {
    let start = try reading { try ContentRecognizer.mediaStart(in: self) }
    guard start > 0 else { return self }
    let part = PartOfSource(source: self, part: start..<byteCount)
    return MediaInput(byteCount: part.byteCount) { try part.read(into: $0, at: $1) }
  }

  /// Finds the largest JPEG of a raw picture; `nil` if the bytes are none.
  func rawPreview() throws(MediaError) -> RawPreview? {
    try reading { try RawPreview(of: self) }
  }

  private func reading<Result>(_ read: () throws -> Result) throws(MediaError) -> Result {
    do {
      return try read()
    } catch let error as MediaError {
      throw error
    } catch {
      throw MediaError(.unreadable, reason: String(describing: error))
    }
  }

  /// The most bytes to read at once: 256 KiB, the size of a store's chunks.
  static let pieceByteCount = 1 << 18
}
