import Foundation
import GRDB
import SnippetBase

/// Writes one snippet after the other into a folder.
struct ExportRun {
  private let connections: Connections
  private let blobReaders: BlobReaders
  private let query: ListQuery
  private let url: URL
  private let folder: ExportFolder
  private let manifest: ExportedFile
  private let operation: String
  /// Throws when nobody waits for the result any more.
  private let check: () throws -> Void
  private let report: (SnippetStore.ExportEvent) -> Void
  private var result = SnippetStore.ExportReport()

  /// How many rows are read at a time.
  private static let pageCount = 256
  private static let partialManifest = ExportManifest.fileName + ".partial"

  init(
    connections: Connections,
    blobReaders: BlobReaders,
    filter: SnippetFilter,
    folder url: URL,
    operation: String,
    check: @escaping () throws -> Void,
    report: @escaping (SnippetStore.ExportEvent) -> Void
  ) throws {
    self.connections = connections
    self.blobReaders = blobReaders
    query = ListQuery(filter: filter, order: .oldestFirst)
    self.url = url
    self.operation = operation
    self.check = check
    self.report = report
    folder = try ExportFolder(path: url.path)
    manifest = try folder.makeFile(Self.partialManifest)
  }

  /// Exports everything; what is written stays when that fails, without a manifest.
  mutating func run() throws -> SnippetStore.ExportReport {
    do {
      return try exportAll()
    } catch {
      folder.remove(Self.partialManifest)
      throw error
    }
  }

  private mutating func exportAll() throws -> SnippetStore.ExportReport {
    try manifest.write(ExportManifest.line(ExportManifest.Header()))
    var last: Int64 = 0
    while true {
      let page = try rows(after: last)
      guard let end = page.last else { break }
      // In a damaged file the rows may lead in a circle.
      guard end.id.rawValue > last else {
        throw DatabaseError.damage("snippet \(end.id) comes after snippet \(last)")
      }
      for row in page {
        try check()
        try export(row)
      }
      last = end.id.rawValue
    }
    try folder.publish(Self.partialManifest, as: ExportManifest.fileName)
    return result
  }

  /// The next rows by their numbers, which none ever changes: whatever is saved and deleted
  /// meanwhile, no snippet comes twice, and none that stays is left out.
  private func rows(after last: Int64) throws -> [SnippetRow] {
    try connections.read(.scans, to: operation) { db in
      let ids = try query.ids(after: last, limit: Self.pageCount, in: db)
      return try SnippetRowQuery.rows(ids, in: db)
    }
  }

  private mutating func export(_ row: SnippetRow) throws {
    let name = ExportedName(of: row)
    let entry: ExportManifest.Entry
    do {
      entry = try write(row, as: name)
    } catch let error as SnippetStoreError {
      folder.remove(name.name, in: name.folder)
      if error.code == .cancelled || error.code == .closed { throw error }
      // Deleted meanwhile: then it need not be in the export.
      if error.code == .notFound { return }
      result.failedCount += 1
      return report(.failed(row.id, error))
    }
    try manifest.write(ExportManifest.line(entry))
    result.exportedCount += 1
    result.byteCount += entry.byteCount
    report(
      .exported(row.id, url.appendingPathComponent(name.path), byteCount: entry.byteCount)
    )
  }

  /// Writes the bytes of a snippet.
  private func write(_ row: SnippetRow, as name: ExportedName) throws -> ExportManifest.Entry {
    // Its errors are those of the store; others are those of the folder.
    var cursor = try ContentCursor(.snippet(row.id), blobReaders: blobReaders)
    let file = try folder.makeFile(name.name, in: name.folder)
    // That of a blob is known, and the cursor holds the bytes against it.
    let known = cursor.sha256
    var hash = ContentHash()
    while let piece = try cursor.next() {
      try check()
      if known == nil { piece.withUnsafeBytes { hash.update($0) } }
      try file.write(piece)
    }
    file.setDate(row.createdAt)
    return ExportManifest.Entry(
      row,
      file: name.path,
      byteCount: cursor.byteCount,
      sha256: known ?? hash.finish(),
      encoding: cursor.encoding
    )
  }
}
