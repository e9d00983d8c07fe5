import Foundation
import SnippetBase
import SnippetStorage
import SystemPackage

/// Files that were in the folder at the last import or export and are not any more.
extension VaultExport {
  private static let pageCount = 512

  /// Refuses a folder in which none of the known files is there: mostly its disk is missing.
  ///
  /// Files of snippets in the trash do not count, since none of them would be written again.
  static func requireSomeFile(in home: VaultHome, _ job: ExportJob) throws {
    var count = 0
    let isEmpty = try forEachPage(of: home, ofTrash: false, job) { page in
      for origin in page where !origin.isUnwritten && !origin.isGone {
        guard let path = home.path(of: origin) else { continue }
        guard isAbsent(home.path.withSlash + path) else { return false }
        count += 1
      }
      return true
    }
    guard isEmpty, count > 0 else { return }
    throw SnippetStoreError(
      .cannotCreate,
      job.operation,
      because: count == 1
        ? "the only file known there is not there any more"
        : "none of the \(count) files known there is there any more",
      keeping: "Nothing was written.",
      do: "Mount the disk, or give --missing to write \(count == 1 ? "it" : "them") again."
    )
  }

  /// Refuses a folder that was moved as a whole, which would get everything as a new one does.
  static func requireNoMovedFolder(at home: VaultHome, _ job: ExportJob) throws {
    let moved = try job.seam.read(to: job.operation) { db in
      try MovedFolder(at: home.path, in: db)
    }
    guard let moved else { return }
    throw SnippetStoreError(
      .alreadyExists,
      job.operation,
      because: "it is the folder \(moved.path), which was moved",
      keeping: "Nothing was written.",
      do: "Import it, so that its snippets follow, then export again."
    )
  }

  /// Whether a file that was there is not any more, and is not to be written again.
  ///
  /// One that is still to be written, or that comes back with its snippet, is not missing.
  func isMissing(_ known: OriginRow, at path: String) throws -> Bool {
    guard !writesMissing, !known.isUnwritten, !known.isGone else { return false }
    return try isNothing(at: path)
  }

  /// Reports a file that was moved or removed.
  mutating func tellMissing(_ id: SnippetID, _ path: String) {
    let url = URL(fileURLWithPath: folder.path).appendingPathComponent(path)
    let error = SnippetStoreError(
      .noSuchFile,
      "export snippet \(id) to \(url.path)",
      because: "the file was moved or removed there since the last import or export",
      do: """
        Import the folder, so that the store follows, with --trash-missing if the file was removed; \
        or give --missing to write it again.
        """
    )
    job.tell(ExportEvent(.missing, id, url, because: error))
  }

  /// Records which files of snippets in the trash are not there, because a program or a person has
  /// removed them too: a snippet that comes back gets its file again.
  func recordGoneFiles() throws {
    _ = try Self.forEachPage(of: paths.home, ofTrash: true, job) { page in
      let gone = try page.filter { origin in
        guard !origin.isUnwritten, !origin.isGone, !origin.isSideFile,
          let path = paths.home.path(of: origin)
        else { return false }
        return try isNothing(at: path)
      }
      guard !gone.isEmpty else { return true }
      try job.seam.write(to: job.operation) { db in
        for origin in gone { try OriginStatements(db: db).recordGone(origin) }
      }
      return true
    }
  }

  /// Whether there is nothing at the path of a file.
  func isNothing(at path: String) throws -> Bool {
    // Most files are there, and need not be opened for this.
    guard Self.isAbsent(folder.path.withSlash + path) else { return false }
    if case .nothing = try folder.place(at: path) { return true }
    return false
  }

  /// Whether there is nothing at a path; `false` if that cannot be determined.
  private static func isAbsent(_ path: String) -> Bool {
    do throws(Errno) {
      _ = try Stat(path, followTargetSymlink: false)
      return false
    } catch {
      return error == .noSuchFileOrDirectory || error == .notDirectory
    }
  }

  /// Calls `body` with the origins of a vault, page by page and outside of any transaction, until it
  /// returns `false`; returns whether it never did.
  private static func forEachPage(
    of home: VaultHome,
    ofTrash isInTrash: Bool,
    _ job: ExportJob,
    _ body: ([OriginRow]) throws -> Bool
  ) throws -> Bool {
    let inner = home.inner.keys.sorted().map { (id: $0, start: "") }
    for folder in [(id: home.id, start: home.prefix)] + inner where folder.id != 0 {
      var last = folder.start
      while true {
        try job.check()
        let page = try job.seam.read(to: job.operation) { [last] db in
          try OriginStatements(db: db).origins(
            in: folder.id,
            ofTrash: isInTrash,
            after: last,
            limit: pageCount
          )
        }
        guard let end = page.last?.path else { break }
        guard try body(page) else { return false }
        last = end
      }
    }
    return true
  }
}
