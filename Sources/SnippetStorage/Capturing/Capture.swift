public import Foundation
import SnippetBase

/// A snippet that is being captured: bytes are appended as they come, and survive a crash.
///
/// Appended bytes are durable when they fill a chunk of 256 KiB, when a second has passed since the
/// last ones became durable, and when ``save()`` returns. What a crash leaves is found by
/// ``SnippetStore/captures()``, and can be finished or discarded by any process.
///
/// ```swift
/// let capture = try await store.startCapture(title: "A thought", kind: .voice)
/// while let piece = try microphone.next() { try await capture.append(piece) }
/// let row = try await capture.finish()
/// ```
///
/// It may be used from any thread, one call at a time. One that is released without being finished
/// can be finished later, as after a crash.
public final class Capture: Sendable {
  private struct State: Sendable {
    /// What is not durable yet, with the whole tail.
    var pending = Data()
    var chunkCount: Int64 = 0
    var hash = ContentHash()
    var byteCount: Int64 = 0
    var isSaved = true
    var savedAt: ContinuousClock.Instant
  }

  /// The identity until it has become a snippet.
  public let id: CaptureID
  private let uuid: UUID
  private let connections: Connections
  private let blobReaders: BlobReaders
  private let now: @Sendable () -> Date
  // Held while a call writes, so that bytes come into the file in the order of the calls.
  private let state: Lock<State>

  /// The most chunks that are written in one transaction, which holds the writer for some
  /// milliseconds.
  private static let chunksAtOnce = 32

  init(
    _ id: CaptureID,
    _ uuid: UUID,
    connections: Connections,
    blobReaders: BlobReaders,
    now: @escaping @Sendable () -> Date
  ) {
    self.id = id
    self.uuid = uuid
    self.connections = connections
    self.blobReaders = blobReaders
    self.now = now
    state = Lock(State(savedAt: ContinuousClock.now))
    LiveStagedBlobs.insert(uuid)
  }

  deinit {
    LiveStagedBlobs.remove(uuid)
  }

  /// How many bytes have been appended.
  public var byteCount: Int64 { state.withLock { $0.byteCount } }

  /// Adds bytes at the end.
  ///
  /// Bytes are written when a chunk of 256 KiB is full, or a second after the last ones were.
  ///
  /// - Parameter bytes: Any number of bytes.
  /// - Throws: ``SnippetStoreError``: `.notFound` when the capture has ended; `.busy` and
  ///   `.diskFull`, after which the next call writes the bytes; do not append them again.
  public func append(_ bytes: Data) async throws(SnippetStoreError) {
    try await OwnThreads.result { [self] () throws(SnippetStoreError) in
      try state.withLock { state throws(SnippetStoreError) in try append(bytes, &state) }
    }
  }

  /// Makes everything durable that has been appended.
  ///
  /// Call it before a long pause.
  ///
  /// - Throws: ``SnippetStoreError``, as ``append(_:)``.
  public func save() async throws(SnippetStoreError) {
    try await OwnThreads.result { [self] () throws(SnippetStoreError) in
      try state.withLock { state throws(SnippetStoreError) in try save(&state) }
    }
  }

  /// Makes a snippet of everything that was appended.
  ///
  /// The bytes are not copied: however long the capture, the writer is held for a few milliseconds.
  /// Without a given kind the bytes decide it. An image or a recording whose format is unknown
  /// is kept as `application/octet-stream` if its kind was given.
  ///
  /// - Returns: The row of the snippet, which is durable.
  /// - Throws: ``SnippetStoreError``: `.unsupportedContent` when there are no bytes or their kind
  ///   is unknown; `.notFound` when the capture has ended. After every other failure it is still
  ///   there.
  /// - Complexity: O(1) in the size, except for a text, which is read whole.
  @discardableResult
  public func finish() async throws(SnippetStoreError) -> SnippetRow {
    try await OwnThreads.result { [self] () throws(SnippetStoreError) in
      let operation = "finish capture \(id)"
      let row = try state.withLock { state throws(SnippetStoreError) in
        try save(&state)
        let hash = state.hash
        let row = try connections.capture(id, to: operation)
        return try CaptureFinish(
          connections: connections,
          blobReaders: blobReaders,
          now: now(),
          operation: operation
        )
        .run(row, sha256: hash.finish())
      }
      LiveStagedBlobs.remove(uuid)
      return row
    }
  }

  /// Ends the capture and removes all of it.
  ///
  /// - Throws: ``SnippetStoreError``: `.busy`, which can be tried again. One that has ended already
  ///   is no error.
  public func cancel() async throws(SnippetStoreError) {
    try await OwnThreads.result { [self] () throws(SnippetStoreError) in
      try connections.discardCapture(id)
      LiveStagedBlobs.remove(uuid)
    }
  }

  private func append(_ bytes: Data, _ state: inout State) throws(SnippetStoreError) {
    bytes.withUnsafeBytes { state.hash.update($0) }
    state.pending.append(bytes)
    state.byteCount += Int64(bytes.count)
    state.isSaved = state.isSaved && bytes.isEmpty
    guard
      state.pending.count >= BlobChunks.size || ContinuousClock.now - state.savedAt > .seconds(1)
    else { return }
    try save(&state)
  }

  private func save(_ state: inout State) throws(SnippetStoreError) {
    while !state.isSaved {
      let fullCount = state.pending.count / BlobChunks.size
      let count = min(fullCount, Self.chunksAtOnce)
      let chunkByteCount = count * BlobChunks.size
      let pending = state.pending
      // The tail comes with the last chunks; before, it may be more than one chunk.
      let tail = count == fullCount ? Data(pending.dropFirst(chunkByteCount)) : Data()
      let (number, id, date) = (state.chunkCount, id, now())
      try connections.write(to: "append to capture \(id)", keeping: .inMemory) { db in
        try pending.withUnsafeBytes { bytes in
          try StagedBlobStatements(db: db).append(
            UnsafeRawBufferPointer(rebasing: bytes[..<chunkByteCount]),
            from: number,
            tail: tail,
            to: id.blob,
            at: date
          )
        }
      }
      state.chunkCount += Int64(count)
      state.pending = Data(pending.dropFirst(chunkByteCount))
      state.isSaved = count == fullCount
      state.savedAt = ContinuousClock.now
    }
  }
}

extension Connections {
  /// What is known of a capture.
  func capture(
    _ id: CaptureID,
    to operation: String
  ) throws(SnippetStoreError) -> CaptureRow {
    let row = try read(.rows, to: operation) { try CaptureStatements(db: $0).row(id) }
    guard let row else { throw SnippetStoreError(StagedBlobEnd(), during: operation) }
    return row
  }

  /// Removes a capture and all its bytes, in transactions of a few milliseconds.
  func discardCapture(_ id: CaptureID) throws(SnippetStoreError) {
    let operation = "discard capture \(id)"
    try write(to: operation) { try CaptureStatements(db: $0).discard(id) }
    try sweepStagedBlobs(to: operation)
  }
}
