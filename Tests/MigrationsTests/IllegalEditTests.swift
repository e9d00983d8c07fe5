import Foundation
import Migrations
import SnippetTestSupport
import Testing

/// What must not be done with the `sqlite3` shell, whose foreign keys are off by default.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct IllegalEditTests {
  private let file = TemporaryDirectory.file("store.sqlite")

  // One shell tries all edits: it goes on after an error, with the next line.
  @Test func `an illegal edit is refused and changes nothing`() async throws {
    try await SampleContent.make(in: file)
    let before = try await SampleContent.dump()
    let edits = IllegalEdit.all
    let end = "-- the end of a dump"
    let script = edits.map { edit in
      """
      PRAGMA foreign_keys = OFF;
      \(edit.line)
      ROLLBACK;
      PRAGMA foreign_keys = ON;
      \(edit.line)
      ROLLBACK;
      .dump
      .print \(end)

      """
    }

    let output = try await Shell.run(
      "sqlite3",
      [file.path],
      input: Data(script.joined().utf8)
    )

    let errors = output.standardError.split(separator: "\n")
    let dumps = output.standardOutput.components(separatedBy: "\(end)\n")
    try #require(dumps.count == edits.count + 1 && dumps.last == "")
    var former = before.standardOutput
    for (number, edit) in edits.enumerated() {
      for line in [2, 5] {
        let place = "near line \(8 * number + line): "
        #expect(
          errors.filter { $0.contains(place) } == ["Runtime error \(place)\(edit.message) (19)"],
          "\(edit.sql)"
        )
      }
      #expect(dumps[number] == former, "\(edit.sql)")
      former = dumps[number]
    }
    #expect(errors.count == 2 * edits.count)
    _ = try TemporaryStore.open()
  }

  @Test func `every check of a synchronization refuses an edit`() throws {
    let sql = try #require(Migrations.all.first { $0.version == 9 }).sql

    let names = sql.matches(of: /CONSTRAINT (\w+)/).map { String($0.1) }
    let messages = IllegalEdit.synchronization.map(\.message)
    #expect(names.filter { !messages.contains("CHECK constraint failed: \($0)") } == [])
    #expect(names.count == 28)
  }
}

extension IllegalEdit {
  /// The edit in a transaction, on one line: the shell leaves the rest of a line out after an
  /// error.
  fileprivate var line: String {
    "BEGIN; \(sql.replacing("\n", with: " ")); COMMIT;"
  }
}
