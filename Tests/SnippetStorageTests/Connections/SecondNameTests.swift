import Foundation
import SnippetStorage
import SnippetTestSupport
import Testing

/// A hard link to the file of a store: each name has a log of its own.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct SecondNameTests {
  private let file = TemporaryDirectory.file("store.sqlite")
  private let other = TemporaryDirectory.file("other.sqlite")

  // one name        the other name
  // is open
  // saves           must not be opened for saving
  @Test(arguments: [SnippetStore.Configuration.Access.readWriteCreate, .readWrite])
  func `a second name is refused for writing before anything is written`(
    access: SnippetStore.Configuration.Access
  ) async throws {
    let store = try TemporaryStore.open()
    try FileManager.default.linkItem(at: file, to: other)
    let row = try await store.save(SnippetDraft(.text("saved under the first name")))

    let error = #expect(throws: SnippetStoreError.self) {
      try SnippetStore(at: other, configuration: .init(access: access))
    }

    #expect(error?.code == .readOnly)
    #expect(
      error?.description == """
        Could not open the store \(other.path): it has a second name, a hard link, and each name \
        has a log of its own. Nothing was changed. Remove one of the names, which find -samefile \
        lists; keep one that has a -wal file beside it.
        """
    )
    for suffix in ["-wal", "-shm", "-journal"] {
      #expect(!FileManager.default.fileExists(atPath: other.path + suffix))
    }
    #expect(try store.row(row.id) == row)
  }

  @Test func `a restore leaves a file with a second name alone`() async throws {
    let store = try SnippetStore(at: file)
    let row = try await store.save(SnippetDraft(.text("hello")))
    let backup = TemporaryDirectory.file("backup.sqlite")
    try await store.backUp(to: backup)
    try await store.close()
    try FileManager.default.linkItem(at: file, to: other)
    let before = try await Shell.sha256(file)

    let code = await errorCode { try await SnippetStore.restore(from: backup, to: other) }

    #expect(code == .readOnly)
    #expect(try await Shell.sha256(file) == before)
    try FileManager.default.removeItem(at: file)
    let again = try SnippetStore(at: other)
    #expect(try again.row(row.id) == row)
    try await again.close()
  }

  @Test func `a file with a second name can be read`() async throws {
    let store = try SnippetStore(at: file)
    let row = try await store.save(SnippetDraft(.text("hello")))
    try await store.close()
    try FileManager.default.linkItem(at: file, to: other)

    for url in [file, other] {
      let reader = try SnippetStore(at: url, configuration: .init(access: .readOnly))
      #expect(try reader.row(row.id) == row)
      try await reader.close()
      for suffix in ["-wal", "-shm"] {
        #expect(!FileManager.default.fileExists(atPath: url.path + suffix))
      }
    }
  }

  @Test func `reading under a second name leaves a log with content alone`() async throws {
    let store = try SnippetStore(at: file)
    let row = try await store.save(SnippetDraft(.text("hello")))
    let log = try Data(contentsOf: URL(fileURLWithPath: file.path + "-wal"))
    try await store.close()
    try FileManager.default.linkItem(at: file, to: other)
    let otherLog = URL(fileURLWithPath: other.path + "-wal")
    try log.write(to: otherLog)

    let reader = try SnippetStore(at: other, configuration: .init(access: .readOnly))
    #expect(try reader.row(row.id) == row)
    try await reader.close()

    #expect(!log.isEmpty)
    #expect(try Data(contentsOf: otherLog) == log)
  }

  @Test func `a store is written again once it has one name`() async throws {
    try await SnippetStore(at: file).close()
    try FileManager.default.linkItem(at: file, to: other)
    #expect(await errorCode { _ = try await SnippetStore.open(at: file) } == .readOnly)
    try FileManager.default.removeItem(at: other)

    let store = try TemporaryStore.open()

    await #expect(throws: Never.self) { try await store.save(SnippetDraft(.text("hello"))) }
  }
}
