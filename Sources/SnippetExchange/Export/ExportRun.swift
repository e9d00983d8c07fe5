import Foundation
import SnippetBase
import SnippetStorage

/// Writes snippets into a folder, one after the other.
struct ExportRun {
  private var job: ExportJob
  private var pages: ExportPages
  /// `nil` if nothing is to be written.
  private let folder: ExportFolder?
  private let manifest: ExportedFile?

  private static let partialManifest = ExportManifest.fileName + ".partial"

  init(of selection: ExportPages.Selection, isDryRun: Bool, _ job: ExportJob) throws {
    self.job = job
    pages = ExportPages(of: selection, job)
    if isDryRun {
      try ExportFolder.requireUsable(job.folder.path)
      (folder, manifest) = (nil, nil)
    } else {
      folder = try ExportFolder(path: job.folder.path)
      manifest = try folder?.makeFile(Self.partialManifest)
    }
  }

  /// Exports everything.
  ///
  /// If that fails, the files written so far stay, without a manifest.
  mutating func run() throws -> ExportReport {
    do {
      return try exportAll()
    } catch {
      folder?.remove(Self.partialManifest)
      throw error
    }
  }

  private mutating func exportAll() throws -> ExportReport {
    try manifest?.write(ExportManifest.line(ExportManifest.Header()))
    while let page = try pages.next() {
      for row in page {
        try job.check()
        try export(row)
      }
    }
    try manifest?.finish()
    try folder?.publish(Self.partialManifest, as: ExportManifest.fileName)
    return job.report
  }

  private mutating func export(_ row: SnippetRow) throws {
    let name = ExportedName(of: row)
    let entry: ExportManifest.Entry
    do {
      entry = try write(row, as: name)
    } catch let error as SnippetStoreError {
      return try job.fail(row.id, error)
    }
    try manifest?.write(ExportManifest.line(entry))
    let file = job.folder.appendingPathComponent(name.path)
    job.tell(ExportEvent(.exported, row.id, file, byteCount: entry.byteCount))
  }

  /// Writes the bytes of a snippet, and leaves no part of them if that fails.
  private func write(_ row: SnippetRow, as name: ExportedName) throws -> ExportManifest.Entry {
    // Errors of the cursor concern the store; others concern the folder.
    var cursor = try job.seam.content(of: row.id)
    let file = try folder?.makeFile(name.name, in: name.folder)
    var isWhole = false
    defer { if file != nil, !isWhole { folder?.remove(name.name, in: name.folder) } }
    // The hash of a blob is known, and the cursor checks the bytes against it.
    let known = cursor.sha256
    var hash = ContentHash()
    while let piece = try cursor.next() {
      try job.check()
      if known == nil { piece.withUnsafeBytes { hash.update($0) } }
      try file?.write(piece)
    }
    file?.setDate(row.createdAt)
    try file?.finish()
    let hasNote = row.kind != .text && !row.preview.isEmpty
    let note = try hasNote ? job.seam.note(of: row.id) : ""
    isWhole = true
    return ExportManifest.Entry(
      row,
      file: name.path,
      byteCount: cursor.byteCount,
      sha256: known ?? hash.finish(),
      note: note,
      encoding: cursor.encoding
    )
  }
}
