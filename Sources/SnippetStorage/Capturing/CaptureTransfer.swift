import Foundation
import GRDB
import SnippetBase

/// Takes captures of a store over into the content that replaces its own.
///
/// A capture that no process writes any more is in the store alone: no backup has all of it. It
/// gets another number there, because the backup may use its own.
struct CaptureTransfer {
  let store: Database
  let copy: Database
  /// Throws when the caller no longer waits for the result.
  let check: () throws -> Void

  /// Takes a capture over, in a transaction of the copy.
  ///
  /// If the copy has an earlier state of it, that is replaced.
  func takeOver(_ capture: CaptureRow) throws {
    guard let bytes = try StagedBlobStatements(db: store).bytes(of: capture.id.blob) else { return }
    let captures = CaptureStatements(db: copy)
    if let known = try captures.row(capture.uuid) {
      guard known.byteCount < capture.byteCount else { return }
      try StagedBlobStatements(db: copy).delete(known.id.blob)
    }
    let plan = CapturePlan(
      uuid: try unusedIdentity(for: capture),
      kind: capture.kind,
      title: capture.title,
      tags: capture.tags,
      mediaType: capture.mediaType
    )
    let id = try captures.insert(plan, at: capture.startedAt)
    var rest = Data()
    var number: Int64 = 0
    for chunk in 0...bytes.chunkCount {
      try check()
      rest += try chunk < bytes.chunkCount ? self.chunk(chunk, of: capture.id) : bytes.tail
      let chunkCount = rest.count / BlobChunks.size
      let tail = Data(rest.dropFirst(chunkCount * BlobChunks.size))
      try rest.dropLast(tail.count).withUnsafeBytes { chunks in
        try StagedBlobStatements(db: copy)
          .append(chunks, from: number, tail: tail, to: id.blob, at: capture.appendedAt)
      }
      number += Int64(chunkCount)
      rest = tail
    }
  }

  /// Returns the identity of the future snippet, or another if the copy has that snippet already.
  private func unusedIdentity(for capture: CaptureRow) throws -> UUID {
    let isUsed = try copy.number(
      "SELECT EXISTS (SELECT 1 FROM snippet WHERE uuid = ?)",
      [capture.uuid.databaseValue]
    )
    return isUsed == 1 ? UUID.timeOrdered(at: capture.startedAt) : capture.uuid
  }

  private func chunk(_ number: Int64, of id: CaptureID) throws -> Data {
    let row = BlobChunks.row(number, of: id.blob)
    let data = try store.value("SELECT data FROM blob_chunk WHERE id = ?", [row.databaseValue]) {
      try $0.bytes(0)
    }
    guard let data else { throw DatabaseError.damage("a chunk of capture \(id) is missing") }
    return data
  }
}
