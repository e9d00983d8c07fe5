import Foundation
import GRDB
import Migrations
import SnippetTestSupport
import Testing

@testable import SnippetStorage

/// A way to an error, with its whole text.
struct ErrorText: Sendable, CustomTestStringConvertible {
  var code: SnippetStoreError.Code
  var text: String
  var provoke: @Sendable (SnippetStore) async throws -> Void

  var testDescription: String { "\(code)" }

  static let all = aboutFiles + aboutInput + aboutTheStore + aboutTime

  private static let aboutFiles = [
    ErrorText(
      code: .alreadyExists,
      text: """
        Could not back up to FOLDER/backup.sqlite: FOLDER/backup.sqlite exists. Choose another \
        name, or allow it to be replaced.
        """
    ) { store in
      let backup = TemporaryDirectory.file("backup.sqlite")
      try Data().write(to: backup)
      try await store.backUp(to: backup)
    },
    ErrorText(
      code: .cannotCreate,
      text: """
        Could not open the store FOLDER/none/a.sqlite: FOLDER/none/a.sqlite: No such file or \
        directory. Check that the folder exists and can be written.
        """
    ) { _ in _ = try SnippetStore(at: TemporaryDirectory.file("none/a.sqlite")) },
    ErrorText(
      code: .noSuchFile,
      text: """
        Could not save a snippet: FOLDER/none.txt: No such file or directory. Check the path.
        """
    ) { _ = try await $0.save(SnippetDraft(.file(at: TemporaryDirectory.file("none.txt")))) },
    ErrorText(
      code: .unreadable,
      text: """
        Could not open the store FOLDER/folder: it is not a regular file. Give the path of a file.
        """
    ) { _ in
      let folder = TemporaryDirectory.file("folder")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
      _ = try SnippetStore(at: folder)
    },
    ErrorText(
      code: .foreignFile,
      text: """
        Could not open the store FOLDER/text: the file is not a SQLite database. It was left as \
        it is. Give the path of a snippet store.
        """
    ) { _ in
      let text = TemporaryDirectory.file("text")
      try Data("This is a text.".utf8).write(to: text)
      _ = try SnippetStore(at: text)
    },
    ErrorText(
      code: .newerStore,
      text: """
        Could not open the store FOLDER/store.sqlite: it was made by a newer \
        version (its schema is 999, this version knows \(Migrations.latestVersion)). It was left \
        as it is. Update this program.
        """
    ) { store in
      let file = TemporaryDirectory.file("store.sqlite")
      _ = try await Shell.sqlite3(file, "PRAGMA user_version = 999")
      _ = try SnippetStore(at: file)
    },
    ErrorText(
      code: .damaged,
      text: """
        Could not open the store FOLDER/torn.sqlite: the file looks damaged (database disk image \
        is malformed). It was left as it is. Run a check; if it confirms the damage, restore a \
        backup.
        """
    ) { store in
      try await store.close()
      let torn = TemporaryDirectory.file("torn.sqlite")
      try Data(contentsOf: TemporaryDirectory.file("store.sqlite")).prefix(8192).write(to: torn)
      _ = try SnippetStore(at: torn)
    },
  ]

