import Foundation
import GRDB
import SnippetBase
import SnippetStorage

/// Writes snippets into a folder, one after the other.
struct ExportRun {
  /// The snippets to export.
  enum Selection {
    case filtered(SnippetFilter)
    /// By their ids, in ascending order.
    case chosen(ArraySlice<Int64>)
  }

  private var job: ExportJob
  private var selection: Selection
  private var last: Int64 = 0
  private let folder: ExportFolder
  private let manifest: ExportedFile

  /// The number of rows to read at a time.
  private static let pageCount = 256
  private static let partialManifest = ExportManifest.fileName + ".partial"

  init(of selection: Selection, _ job: ExportJob) throws {
    self.job = job
    self.selection = selection
    folder = try ExportFolder(path: job.folder.path)
    manifest = try folder.makeFile(Self.partialManifest)
  }

  /// Exports everything.
  ///
  /// If that fails, the files written so far stay, without a manifest.
  mutating func run() throws -> ExportReport {
    do {
      return try exportAll()
    } catch {
      folder.remove(Self.partialManifest)
      throw error
    }
  }

  private mutating func exportAll() throws -> ExportReport {
    try manifest.write(ExportManifest.line(ExportManifest.Header()))
    while let page = try nextRows() {
      for row in page {
        try job.check()
        try export(row)
      }
    }
    try folder.publish(Self.partialManifest, as: ExportManifest.fileName)
    return job.report
  }

  /// Reads the next rows in the order of their ids, which never change.
  ///
  /// So whatever is saved or deleted during the export, no snippet comes twice, and none that stays
  /// is left out.
  private mutating func nextRows() throws -> [SnippetRow]? {
    try job.seam.scan(to: job.operation) { db in
      let ids: [Int64]
      switch selection {
      case .chosen(let rest):
        ids = Array(rest.prefix(Self.pageCount))
        selection = .chosen(rest.dropFirst(Self.pageCount))
      case .filtered(let filter):
        ids = try StoreSeam.ids(in: filter, after: last, limit: Self.pageCount, in: db)
      }
      guard let end = ids.last else { return nil }
      // In a damaged file the rows may form a circle.
      guard end > last else {
        throw DatabaseError.damage("snippet \(end) comes after snippet \(last)")
      }
      last = end
      return try db.snippetRows(ids)
    }
  }

  private mutating func export(_ row: SnippetRow) throws {
    let name = ExportedName(of: row)
    let entry: ExportManifest.Entry
    do {
      entry = try write(row, as: name)
    } catch let error as SnippetStoreError {
      folder.remove(name.name, in: name.folder)
      return try job.fail(row.id, error)
    }
    try manifest.write(ExportManifest.line(entry))
    let file = job.folder.appendingPathComponent(name.path)
    job.tell(ExportEvent(.exported, row.id, file, byteCount: entry.byteCount))
  }

  /// Writes the bytes of a snippet.
  private func write(_ row: SnippetRow, as name: ExportedName) throws -> ExportManifest.Entry {
    // Errors of the cursor concern the store; others concern the folder.
    var cursor = try job.seam.content(of: row.id)
    let file = try folder.makeFile(name.name, in: name.folder)
    // The hash of a blob is known, and the cursor checks the bytes against it.
    let known = cursor.sha256
    var hash = ContentHash()
    while let piece = try cursor.next() {
      try job.check()
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
