package import Foundation
import GRDB
import SnippetBase
package import SnippetStorage

/// A file that would outlive its snippet.
package struct RemainingFile: Sendable, Hashable {
  package let url: URL
  /// Whether its folder was imported, so that the store still knows it when the snippet is deleted
  /// for good.
  package let isImported: Bool
}

/// The files and archives that would outlive snippets, and bring them back.
package struct Remainder: Sendable {
  /// The most files that are named.
  package static let maximumFileCount = 1000

  /// The files that are there, as many as are named.
  package fileprivate(set) var files: [RemainingFile] = []
  /// The archives that are there, in the order of their paths.
  package fileprivate(set) var archives: [URL] = []

  package init() {}
}

extension SnippetStore {
  /// Returns what would outlive snippets, and bring them back, or come back as new ones, if it is
  /// imported: also files in a folder that was only exported to.
  ///
  /// Ask before the snippets are deleted for good: they have no files any more then.
  ///
  /// - Parameter ids: The snippets.
  /// - Returns: The files and archives that are there.
  /// - Throws: `SnippetStoreError`.
  package func remainder(of ids: [SnippetID]) async throws(SnippetStoreError) -> Remainder {
    try await remainder("snippet_id = ?", ids.map { [$0.rawValue.databaseValue] })
  }

  /// Returns what would outlive the snippets in the trash, as ``remainder(of:)`` does.
  ///
  /// - Parameter date: The snippets that were moved there before; `nil` for all.
  /// - Returns: The files and archives that are there.
  /// - Throws: `SnippetStoreError`.
  package func remainderOfTrash(
    before date: Date?
  ) async throws(SnippetStoreError) -> Remainder {
    let condition = "snippet_id IN (SELECT id FROM snippet WHERE \(TrashSelection.condition))"
    return try await remainder(condition, [TrashSelection(before: date).values])
  }

  /// Returns what would outlive the snippets that a condition chooses with each of the values.
  private func remainder(
    _ condition: String,
    _ choices: [[DatabaseValue]]
  ) async throws(SnippetStoreError) -> Remainder {
    let seam = seam
    return try await OwnThreads.run(to: "find the files of snippets") { check in
      try seam.read(to: "find the files of snippets") { db in
        var remainder = Remainder()
        var archives: Set<String> = []
        for values in choices {
          try check()
          let limit = Remainder.maximumFileCount - remainder.files.count
          if limit > 0 {
            remainder.files += try Self.files(in: db, condition, values, upTo: limit)
          }
          archives.formUnion(try Self.archives(in: db, condition, values))
        }
        remainder.archives = archives.filter { FileStatus.exists($0) }.sorted()
          .map { URL(fileURLWithPath: $0, isDirectory: false) }
        return remainder
      }
    }
  }

  private static func archives(
    in db: Database,
    _ condition: String,
    _ values: [DatabaseValue]
  ) throws -> Set<String> {
    let folders: [String] = try db.values(
      """
      SELECT DISTINCT origin_folder.path
      FROM origin JOIN origin_folder ON folder_id = origin_folder.id WHERE \(condition)
      """,
      values
    ) { try $0.text(0) }
    return Set(folders.filter(FileNames.isArchive).map { String(FileNames.withoutSlash($0)) })
  }

  private static func files(
    in db: Database,
    _ condition: String,
    _ values: [DatabaseValue],
    upTo limit: Int
  ) throws -> [RemainingFile] {
    var files: [RemainingFile] = []
    try OriginStatements(db: db).forEachFileThere(condition, values) { path, isImported in
      let url = URL(fileURLWithPath: path, isDirectory: false)
      files.append(RemainingFile(url: url, isImported: isImported))
      return files.count < limit
    }
    return files
  }
}
