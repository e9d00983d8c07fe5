import Foundation

/// Turns a capture into a snippet.
struct CaptureFinish {
  let connections: Connections
  let blobReaders: BlobReaders
  let now: Date
  let operation: String
  /// The kind, where none was given at the start.
  var kind: SnippetKind?
  var check: () throws -> Void = {}

  /// Makes the snippet, which ends the capture unless this throws.
  func run(_ row: CaptureRow, sha256: Data?) throws(SnippetStoreError) -> SnippetRow {
    let id = row.id
    let found = try connections.read(.rows, to: operation) { db in
      try StagedBlobStatements(db: db).bytes(of: id.blob)
    }
    guard let found else { throw SnippetStoreError(StagedBlobEnd(), during: operation) }
    let bytes = StagedBytes(
      id: id.blob,
      chunkCount: found.chunkCount,
      chunkSize: found.chunkSize,
      tail: found.tail,
      sha256: sha256,
      readers: blobReaders
    )
    let snippet = try prepare(bytes, row)
    let saved = try connections.write(to: operation) { db in
      let saved = try SnippetWriter(db: db).insertRow(snippet)
      // A short text is stored beside its row, and known bytes are not stored twice; the staged
      // blob is no longer needed.
      try CaptureStatements(db: db).discard(id)
      return saved
    }
    // The snippet is safe; leftover chunks are removed by the next sweep.
    connections.events.attempt(.tidying) { try connections.sweepStagedBlobs(to: operation) }
    return saved
  }

  private func prepare(
    _ bytes: StagedBytes,
    _ row: CaptureRow
  ) throws(SnippetStoreError) -> PreparedSnippet {
    var draft = SnippetDraft(
      SnippetContent(source: .collected(bytes)),
      kind: row.kind ?? kind,
      mediaType: row.mediaType,
      title: row.title,
      tags: row.tags,
      createdAt: row.startedAt,
      uuid: row.uuid
    )
    let preparation = DraftPreparation(now: now, operation: operation, check: check)
    do {
      return try preparation.prepare(draft)
    } catch
      where error.code == .unsupportedContent && draft.mediaType == nil
      && (draft.kind == .image || draft.kind == .voice) && bytes.byteCount > 0
    {
      // Bytes in an unknown form, as some recorders write them, are better kept than lost.
      draft.mediaType = "application/octet-stream"
      return try preparation.prepare(draft)
    }
  }
}
