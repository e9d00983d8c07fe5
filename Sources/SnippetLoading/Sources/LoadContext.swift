public import Foundation

/// Takes the result of one load, piece by piece, and knows when no cell waits for it any more.
///
/// Cells show how many bytes have arrived, if there are more than ``stepByteCount``, and a coarse
/// form as soon as there is one:
///
/// ```swift
/// context.show(coarsePicture, byteCount: 20_000)  // at once, until the load is done
/// try context.attach(picture, byteCount: 4_000_000)
/// ```
public struct LoadContext: ~Copyable, Sendable {
  /// The number of bytes between two progress reports to waiting cells, 256 KiB.
  public static let stepByteCount = 256 << 10

  private let maximumByteCount: Int
  /// Returns whether no cell waits any more, for callers that cannot read the context while it
  /// changes.
  package let cancellationCheck: @Sendable () -> Bool
  private let report: @Sendable (LoadStep) -> Void
  /// The bytes added so far.
  public private(set) var bytes = Data()
  private var reservedByteCount = 0
  // Bytes taken over from the source already have their exact size.
  private var isExact = true
  private var content: (any Sendable)?
  private var contentByteCount = 0
  private var standIn: StandIn?
  private var reportedByteCount = 0
  private var readByteCount = 0

  /// Makes a context by hand, to test a source or a processor; the loader makes its own.
  ///
  /// Read ``bytes`` and ``content(as:)`` afterwards.
  ///
  /// - Parameters:
  ///   - maximumByteCount: The most bytes to take. The default is no limit.
  ///   - isCancelled: Returns whether the load is no longer wanted. The default returns `false`.
  public init(
    maximumByteCount: Int = .max,
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) {
    self.init(maximumByteCount: maximumByteCount, isCancelled: isCancelled) { _ in }
  }

  init(
    maximumByteCount: Int,
    isCancelled: @escaping @Sendable () -> Bool,
    report: @escaping @Sendable (LoadStep) -> Void
  ) {
    self.maximumByteCount = maximumByteCount
    cancellationCheck = isCancelled
    self.report = report
  }

  /// Whether the load is cancelled, because no cell waits any more.
  ///
  /// Once this is `true`, the load is over, and its result is thrown away even if a cell asks
  /// again.
  public var isCancelled: Bool { cancellationCheck() }

  /// The attached content, as a type.
  ///
  /// - Parameter type: The type.
  /// - Returns: The value; `nil` when nothing was attached, or a value of another type.
  public func content<Content: Sendable>(as type: Content.Type = Content.self) -> Content? {
    content as? Content
  }

  /// The stand-in for the result, as a type.
  ///
  /// - Parameter type: The type.
  /// - Returns: The value shown last, or its bytes as `Data`; `nil` when there was none, or a value
  ///   of another type.
  public func standIn<Content: Sendable>(as type: Content.Type = Content.self) -> Content? {
    standIn?.content as? Content ?? standIn?.bytes as? Content
  }

  /// Announces the size, to reserve room for all bytes and give progress an end.
  ///
  /// - Parameter byteCount: The size of the whole blob.
  /// - Throws: ``LoadError/Code/tooLarge``, before anything is read; ``LoadError/Code/cancelled``.
  public mutating func reserve(byteCount: Int) throws(LoadError) {
    try checkLimit(byteCount)
    try checkCancellation()
    reservedByteCount = max(0, byteCount)
    bytes.reserveCapacity(reservedByteCount)
  }

  /// Adds a piece of the blob.
  ///
  /// The first piece is not copied, so a whole blob in one `Data` costs nothing. It should own its
  /// storage, because a slice keeps everything that it was cut from in memory.
  ///
  /// - Parameter piece: The bytes that follow those added before.
  /// - Throws: ``LoadError/Code/cancelled`` when no cell waits any more, and
  ///   ``LoadError/Code/tooLarge``. The source must let the error through.
  public mutating func append(_ piece: Data) throws(LoadError) {
    try checkCancellation()
    try checkLimit(adding: piece.count, to: bytes.count + contentByteCount)
    if bytes.isEmpty, reservedByteCount <= piece.count {
      bytes = piece
    } else {
      bytes.append(piece)
      isExact = false
    }
    noteRead(bytes.count)
  }

  /// Adds a copy of a piece of the blob.
  ///
  /// - Parameter piece: The bytes that follow those added before; they are not used after the call.
  /// - Throws: ``LoadError/Code/cancelled`` when no cell waits any more, and
  ///   ``LoadError/Code/tooLarge``. The source must let the error through.
  public mutating func append(_ piece: UnsafeRawBufferPointer) throws(LoadError) {
    try checkCancellation()
    try checkLimit(adding: piece.count, to: bytes.count + contentByteCount)
    bytes.append(contentsOf: piece)
    isExact = false
    noteRead(bytes.count)
  }

