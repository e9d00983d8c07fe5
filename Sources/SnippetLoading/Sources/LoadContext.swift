public import Foundation

/// Takes the result of one load, piece by piece, and says when no cell waits for it any more.
///
/// Cells are told how many bytes have come, if there are more than ``stepByteCount``, and are shown
/// a coarse form as soon as there is one:
///
/// ```swift
/// context.show(coarsePicture, byteCount: 20_000)  // at once, until the load is done
/// try context.attach(picture, byteCount: 4_000_000)
/// ```
public struct LoadContext: ~Copyable, Sendable {
  /// After how many bytes more the cells that wait are told again, 256 KiB.
  public static let stepByteCount = 256 << 10

  private let maximumByteCount: Int
  /// Says whether no cell waits any more; for whoever asks while the context is being changed.
  package let cancellationCheck: @Sendable () -> Bool
  private let report: @Sendable (LoadStep) -> Void
  /// The bytes added so far.
  public private(set) var bytes = Data()
  private var reservedByteCount = 0
  // Bytes taken over from the source have their exact size already.
  private var isExact = true
  private var content: (any Sendable)?
  private var contentByteCount = 0
  private var standIn: StandIn?
  private var reportedByteCount = 0
  private var readByteCount = 0

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
  /// Once this is `true` the load is over, and its result is thrown away even if a cell asks again.
  public var isCancelled: Bool { cancellationCheck() }

  /// What was attached, as a type.
  ///
  /// - Parameter type: The type.
  /// - Returns: The value; `nil` when nothing was attached, or another type.
  public func content<Content: Sendable>(as type: Content.Type = Content.self) -> Content? {
    content as? Content
  }

  /// What stands in for the result, as a type.
  ///
  /// - Parameter type: The type.
  /// - Returns: What was shown last, or as `Data` its bytes; `nil` when there was none, or another
  ///   type.
  public func standIn<Content: Sendable>(as type: Content.Type = Content.self) -> Content? {
    standIn?.content as? Content ?? standIn?.bytes as? Content
  }

  /// Announces the size, so that room for all bytes is reserved at once and progress has an end.
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
    noteRead(bytes.count)
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
    noteRead(bytes.count)
  }

  /// Shows a coarse form of the result in the cells that wait, until the load is done.
  ///
  /// A later one takes its place. What is made from this load is made from the coarse form first,
  /// so a processor must take that as an input like any other.
  ///
  /// - Parameters:
  ///   - content: The first peaks of a recording, say, of the type that is attached in the end.
  ///   - bytes: Its bytes, for what is made from it. The default is none.
  ///   - byteCount: The memory that it takes.
  public mutating func show(_ content: some Sendable, bytes: Data = Data(), byteCount: Int) {
    show(StandIn(content: content, bytes: bytes, byteCount: byteCount))
  }

  /// Shows a coarse form of the result that is all bytes.
  ///
  /// - Parameter bytes: Bytes that whoever takes the result can take as well.
  public mutating func show(_ bytes: Data) {
    show(StandIn(content: nil, bytes: bytes, byteCount: bytes.count))
  }

  private mutating func show(_ standIn: StandIn) {
    guard !isCancelled else { return }
    self.standIn = standIn
    report(step(with: standIn))
  }

  /// Says how many bytes have been read, where they are not added as they come.
  ///
  /// - Parameter byteCount: All that have been read so far.
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

/// How far a load has come.
struct LoadStep: Sendable {
  var byteCountRead: Int
  var byteCount: Int?
  /// What to show from now on; `nil` for what was shown before.
  var standIn: StandIn?
}

/// A coarse form of what a load will bring.
struct StandIn: Sendable {
  let content: (any Sendable)?
  let bytes: Data
  let byteCount: Int

  /// The form as what the load would bring.
  func blob(for key: LoadKey) -> LoadedBlob {
    LoadedBlob(key: key, bytes: bytes, anyContent: content, byteCount: byteCount)
  }
}
