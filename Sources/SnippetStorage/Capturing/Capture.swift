public import Foundation
import SnippetBase

/// A snippet being captured: bytes are appended as they arrive, and survive a crash.
///
/// Appended bytes become durable when they fill a chunk of 256 KiB, with the first call of
/// ``append(_:)`` a second after the last bytes became durable, and when ``save()`` returns. After
/// a crash, ``SnippetStore/captures()`` finds the capture, and any process can finish or discard
/// it.
///
/// ```swift
/// let capture = try await store.startCapture(title: "A thought", kind: .voice)
/// while let piece = try microphone.next() { try await capture.append(piece) }
/// let row = try await capture.finish()
/// ```
///
/// You may use it from any thread, one call at a time. A capture that is released unfinished can be
/// finished later, as after a crash; bytes that were not durable yet are lost.
public final class Capture: Sendable {
  private struct State: Sendable {
    /// The bytes that are not durable yet, including the whole tail.
    var pending = Data()
    var chunkCount: Int64 = 0
    var hash = ContentHash()
    var isSaved = true
    var savedAt: ContinuousClock.Instant
  }

  /// The identity of the capture, valid until it becomes a snippet.
  public let id: CaptureID
  private let uuid: UUID
  private let connections: Connections
  private let blobReaders: BlobReaders
  private let now: @Sendable () -> Date
  // Held while a call writes, so that bytes reach the file in the order of the calls.
  private let state: Lock<State>
  // Apart from the state, so that reading it never waits for a write.
  private let appendedByteCount = Lock<Int64>(0)

  /// The most chunks to write in one transaction, which holds the writer for some milliseconds.
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

  /// The number of appended bytes, including those that are not durable yet.
  ///
  /// Reading it does not block, even while a call of ``append(_:)`` or ``save()`` writes.
  public var byteCount: Int64 { appendedByteCount.withLock(\.self) }

  /// Appends bytes.
  ///
  /// They are written when a chunk of 256 KiB is full, or the last write is a second ago. Otherwise
  /// a later call writes them; there is no timer.
  ///
  /// - Parameter bytes: Any number of bytes.
  /// - Throws: ``SnippetStoreError``: `.notFound` if the capture has ended; `.busy` or `.diskFull`
  ///   if the bytes could not be written. The next call then writes them; do not append them again.
  public func append(_ bytes: Data) async throws(SnippetStoreError) {
    try await OwnThreads.result { [self] () throws(SnippetStoreError) in
      try state.withLock { state throws(SnippetStoreError) in try append(bytes, &state) }
    }
  }

  /// Makes all appended bytes durable.
  ///
  /// Call it before a long pause.
  ///
  /// - Throws: ``SnippetStoreError``, as for ``append(_:)``.
  public func save() async throws(SnippetStoreError) {
    try await OwnThreads.result { [self] () throws(SnippetStoreError) in
      try state.withLock { state throws(SnippetStoreError) in try save(&state) }
    }
  }

  /// Turns the capture into a snippet.
  ///
  /// The bytes are not copied, so the writer is held for a few milliseconds however long the
  /// capture is. If you gave no kind, the bytes decide it. If you did, an image or a recording in
  /// an unknown format is stored as `application/octet-stream`.
  ///
  /// - Returns: The row of the snippet, which is durable.
  /// - Throws: ``SnippetStoreError``: `.unsupportedContent` if there are no bytes or their kind is
  ///   unknown; `.notFound` if the capture has ended. After any other failure the capture still
  ///   exists, and you can try again.
  /// - Complexity: O(1) in the size, except for a text, which is read completely.
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

  /// Ends the capture and removes all its bytes.
  ///
  /// Cancelling a capture that has ended is not an error.
  ///
  /// - Throws: ``SnippetStoreError``; after `.busy` you can try again.
  public func cancel() async throws(SnippetStoreError) {
    try await OwnThreads.result { [self] () throws(SnippetStoreError) in
      try connections.discardCapture(id)
      LiveStagedBlobs.remove(uuid)
    }
  }

  private func append(_ bytes: Data, _ state: inout State) throws(SnippetStoreError) {
    bytes.withUnsafeBytes { state.hash.update($0) }
    state.pending.append(bytes)
    appendedByteCount.withLock { $0 += Int64(bytes.count) }
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
      // The tail is written with the last chunks; before that, it may be longer than a chunk.
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
      state.isSaved = count == fullCount
      // Copying the rest at each step would take quadratic time.
      state.pending = state.isSaved ? tail : pending.dropFirst(chunkByteCount)
      state.savedAt = ContinuousClock.now
    }
  }
}

extension Connections {
  /// Returns the row of a capture.
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
