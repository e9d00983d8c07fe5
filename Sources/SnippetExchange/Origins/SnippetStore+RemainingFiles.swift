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

extension SnippetStore {
  /// The most files that are named.
  private static let maximumFileCount = 1000

  /// Returns files that would outlive their snippets, and bring them back, or come back as new ones,
  /// if their folder is imported: also where it was only exported to.
  ///
  /// Ask before the snippets are deleted for good: they have no files any more then.
  ///
  /// - Parameter ids: The snippets.
  /// - Returns: The files that are there, at most 1,000.
  /// - Throws: `SnippetStoreError`.
  package func filesOutliving(
    _ ids: [SnippetID]
  ) async throws(SnippetStoreError) -> [RemainingFile] {
    let seam = seam
    return try await OwnThreads.run(to: "find the files of snippets") { check in
      try seam.read(to: "find the files of snippets") { db in
        var files: [RemainingFile] = []
        for id in ids where files.count < Self.maximumFileCount {
          try check()
          files += try Self.files(in: db, "snippet_id = ?", [id.rawValue.databaseValue])
        }
        return files
      }
    }
  }

  /// Returns the files of the snippets in the trash as ``filesOutliving(_:)`` does.
  ///
  /// - Parameter date: The snippets that were moved there before; `nil` for all.
  /// - Returns: The files that are there, at most 1,000.
  /// - Throws: `SnippetStoreError`.
  package func filesOutlivingTrash(
    before date: Date?
  ) async throws(SnippetStoreError) -> [RemainingFile] {
    let seam = seam
    let selection = TrashSelection(before: date)
    return try await OwnThreads.run(to: "find the files of snippets") { _ in
      try seam.read(to: "find the files of snippets") { db in
        try Self.files(in: db, Self.isInTrash, selection.values)
      }
    }
  }

  private static let isInTrash =
    "snippet_id IN (SELECT id FROM snippet WHERE \(TrashSelection.condition))"

  /// Returns the archives that would bring snippets back, or as new ones, if they are imported again.
  ///
  /// Ask before the snippets are deleted for good, as for ``filesOutliving(_:)``.
  ///
  /// - Parameter ids: The snippets.
  /// - Returns: The archives that are there, in the order of their paths.
  /// - Throws: `SnippetStoreError`.
  package func archivesOutliving(
    _ ids: [SnippetID]
  ) async throws(SnippetStoreError) -> [URL] {
    let seam = seam
    return try await OwnThreads.run(to: "find the archives of snippets") { check in
      try seam.read(to: "find the archives of snippets") { db in
        var paths: Set<String> = []
        for id in ids {
          try check()
          paths.formUnion(try Self.archives(in: db, "snippet_id = ?", [id.rawValue.databaseValue]))
        }
        return Self.present(paths)
      }
    }
  }

  /// Returns the archives of the snippets in the trash as ``archivesOutliving(_:)`` does.
  ///
  /// - Parameter date: The snippets that were moved there before; `nil` for all.
  /// - Returns: The archives that are there, in the order of their paths.
  /// - Throws: `SnippetStoreError`.
  package func archivesOutlivingTrash(
    before date: Date?
  ) async throws(SnippetStoreError) -> [URL] {
    let seam = seam
    let selection = TrashSelection(before: date)
    return try await OwnThreads.run(to: "find the archives of snippets") { _ in
      try seam.read(to: "find the archives of snippets") { db in
        try Self.present(Self.archives(in: db, Self.isInTrash, selection.values))
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

  private static func present(_ paths: Set<String>) -> [URL] {
    paths.filter { FileStatus.exists($0) }.sorted()
      .map { URL(fileURLWithPath: $0, isDirectory: false) }
  }

  private static func files(
    in db: Database,
    _ condition: String,
    _ values: [DatabaseValue]
  ) throws -> [RemainingFile] {
    var files: [RemainingFile] = []
    try OriginStatements(db: db).forEachFileThere(condition, values) { path, isImported in
      let url = URL(fileURLWithPath: path, isDirectory: false)
      files.append(RemainingFile(url: url, isImported: isImported))
      return files.count < maximumFileCount
    }
    return files
  }
}
