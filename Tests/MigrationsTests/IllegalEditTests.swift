import Foundation
import SnippetStorage
import SnippetTestSupport
import Testing

/// What must not be done with the `sqlite3` shell, whose foreign keys are off by default.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct IllegalEditTests {
  private let file = TemporaryDirectory.file("store.sqlite")

  @Test(arguments: IllegalEdit.all)
  func `an illegal edit is refused and changes nothing`(edit: IllegalEdit) async throws {
    try await SampleContent.make(in: file)
    let before = try await SampleContent.dump()

    for foreignKeys in ["", "PRAGMA foreign_keys = ON;"] {
      let output = try await Shell.sqlite3(file, "\(foreignKeys) BEGIN; \(edit.sql); COMMIT")

      #expect(output.standardError == "Error: stepping, \(edit.message) (19)\n")
      #expect(output.status == 19)
    }

    let after = try await Shell.sqlite3(file, ".dump")
    #expect(before == after)
    _ = try TemporaryStore.open()
  }
}
