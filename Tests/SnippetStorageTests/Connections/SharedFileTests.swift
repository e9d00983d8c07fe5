import Foundation
import SnippetBase
import SnippetTestSupport
import SnippetTesting
import Testing

@testable import SnippetStorage

/// Several stores and other programs on one file.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct SharedFileTests {
  private let file = TemporaryDirectory.file("store.sqlite")

  @Test func `two stores on one file see each other's snippets`() async throws {
    let first = try TemporaryStore.open()
    let second = try TemporaryStore.open()

    let row = try await first.save(SnippetDraft(.text("from the first")))
    let other = try await second.save(SnippetDraft(.text("from the second")))

    #expect(try second.row(row.id) == row)
    #expect(try first.row(other.id) == other)
  }

  // File systems give a new file the number of a deleted one.
  @Test func `a file belongs to an open store by its place, too`() throws {
    try Data("store".utf8).write(to: file)
    let open = OpenStoreFile(path: file.path)
    let identity = try #require(FileIdentity(path: file.path))
    #expect(OpenStoreFile.contains(identity))

    try FileManager.default.moveItem(at: file, to: TemporaryDirectory.file("other.md"))

    #expect(!OpenStoreFile.contains(identity))
    open.close()
  }

  @Test func `threads of two stores save at once and lose nothing`() async throws {
    let stores = [try TemporaryStore.open(), try TemporaryStore.open()]

    let ids = try await Threads.atOnce(4) { number in
      try await (0..<25).asyncMap { index in
        try await stores[number % 2].save(SnippetDraft(.text("\(number) \(index)"))).id
      }
    }

    #expect(Set(ids.joined()).count == 100)
    #expect(try stores[0].list().count == 100)
    #expect(try stores[1].list().count == 100)
  }

  // first store            second store         shell
  // holds the write lock
  //                        is opened and closed
  //                                             must still find the lock held
  @Test func `opening and closing a second store drops no lock of the first`() async throws {
    let first = try TemporaryStore.open()
    let held = await Hold { hold in
      try first.connections.write(to: "hold the lock") { _ in hold() }
    }

    try await SnippetStore(at: file, configuration: .init(access: .readOnly)).close()
    let output = try await Shell.sqlite3(file, "BEGIN IMMEDIATE")
    try await held.end()

    #expect(output.standardError == "Error: stepping, database is locked (5)\n")
  }

  @Test func `a program that reads meanwhile does not keep a save waiting`() async throws {
    let store = try TemporaryStore.open()
    let session = try ShellSession(file)
    _ = try await session.run("BEGIN; SELECT count(*) FROM snippet;")

    let row = try await store.save(SnippetDraft(.text("hello")))

    let seen = try await session.run("SELECT count(*) FROM snippet;")
    #expect(seen == "0\n")
    let seenAfter = try await session.run("COMMIT; SELECT id FROM snippet;")
    #expect(seenAfter == "\(row.id)\n")
    try await session.end()
  }

  @Test func `what was saved before a crash of the shell beside us is kept`() async throws {
    let store = try TemporaryStore.open()
    let session = try ShellSession(file)
    _ = try await session.run("BEGIN IMMEDIATE; INSERT INTO snippet (kind) VALUES (1);")

    try await session.crash()

    let row = try await store.save(SnippetDraft(.text("hello")))
    #expect(try store.list().rows(in: 0..<9) == [row])
  }
}
