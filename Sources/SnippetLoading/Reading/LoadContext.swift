public import Foundation

/// Takes the result of one load, and says when no cell waits for it any more.
public struct LoadContext: ~Copyable {
  private let maximumByteCount: Int
  private let cancellationCheck: () -> Bool
  /// The bytes added so far.
  public private(set) var bytes = Data()
  private var reservedByteCount = 0
  // Bytes taken over from the source have their exact size already.
  private var isExact = true
  private var content: (any Sendable)?
  private var contentByteCount = 0

  /// Makes a context by hand, to test a source or a processor with; the loader makes its own.
  ///
  /// Read ``bytes`` and ``content(as:)`` afterwards.
  ///
  /// - Parameters:
  ///   - maximumByteCount: The most bytes to take. The default is without a limit.
  ///   - isCancelled: Whether the load is no longer wanted. The default is `false`: it is wanted to
  ///     the end.
  public init(
    maximumByteCount: Int = .max,
    isCancelled: @escaping () -> Bool = { false }
  ) {
    self.maximumByteCount = maximumByteCount
    self.cancellationCheck = isCancelled
  }

  /// Whether the load is cancelled, because no cell waits any more.
  ///
  /// Once this is `true` the load is over, and its result is thrown away even if a cell asks again.
  public var isCancelled: Bool { cancellationCheck() }

  /// What was attached, as a type.
  ///
  /// - Parameter type: The type.
  /// - Returns: The value; `nil` when nothing was attached, or another type.
  public func content<Content: Sendable>(as type: Content.Type = Content.self) -> Content? {
    content as? Content
  }

  /// Announces the size, so that room for all bytes is reserved at once.
  ///
  /// - Parameter byteCount: The size of the whole blob.
  /// - Throws: ``LoadError/Code/tooLarge``, before anything was read; ``LoadError/Code/cancelled``.
  public mutating func reserve(byteCount: Int) throws(LoadError) {
    try checkLimit(byteCount)
    try checkCancellation()
    reservedByteCount = max(0, byteCount)
    bytes.reserveCapacity(reservedByteCount)
  }

  /// Adds a piece of the blob.
  ///
  /// The first piece is not copied, so a whole blob in one `Data` costs nothing. It should own its
  /// storage, because a slice keeps everything that it was cut from.
  ///
  /// - Parameter piece: The bytes that follow those added before.
  /// - Throws: ``LoadError/Code/cancelled`` when no cell waits any more, and
  ///   ``LoadError/Code/tooLarge``. The source must let the error through.
  public mutating func append(_ piece: Data) throws(LoadError) {
    try checkCancellation()
    try checkLimit(adding: piece.count)
    if bytes.isEmpty, reservedByteCount <= piece.count {
      bytes = piece
    } else {
      bytes.append(piece)
      isExact = false
    }
  }

  /// Adds a copy of a piece of the blob.
  ///
  /// - Parameter piece: The bytes that follow those added before; they are not used after the call.
  /// - Throws: ``LoadError/Code/cancelled`` when no cell waits any more, and
  ///   ``LoadError/Code/tooLarge``. The source must let the error through.
  public mutating func append(_ piece: UnsafeRawBufferPointer) throws(LoadError) {
    try checkCancellation()
    try checkLimit(adding: piece.count)
    bytes.append(contentsOf: piece)
    isExact = false
  }

  /// Sets what was made of the bytes, ready to be shown.
  ///
  /// - Parameters:
  ///   - content: A decoded picture, say. It reaches the cell through ``LoadedBlob/content(as:)``.
  ///   - byteCount: The memory that it takes, by which the cache counts it.
  /// - Throws: ``LoadError/Code/cancelled`` when no cell waits any more, and
  ///   ``LoadError/Code/tooLarge``. The error must be let through.
  public mutating func attach(
    _ content: some Sendable,
    byteCount: Int
  ) throws(LoadError) {
    try checkCancellation()
    contentByteCount = 0
    try checkLimit(adding: max(0, byteCount))
    self.content = content
    contentByteCount = max(0, byteCount)
  }

  /// Ends a load that nobody waits for any more, or that is too large.
  func check(byteCount: Int64) throws(LoadError) {
    try checkLimit(Int(clamping: byteCount))
    try checkCancellation()
  }

  /// All that was added, the bytes in storage of their size.
  consuming func take(for key: LoadKey) -> LoadedBlob {
    // Growing leaves up to as much again unused, which the cache would not know of.
    let isTight = isExact || bytes.count == reservedByteCount
    return LoadedBlob(
      key: key,
      bytes: isTight ? bytes : bytes.withUnsafeBytes { Data($0) },
      anyContent: content,
      byteCount: bytes.count + contentByteCount
    )
  }

  private func checkCancellation() throws(LoadError) {
    guard !isCancelled else { throw LoadError(.cancelled) }
  }

  private func checkLimit(adding byteCount: Int) throws(LoadError) {
    let (total, isOverflow) = (bytes.count + contentByteCount).addingReportingOverflow(byteCount)
    try checkLimit(isOverflow ? .max : total)
  }

  private func checkLimit(_ byteCount: Int) throws(LoadError) {
    guard byteCount <= maximumByteCount else {
      throw LoadError(.tooLarge, reason: "it is larger than \(maximumByteCount) bytes")
    }
  }
}
