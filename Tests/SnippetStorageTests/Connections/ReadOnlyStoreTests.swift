import Foundation
import SnippetStorage
import SnippetTestSupport
import Testing

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct ReadOnlyStoreTests {
  private let file = TemporaryDirectory.file("store.sqlite")

  @Test func `every call that reads works`() async throws {
    let subject = try await readOnlySubject()

    for call in StoreCall.reading {
      await #expect(throws: Never.self, "\(call.name)") { try await call.run(on: subject) }
    }
  }

  @Test func `every call that writes is refused`() async throws {
    let subject = try await readOnlySubject()

    for call in StoreCall.writing {
      await call.expectRefusal(
        on: subject,
        .readOnly,
        because: "the store was opened for reading only",
        advice: "Open it for writing."
      )
    }
  }

  @Test func `nothing is written to the file, nor to the log that is left`() async throws {
    let subject = try await readOnlySubject(leavingLog: true)
    let before = try await FileSystem.hashes()
    #expect(before.count == 2)

    for call in StoreCall.reading where call.name != "backUp" {
      try await call.run(on: subject)
    }
    for call in StoreCall.writing where call.name != "importFiles" {
      await #expect(throws: SnippetStoreError.self) { try await call.run(on: subject) }
    }
    try await subject.store.close()

    let after = try await FileSystem.hashes()
    #expect(before == after)
  }

  @Test func `what another store saves is seen`() async throws {
    let subject = try await readOnlySubject()
    let list = subject.store.list()
    #expect(try list.count == 1)

    let writer = try TemporaryStore.open()
    let row = try await writer.save(SnippetDraft(.text("hello")))

    #expect(try list.count == 2)
    #expect(try subject.store.row(row.id) == row)
  }

  #if !os(iOS)
  @Test(arguments: ["store.sqlite", "a b%20?#ü.sqlite"])
  func `a store in a folder that may not be written can be read`(name: String) async throws {
    let url = TemporaryDirectory.file(name)
    let store = try SnippetStore(at: url)
    _ = try await StoreCall.subject(in: store)
    try await store.close()
    try FileSystem.setMode(0o444, of: url.path)
    try FileSystem.setMode(0o555, of: TemporaryDirectory.current.url.path)

    await #expect(processExitsWith: .success) { [path = url.path as String] in
      FileSystem.dropPrivileges()
      let store = try SnippetStore(
        at: URL(fileURLWithPath: path),
        configuration: .init(access: .readOnly)
      )
      let row = try #require(try store.list().row(at: 0))
      let subject = StoreCall.Subject(
        store: store,
        snippet: row.id,
        blob: try #require(row.blobID)
      )
      for call in StoreCall.reading where call.name != "backUp" {
        try await call.run(on: subject)
      }
      let report = try await store.check()
      #expect(report.isSound)
      try await store.close()
    }
    try FileSystem.setMode(0o755, of: TemporaryDirectory.current.url.path)
    let names = try FileManager.default.contentsOfDirectory(
      atPath: TemporaryDirectory.current.url.path
    )
    #expect(names == [name])
  }

  @Test func `what stands only in the log is read where nothing may be written`() async throws {
    let subject = try await readOnlySubject(leavingLog: true)
    let folder = TemporaryDirectory.current.url.path
    for suffix in ["", "-wal", "-shm"] { try FileSystem.setMode(0o444, of: file.path + suffix) }
    try FileSystem.setMode(0o555, of: folder)

    await #expect(processExitsWith: .success) { [path = file.path as String] in
      FileSystem.dropPrivileges()
      let store = try SnippetStore(
        at: URL(fileURLWithPath: path),
        configuration: .init(access: .readOnly)
      )
      #expect(try store.list().row(at: 0)?.title == "in the log")
    }
    try FileSystem.setMode(0o755, of: folder)
    try await subject.store.close()
  }

  @Test func `a file that may not be written is opened for reading only`() async throws {
    try await SnippetStore(at: file).close()
    try FileSystem.setMode(0o444, of: file.path)
    try FileSystem.setMode(0o555, of: TemporaryDirectory.current.url.path)

    await #expect(processExitsWith: .success) { [path = file.path as String] in
      FileSystem.dropPrivileges()
      let error = #expect(throws: SnippetStoreError.self) {
        try SnippetStore(at: URL(fileURLWithPath: path))
      }
      #expect(
        error?.description == """
          Could not open the store \(path): the store cannot be written here. Check the \
          permissions of its file and folder.
          """
      )
      #expect(error?.code == .readOnly)
    }
    try FileSystem.setMode(0o755, of: TemporaryDirectory.current.url.path)
  }
  #endif

  /// Makes a store with a snippet, and opens it for reading.
  private func readOnlySubject(leavingLog: Bool = false) async throws -> StoreCall.Subject {
    let store = try SnippetStore(at: file)
    var subject = try await StoreCall.subject(in: store)
    try await store.close()
    if leavingLog {
      let session = try ShellSession(file)
      _ = try await session.run("UPDATE snippet SET title = 'in the log';")
      try await session.crash()
    }
    subject.store = try TemporaryStore.open(configuration: .init(access: .readOnly))
    return subject
  }
}
