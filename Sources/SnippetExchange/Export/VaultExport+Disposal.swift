import Foundation
import SnippetBase
import SnippetStorage

extension VaultExport {
  /// Moves the files of snippets in the trash to another trash.
  mutating func moveTrashedFiles() throws {
    var trashed = filter
    trashed.isInTrash = true
    var pages = ExportPages(of: .filtered(trashed), job)
    while let rows = try pages.next() {
      for row in rows {
        try job.check()
        let origins = try job.seam.read(to: job.operation) { db in
          try OriginStatements(db: db).origins(of: row.id)
        }
        let files = origins.filter { !$0.isUnwritten }.compactMap { origin in
          paths.home.removablePath(of: origin).map { (path: $0, origin: origin) }
        }
        // The picture would otherwise go, and an import of the edited note would bring nothing back.
        if let changed = try files.first(where: { try isEditedNote($0.origin, at: $0.path) }) {
          let url = URL(fileURLWithPath: folder.path).appendingPathComponent(changed.path)
          conflict(
            row.id,
            url,
            "its snippet is in the trash, and the note in the file was changed since"
          )
          continue
        }
        for file in files {
          let page = file.path.withoutFileExtension + ".html"
          if file.origin.isItem, try !isNothing(at: page) {
            conflict(
              row.id,
              URL(fileURLWithPath: folder.path).appendingPathComponent(file.path),
              "its snippet is in the trash, and the page in HTML beside it would become a text",
              do: "Move both files away yourself."
            )
            continue
          }
          _ = try moveFile(of: row.id, at: file.path, file.origin.sha256, "is in the trash")
        }
      }
    }
  }

  /// Whether a file has the note of a picture or a recording, and was changed.
  private func isEditedNote(_ origin: OriginRow, at path: String) throws -> Bool {
    guard origin.isSideFile, case .file(let file, _) = try folder.place(at: path) else {
      return false
    }
    return try file.contentHash(job.check) != origin.sha256
  }

  /// Moves the files of snippets that were deleted for good to another trash, and forgets them.
  mutating func moveDeletedFiles() throws {
    let home = paths.home
    let root = home.path.withSlash
    var last = ""
    while true {
      let files = try job.seam.read(to: job.operation) { [last] db in
        try DeletedFiles(db: db).files(below: root + home.prefix, after: last, limit: 256)
      }
      guard let end = files.last?.path else { return }
      var settled: [String] = []
      for file in files {
        try job.check()
        let path = String(decoding: file.path.utf8.dropFirst(root.utf8.count), as: UTF8.self)
        // Another snippet may have moved there since.
        let isTaken = try job.seam.read(to: job.operation) { db in
          try home.hasOrigin(at: path, in: db)
        }
        if try isTaken || moveFile(of: file.snippet, at: path, file.sha256, "was deleted") {
          settled.append(file.path)
        }
      }
      if !isDryRun, !settled.isEmpty {
        try job.seam.write(to: job.operation) { db in
          try DeletedFiles(db: db).forget(settled)
        }
      }
      last = end
    }
  }

  /// Moves a file with the bytes of a hash; returns whether none is left in its place.
  private mutating func moveFile(
    of id: SnippetID,
    at path: String,
    _ sha256: Data,
    _ state: String
  ) throws -> Bool {
    do {
      let url = URL(fileURLWithPath: folder.path).appendingPathComponent(path)
      switch try folder.place(at: path) {
      case .nothing: return true
      case .other: conflictWithOther(id, url)
      case .file(let file, _):
        // Read each time: a date is not enough to give a file away.
        let isSame = try file.contentHash(job.check) == sha256
        guard isSame, try isDryRun || disposal.move(path, in: folder.path, sha256) else {
          conflict(id, url, "its snippet \(state), and its file was changed since")
          return false
        }
        job.tell(ExportEvent(.trashed, id, url))
        return true
      }
    } catch let error as FileError where error.concernsOneFile {
      try fail(id, error)
    } catch let error as SnippetStoreError {
      try job.fail(id, error)
    }
    return false
  }
}
