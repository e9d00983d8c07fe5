public import Foundation

/// What a source or a processor writes one load into, and where it learns that nobody waits for it.
public struct LoadContext: ~Copyable {
  private let maximumByteCount: Int
  private let cancellationCheck: () -> Bool
  private var bytes = Data()
  private var reservedByteCount = 0
  // Bytes taken over from the source have their exact size already.
  private var isExact = true
  private var content: (any Sendable)?
  private var contentByteCount = 0

  /// Makes a context by hand, to test a source with; the loader makes its own.
  ///
  /// - Parameters:
  ///   - maximumByteCount: The most bytes to take. The default is without a limit.
  ///   - isCancelled: Whether the load is no longer wanted. The default is `false`: it is wanted to the
  ///     end.
  public init(
    maximumByteCount: Int = .max,
    isCancelled: @escaping () -> Bool = { false }
  ) {
    self.maximumByteCount = maximumByteCount
    self.cancellationCheck = isCancelled
  }

  /// Whether nobody waits for the bytes any more.
  ///
  /// Once this has been `true` the load is over: what the source gives is thrown away, even if
  /// somebody asks again in the meantime.
  public var isCancelled: Bool { cancellationCheck() }

  /// Announces the size, so that the bytes find their place at once.
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
  /// The first piece is taken over without a copy, so a source that has the whole blob as `Data`
  /// hands it over for nothing. It should own its storage: a slice keeps all of what it is cut from.
  ///
  /// - Parameter piece: The bytes that follow those added before.
  /// - Throws: ``LoadError/Code/cancelled`` when nobody waits any more, and
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
  /// - Throws: ``LoadError/Code/cancelled`` when nobody waits any more, and
  ///   ``LoadError/Code/tooLarge``. The source must let the error through.
  public mutating func append(_ piece: UnsafeRawBufferPointer) throws(LoadError) {
    try checkCancellation()
    try checkLimit(adding: piece.count)
    bytes.append(contentsOf: piece)
    isExact = false
  }

  /// Adds what was made of the bytes, ready to be shown, in place of what was added so before.
  ///
  /// - Parameters:
  ///   - content: A decoded picture, say. It reaches the cell through ``LoadedBlob/content(as:)``.
  ///   - byteCount: The memory that it takes, by which the cache counts it.
  /// - Throws: ``LoadError/Code/cancelled`` when nobody waits any more, and
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
