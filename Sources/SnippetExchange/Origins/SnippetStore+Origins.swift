public import Foundation
import SnippetBase
public import SnippetStorage
import SystemPackage

/// A file that a snippet came from or was written to.
public struct Origin: Sendable, Hashable {
  /// The folder that was imported, or exported to, absolute, with links resolved; a folder around
  /// it if that was imported too.
  ///
  /// Of a file that was given by itself it is the folder that the file was in.
  public var folder: URL
  /// The path of the file in the folder, separated by slashes.
  public var path: String
  /// The date of the file's last change in their last common state.
  public var modifiedAt: Date
  /// The size of the file in that state, in bytes.
  public var byteCount: Int64
  /// The SHA-256 of the file in that state: 32 bytes.
  public var sha256: Data

  /// The file.
  public var url: URL { folder.appendingPathComponent(path, isDirectory: false) }

  /// Reads the file, and returns whether its bytes are those of that state.
  ///
  /// A size and a date are not enough to tell: an edit within two seconds may leave both as they
  /// were, because the clocks of some disks are that coarse. This blocks the thread while it reads.
  ///
  /// - Returns: `false` also if there is no file, or it cannot be read.
  /// - Complexity: O(*n*) in the size of the file; O(1) if the size is another one.
  public func isFileUnchanged() -> Bool {
    // Not by the URL, which may compose the letters of a name.
    let path = (folder.path == "/" ? "" : folder.path) + "/" + path
    guard let file = try? OpenFile(path, options: [.noFollow, .nonBlocking]),
      let status = try? file.status(), status.type == .regular, status.size == byteCount
    else { return false }
    return (try? file.contentHash {}) == sha256
  }
}

extension SnippetStore {
  /// Returns the files that a snippet came from and was written to, in their last common state.
  ///
  /// ``importFiles(at:options:onEvent:)`` and ``exportMarkdown(to:only:options:onEvent:)`` record
  /// them. They are never part of a row.
  ///
  /// - Parameter id: The snippet.
  /// - Returns: Its files, beginning with the one that it came from; empty if the snippet does not
  ///   exist.
  /// - Throws: `SnippetStoreError`.
  /// - Complexity: O(log *n*).
  public func origins(of id: SnippetID) async throws(SnippetStoreError) -> [Origin] {
    try await seam.read(to: "find the files of snippet \(id)") { db in
      let statements = OriginStatements(db: db)
      let folders = Dictionary(
        try statements.folders().map { ($0.id, $0.path) },
        uniquingKeysWith: { first, _ in first }
      )
      var known: Set<[UInt8]> = []
      return try statements.origins(of: id).filter { !$0.isUnwritten }.compactMap { origin in
        folders[origin.folder].flatMap { path in
          var (folder, path) = (path, origin.path)
          // A file may have been given by itself before its folder was.
          let whole = FileNames.withoutSlash(folder) + "/" + path
          guard known.insert(Array(whole.utf8)).inserted else { return nil }
          if origin.isSingle {
            folder = String(whole).folderPath
            path = path.fileName
          }
          return Origin(
            folder: URL(fileURLWithPath: folder, isDirectory: true),
            path: path,
            modifiedAt: Date(
              timeIntervalSince1970: Double(origin.stamp.modifiedNanoseconds) / 1_000_000_000
            ),
            byteCount: origin.stamp.byteCount,
            sha256: origin.sha256
          )
        }
      }
    }
  }
}