  /// Shows a coarse form of the result in the waiting cells until the load is done.
  ///
  /// A later one replaces it. Loads made from this one are first made from the coarse form, so
  /// their processors must accept it like any other input.
  ///
  /// - Parameters:
  ///   - content: Content of the type that is attached in the end, such as the first peaks of a
  ///     recording.
  ///   - bytes: Its bytes, for loads made from it. The default is none.
  ///   - byteCount: The memory that it takes.
  public mutating func show(_ content: some Sendable, bytes: Data = Data(), byteCount: Int) {
    show(StandIn(content: content, bytes: bytes, byteCount: byteCount))
  }

  /// Shows a coarse form of the result that consists of bytes only.
  ///
  /// - Parameter bytes: Bytes in the format of the result.
  public mutating func show(_ bytes: Data) {
    show(StandIn(content: nil, bytes: bytes, byteCount: bytes.count))
  }

  private mutating func show(_ standIn: StandIn) {
    guard !isCancelled else { return }
    self.standIn = standIn
    report(step(with: standIn))
  }

  /// Reports the number of bytes read, if they are not added as they arrive.
  ///
  /// - Parameter byteCount: The total read so far.
  public mutating func noteRead(_ byteCount: Int) {
    readByteCount = max(readByteCount, byteCount)
    guard readByteCount - reportedByteCount >= Self.stepByteCount else { return }
    reportedByteCount = readByteCount
    report(step(with: nil))
  }

  private func step(with standIn: StandIn?) -> LoadStep {
    LoadStep(
      byteCountRead: reportedByteCount,
      byteCount: reservedByteCount > 0 ? reservedByteCount : nil,
      standIn: standIn
    )
  }

  /// Attaches the content decoded from the bytes, ready to be shown.
  ///
  /// - Parameters:
  ///   - content: The content, such as a decoded picture. The cell gets it from
  ///     ``LoadedBlob/content(as:)``.
  ///   - byteCount: The memory that it takes, for the limit of the cache.
  /// - Throws: ``LoadError/Code/cancelled`` when no cell waits any more, and
  ///   ``LoadError/Code/tooLarge``. The source must let the error through.
  public mutating func attach(
    _ content: some Sendable,
    byteCount: Int
  ) throws(LoadError) {
    try checkCancellation()
    // The content replaces the former one, which stays if this one is too large.
    let byteCount = max(0, byteCount)
    try checkLimit(adding: byteCount, to: bytes.count)
    self.content = content
    contentByteCount = byteCount
  }

  /// Ends a load that no cell waits for any more, or that is too large.
  func check(byteCount: Int64) throws(LoadError) {
    try checkLimit(Int(clamping: byteCount))
    try checkCancellation()
  }

  /// Takes the result, with the bytes in storage of their size.
  consuming func take(for key: LoadKey) -> LoadedBlob {
    // Growing leaves up to as much again unused, which the cache would not count.
    let isTight = isExact || bytes.count == reservedByteCount
    return LoadedBlob(
      key: key,
      bytes: isTight ? bytes : bytes.withUnsafeBytes { Data($0) },
      content: content,
      byteCount: bytes.count + contentByteCount
    )
  }

  private func checkCancellation() throws(LoadError) {
    guard !isCancelled else { throw LoadError(.cancelled) }
  }

  private func checkLimit(adding byteCount: Int, to present: Int) throws(LoadError) {
    let (total, isOverflow) = present.addingReportingOverflow(byteCount)
    try checkLimit(isOverflow ? .max : total)
  }

  private func checkLimit(_ byteCount: Int) throws(LoadError) {
    guard byteCount <= maximumByteCount else {
      throw LoadError(.tooLarge, reason: "it is larger than \(maximumByteCount) bytes")
    }
  }
}

/// A step of a load's progress.
struct LoadStep: Sendable {
  var byteCountRead: Int
  var byteCount: Int?
  /// The stand-in to show from now on; `nil` keeps the former one.
  var standIn: StandIn?
}

/// A coarse form of a load's result.
struct StandIn: Sendable {
  let content: (any Sendable)?
  let bytes: Data
  let byteCount: Int

  /// The form as a blob like the result.
  func blob(for key: LoadKey) -> LoadedBlob {
    LoadedBlob(key: key, bytes: bytes, content: content, byteCount: byteCount)
  }
}
