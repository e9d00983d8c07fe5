package import Foundation
import SnippetStorage
import Testing

/// A backup that a program was changing when it was killed: the file is half of its transaction,
/// until the journal beside it is rolled back.
package enum TornBackup {
  /// The titles in the backup before the transaction, in their order.
  package static let titles = (10..<40).map { "title \($0)" }

  /// Makes such a backup in the folder of the running test case.
  package static func make(_ name: String) async throws -> URL {
    let file = TemporaryDirectory.file(name)
    let origin = try TemporaryStore.open("origin.sqlite")
    for title in titles {
      try await origin.save(
        SnippetDraft(.text(String(repeating: "words ", count: 900)), title: title)
      )
    }
    let backup = TemporaryDirectory.file("whole-\(name)")
    try await origin.backUp(to: backup)
    // A small cache has pages written before the commit.
    let script = """
      PRAGMA cache_size = 1;
      BEGIN;
      UPDATE snippet SET title = 'torn';
      UPDATE snippet_text SET body = 'torn';
      .shell cp '\(backup.path)' '\(file.path)'
      .shell cp '\(backup.path)-journal' '\(file.path)-journal'
      ROLLBACK;

      """
    let result = try await Shell.run("sqlite3", ["-bail", backup.path], input: Data(script.utf8))
    try #require(result.status == 0, "\(result)")
    let journal = try FileManager.default.attributesOfItem(atPath: file.path + "-journal")
    try #require(journal[.size] as? Int ?? 0 > 0)
    return file
  }
}