  private static let aboutInput = [
    ErrorText(
      code: .invalidInput,
      text: """
        Could not save a snippet: “a,b” is not a tag. Give a tag of 1 to 100 characters without a \
        comma.
        """
    ) { _ = try await $0.save(SnippetDraft(.text("hello"), tags: ["a,b"])) },
    ErrorText(
      code: .invalidInput,
      text: """
        Could not read the content of snippet 1: it is not a text. Read its bytes instead.
        """
    ) { store in
      let row = try await store.save(Samples.image(Samples.bytes(10)))
      _ = try await store.text(of: row.id)
    },
    ErrorText(
      code: .conflict,
      text: """
        Could not change snippet 1: its title has changed since it was read. Nothing was changed. \
        Look at it again, then repeat your change.
        """
    ) { store in
      let row = try await store.save(SnippetDraft(.text("Milk"), title: "To buy"))
      try await store.apply(SnippetEdit(title: "Theirs"), to: row.id)
      _ = try await store.apply(SnippetEdit(title: "Mine"), to: row)
    },
    ErrorText(
      code: .unsupportedContent,
      text: """
        Could not save a snippet: the bytes are not a known text, image or recording. \
        Nothing was changed.
        """
    ) { _ = try await $0.save(SnippetDraft(.bytes(Samples.bytes(1000)))) },
    ErrorText(
      code: .failed,
      text: "Could not save a snippet: OutOfPaper()."
    ) { store in
      struct OutOfPaper: Error {}
      _ = try await store.save(SnippetDraft(.stream { throw OutOfPaper() }))
    },
    ErrorText(
      code: .refusedBySchema,
      text: """
        Could not change a kind: id, uuid and kind of a snippet never change, its revision only \
        goes up, step by step. Nothing was changed.
        """
    ) { store in
      try await store.save(SnippetDraft(.text("hello")))
      try await store.connections.write(to: "change a kind") { db in
        try db.execute(sql: "UPDATE snippet SET kind = 2")
      }
    },
    ErrorText(
      code: .contentChanged,
      text: """
        Could not save a snippet: the content changed while it was read. Try again once it is \
        complete.
        """
    ) { store in
      let file = TemporaryDirectory.file("growing")
      try Samples.wav(frameCount: 2_000_000).write(to: file)
      // The second draft is asked for once the first has been read and hashed.
      let drafts = [SnippetDraft(.file(at: file)), SnippetDraft(.text("hello"))].lazy.map { draft in
        if case .text = draft.content.source { overwriteEnd(of: file) }
        return draft
      }
      var errors: [SnippetStoreError] = []
      try store.blockingSave(contentsOf: drafts) {
        if case .failed(_, let error) = $0 { errors.append(error) }
      }
      throw try #require(errors.first)
    },
  ]

  private static let aboutTheStore = [
    ErrorText(
      code: .closed,
      text: "Could not fetch snippet 1: the store is closed. Open it again."
    ) { store in
      try await store.close()
      _ = try store.row(SnippetID(rawValue: 1))
    },
    ErrorText(
      code: .notFound,
      text: """
        Could not read the content of snippet 7: there is no snippet 7. It was \
        deleted, or there never was one.
        """
    ) { _ = try await $0.content(of: SnippetID(rawValue: 7)) },
    ErrorText(
      code: .notFound,
      text: """
        Could not read blob 7: there is no such blob. Its last snippet may have been deleted.
        """
    ) { _ = try await $0.content(of: BlobID(rawValue: 7)) },
    ErrorText(
      code: .readOnly,
      text: """
        Could not delete snippets: the store was opened for reading only. Open it for writing.
        """
    ) { _ in
      let file = TemporaryDirectory.file("store.sqlite")
      let store = try SnippetStore(at: file, configuration: .init(access: .readOnly))
      try await store.delete([SnippetID(rawValue: 1)])
    },
    ErrorText(
      code: .diskFull,
      text: """
        Could not save a snippet: the disk is full. Nothing was changed. Free some space and try \
        again.
        """
    ) { store in
      try store.limitPages(toMore: 4)
      _ = try await store.save(Samples.image(Samples.bytes(200_000)))
    },
    ErrorText(
      code: .inputOutput,
      text: """
        Could not save a snippet: the file of the store was moved or deleted. Nothing was \
        changed. Put it back, or open the store again.
        """
    ) { store in
      let file = TemporaryDirectory.file("store.sqlite")
      try FileManager.default.moveItem(at: file, to: TemporaryDirectory.file("moved.sqlite"))
      _ = try await store.save(SnippetDraft(.text("hello")))
    },
  ]

  private static let aboutTime = [
    ErrorText(
      code: .busy,
      text: """
        Could not save a snippet: another program is using the store and did not finish in time. \
        Try again, or allow a longer wait.
        """
    ) { _ in
      let file = TemporaryDirectory.file("store.sqlite")
      var configuration = SnippetStore.Configuration()
      configuration.busyTimeout = .milliseconds(20)
      let store = try SnippetStore(at: file, configuration: configuration)
      let session = try ShellSession(file)
      _ = try await session.run("BEGIN IMMEDIATE;")
      _ = try await store.save(SnippetDraft(.text("hello")))
    },
    ErrorText(
      code: .cancelled,
      text: "Could not save a snippet: it was cancelled."
    ) { store in
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return try await store.save(SnippetDraft(.text("hello")))
      }
      _ = try await task.value
    },
  ]

  private static func overwriteEnd(of file: URL) {
    do {
      let handle = try FileHandle(forWritingTo: file)
      try handle.seek(toOffset: 1_500_000)
      try handle.write(contentsOf: Data("something else".utf8))
      try handle.close()
    } catch {
      Issue.record(error)
    }
  }
}
