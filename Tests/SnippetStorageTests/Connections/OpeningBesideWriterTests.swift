import Foundation
import SnippetStorage
import SnippetTestSupport
import Testing

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct OpeningBesideWriterTests {
  // shell            store
  // BEGIN IMMEDIATE
  //                  opens, reads, closes: without writing, so without waiting
  // ROLLBACK
  @Test(arguments: [SnippetStore.Configuration.Access.readWriteCreate, .readWrite, .readOnly])
  func `an existing store opens while another process writes`(
    access: SnippetStore.Configuration.Access
  ) async throws {
    let store = try TemporaryStore.open()
    _ = try await store.save(SnippetDraft(.text("hello")))
    try await store.close()
    let shell = try ShellSession(TemporaryDirectory.file("store.sqlite"))
    _ = try await shell.run("BEGIN IMMEDIATE;")

    var configuration = SnippetStore.Configuration(access: access)
    configuration.busyTimeout = .milliseconds(1)
    let second = try SnippetStore(
      at: TemporaryDirectory.file("store.sqlite"),
      configuration: configuration
    )
    let count = try second.list().count
    try await second.close()

    #expect(count == 1)
    _ = try await shell.run("ROLLBACK;")
    try await shell.end()
  }

  @Test func `opening an existing store writes nothing`() async throws {
    let store = try TemporaryStore.open()
    _ = try await store.save(SnippetDraft(.text("hello")))
    let log = TemporaryDirectory.file("store.sqlite-wal")
    let before = try Data(contentsOf: log)

    let second = try TemporaryStore.open()
    _ = try second.list().count

    #expect(try Data(contentsOf: log) == before)
  }
}
