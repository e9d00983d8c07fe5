import Foundation
import SnippetStorage
import SnippetTestSupport
import Testing

/// Another program was killed while it wrote to a backup, which has no log: the file is half of its
/// transaction, until the journal beside it is rolled back.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct HotJournalTests {
  private let file = TemporaryDirectory.file("torn.sqlite")

  @Test func `it is rolled back where the file may be written`() async throws {
    try await makeTornStore()

    let store = try TemporaryStore.open("torn.sqlite")

    #expect(try store.list(order: .byTitle).rows(in: 0..<99).map(\.title) == Self.titles)
    #expect(!FileManager.default.fileExists(atPath: file.path + "-journal"))
  }

  @Test func `it is refused, and left, where the file may not`() async throws {
    try await makeTornStore()
    let before = try await FileSystem.hashes()

    let error = #expect(throws: SnippetStoreError.self) {
      _ = try SnippetStore(at: file, configuration: .init(access: .readOnly))
    }

    #expect(error?.code == .readOnly)
    #expect(error?.recoverySuggestion == "Open it for writing once, which undoes that.")
    #expect(try await FileSystem.hashes() == before)
  }

  @Test func `a backup that is half of a transaction is not restored`() async throws {
    try await makeTornStore()
    let torn = file

    let code = await errorCode {
      try await SnippetStore.restore(from: torn, to: TemporaryDirectory.file("store.sqlite"))
    }

    #expect(code == .readOnly)
    #expect(!FileManager.default.fileExists(atPath: TemporaryDirectory.file("store.sqlite").path))
  }

  private static let titles = (10..<40).map { "title \($0)" }

  /// Copies a backup, with its journal, in the middle of a transaction of the shell.
  private func makeTornStore() async throws {
    let origin = try TemporaryStore.open("origin.sqlite")
    for title in Self.titles {
      try await origin.save(
        SnippetDraft(.text(String(repeating: "words ", count: 900)), title: title)
      )
    }
    let backup = TemporaryDirectory.file("backup.sqlite")
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
  }
}
