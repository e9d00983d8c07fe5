import Foundation
import GRDB
import SnippetBase

/// Writes large blobs into the store in steps, before the transaction that makes snippets of them.
///
/// Writing a whole film in one transaction would block other writers until its end, and make the
/// log as long as the film. Until the snippet exists, the chunks are in their final place and
/// belong to a staged blob, which is not visible. No step waits for the disk: the transaction that
/// makes a snippet of them does, for all. If the process ends, its leftovers are removed by the next
/// large save, the next batch save or the next garbage collection.
final class BlobStaging: Sendable {
  private let connections: Connections
  private let readers: BlobReaders
  private let operation: String
  private let now: @Sendable () -> Date
  private let staged = Lock<[(id: BlobID, uuid: UUID)]>([])
  /// Kept from one blob to the next.
  private let reader = Lock<PieceReader?>(nil)

  /// The most bytes to write in one transaction; larger content is staged.
  static let stepByteCount = 16 * BlobChunks.size

  init(
    connections: Connections,
    readers: BlobReaders,
    operation: String,
    now: @escaping @Sendable () -> Date
  ) {
    self.connections = connections
    self.readers = readers
    self.operation = operation
    self.now = now
  }

  /// Writes the blob of a snippet, if it is large and not yet in the store.
  ///
  /// Returns the snippet, which then refers to those bytes. Throws ``ContentChange`` if the bytes
  /// changed after they were prepared.
  func stage(
    _ snippet: PreparedSnippet,
    check: () throws -> Void
  ) throws -> PreparedSnippet {
    guard case .blob(let blob, let encoding) = snippet.body else { return snippet }
    var snippet = snippet
    snippet.body = .blob(try stage(blob, check: check), encoding: encoding)
    return snippet
  }

  /// Writes a blob, if it is large and not yet in the store, and returns it as it is there.
  func stage(_ blob: PreparedBlob, check: () throws -> Void) throws -> PreparedBlob {
    guard blob.source.byteCount > Self.stepByteCount else { return blob }
    let isKnown = try connections.read(.rows, to: operation) { db in
      try BlobWriter(db: db).blob(withHash: blob.sha256) != nil
    }
    guard !isKnown else { return blob }
    return PreparedBlob(sha256: blob.sha256, source: try write(blob, check))
  }

  /// Prepares and stages content, writes it in one transaction, and removes unused staged blobs.
  ///
  /// It does not block a thread of Swift's pool. The argument of `prepare` throws if the result is
  /// no longer needed.
  func write<Prepared: Sendable, Result: Sendable>(
    keeping copies: PageCopies = .inFile,
    _ prepare: @escaping @Sendable (@escaping () throws -> Void) throws -> Prepared,
    then body: @escaping @Sendable (Prepared, Database) throws -> Result
  ) async throws(SnippetStoreError) -> Result {
    do {
      let prepared = try await OwnThreads.run(cancellable: { flag in try prepare(flag.check) })
      let result = try await connections.write(to: operation, keeping: copies) { db in
        try body(prepared, db)
      }
      await end()
      return result
    } catch {
      await end()
      throw SnippetStoreError(error, during: operation)
    }
  }

  /// Removes staged blobs that ended processes left half saved or half discarded.
  func removeLeftovers() throws {
    let isThereAny = try connections.read(.rows, to: operation) { db in
      try StagedBlobStatements(db: db).hasLeftovers()
    }
    guard isThereAny else { return }
    try connections.write(to: operation) {
      try StagedBlobStatements(db: $0).discardUnfinishedSaves()
    }
    try connections.sweepStagedBlobs(to: operation)
  }

  /// Removes the staged blobs that did not become part of a snippet.
  ///
  /// If the store is busy or gone, they become leftovers for the next time; saved content is safe.
  func end() {
    let ended = staged.withLock { staged in
      defer { staged = [] }
      return staged
    }
    guard !ended.isEmpty else { return }
    connections.events.attempt(.tidying) {
      defer { for blob in ended { LiveStagedBlobs.remove(blob.uuid) } }
      try connections.write(to: operation) { db in
        for blob in ended { try StagedBlobStatements(db: db).discard(blob.id) }
      }
    }
    connections.events.attempt(.tidying) { try connections.sweepStagedBlobs(to: operation) }
  }

  /// The same as ``end()``, without blocking a thread of Swift's pool.
  private func end() async {
    guard staged.withLock({ !$0.isEmpty }) else { return }
    await OwnThreads.run { [self] in end() }
  }

  private func write(_ blob: PreparedBlob, _ check: () throws -> Void) throws -> StagedBytes {
    try removeLeftovers()
    let id = try begin()
    var chunkCount: Int64 = 0
    var tail = Data()
    try forEachPiece(of: blob) { piece in
      try check()
      let full = piece.count / BlobChunks.size
      let chunks = UnsafeRawBufferPointer(rebasing: piece[..<(full * BlobChunks.size)])
      tail = Data(piece[chunks.count...])
      try connections.write(to: operation, keeping: .inMemory, waitingForDisk: false) { db in
        try StagedBlobStatements(db: db)
          .append(chunks, from: chunkCount, tail: tail, to: id, at: now())
      }
      chunkCount += Int64(full)
    }
    return StagedBytes(
      id: id,
      chunkCount: chunkCount,
      chunkSize: Int64(BlobChunks.size),
      tail: tail,
      sha256: blob.sha256,
      readers: readers
    )
  }

  private func forEachPiece(
    of blob: PreparedBlob,
    _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    if blob.source is MemoryBytes {
      return try blob.forEachPiece(of: Self.stepByteCount, body)
    }
    let reader = reader.withLock { reader in
      defer { reader = nil }
      return reader ?? PieceReader(size: Self.stepByteCount)
    }
    defer { self.reader.withLock { $0 = reader } }
    guard try reader.forEachPiece(of: blob.source, body) == blob.sha256 else {
      throw ContentChange()
    }
  }

  private func begin() throws -> BlobID {
    let uuid = UUID.timeOrdered(at: now())
    // Registered before it can be seen, so that it is not taken for a leftover.
    LiveStagedBlobs.insert(uuid)
    do {
      let id = try connections.write(to: operation, waitingForDisk: false) { db in
        try StagedBlobStatements(db: db)
          .insert(uuid, at: now())
      }
      staged.withLock { $0.append((id, uuid)) }
      return id
    } catch {
      LiveStagedBlobs.remove(uuid)
      throw error
    }
  }
}
