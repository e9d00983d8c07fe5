import Foundation
import GRDB
import SnippetBase
import SnippetTestSupport
import SnippetTesting
import Testing

@testable import SnippetStorage

@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct LateConnectionTests {
  @Test func `a store opens the connections that are used`() async throws {
    let store = try TemporaryStore.open()
    let connections = store.connections
    let row = try await store.save(Samples.image(Samples.bytes(10)))

    #expect(try store.list().rows(in: 0..<9) == [row])
    #expect(connections.openedReader(.scans) == nil)
    #expect(connections.openedReader(.smallReads) == nil)
    #expect(connections.checkpointer?.connection.opened == nil)

    _ = try await store.search("milk")
    let blob = try #require(row.blobID)
    _ = try await store.derivative(of: blob, by: Recipe("test"))
    connections.checkpointIfDue(at: 0)
    #expect(connections.openedReader(.scans) != nil)
    #expect(connections.openedReader(.smallReads) != nil)
    #expect(connections.checkpointer?.connection.opened != nil)
  }

  @Test func `a store that is read has one connection, and its first change opens another`()
    async throws
  {
    let saved = try await TemporaryStore.open().save(SnippetDraft(.text("Milk")))
    let store = try TemporaryStore.open()
    let writer = try store.connections.lateWriter(for: "look")

    #expect(try store.list().rows(in: 0..<9) == [saved])
    #expect(writer.opened == nil)
    #expect(store.connections.openedReader(.smallReads) == nil)

    try await store.apply(SnippetEdit(title: "Eggs"), to: saved)
    #expect(writer.opened != nil)
    #expect(try store.row(saved.id)?.title == "Eggs")
  }

  @Test func `a store that was only read leaves no log behind, though another had left one`()
    async throws
  {
    let store = try TemporaryStore.open()
    let saved = try await store.save(SnippetDraft(.text("Milk")))
    // As a program that is killed leaves it.
    let copy = TemporaryDirectory.file("copy.sqlite")
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(
        atPath: try #require(store.url).path + suffix,
        toPath: copy.path + suffix
      )
    }
    #expect(FileStatus.byteCount(of: copy.path + "-wal") > 0)

    let other = try SnippetStore(at: copy)
    #expect(try other.list().rows(in: 0..<9) == [saved])
    try await other.close()

    for suffix in OutputPlace.suffixes { #expect(!FileStatus.exists(copy.path + suffix)) }
    #expect(try SnippetStore(at: copy).list().rows(in: 0..<9) == [saved])
  }

  @Test func `closing a store opens nothing`() async throws {
    let store = try TemporaryStore.open()

    try await store.close()

    #expect(store.connections.openedReader(.scans) == nil)
    #expect(throws: DatabaseError.self) { try store.connections.reader(.scans) }
    #expect(throws: DatabaseError.self) { try store.connections.checkpointer?.connection.get() }
    #expect(throws: DatabaseError.self) { try store.blobReaders.withConnection { _ in } }
  }

  @Test func `threads that need a connection at once open it once`() async throws {
    let count = Lock(0)
    let connection = LateConnection {
      count.withLock { $0 += 1 }
      return try DatabaseQueue()
    }

    let found = try await Threads.atOnce(8) { _ in try connection.get() }

    #expect(count.withLock { $0 } == 1)
    #expect(Set(found.map(ObjectIdentifier.init)).count == 1)
    try connection.close()
  }

  // reader                closer
  // begins to open
  //                       closes, and waits
  // has opened, and reads or finds it closed
  //                       has closed what was opened
  @Test func `closing waits for an opening under way`() async throws {
    let (isOpening, mayGoOn) = (Gate(), Gate())
    let connection = LateConnection {
      isOpening.open()
      mayGoOn.blockUntilOpen()
      return try DatabaseQueue()
    }
    async let reading = Threads.run { try connection.get() }
    await isOpening.untilOpen()
    // A look does not wait.
    #expect(connection.opened == nil)

    async let ending = Threads.run { connection.end() }
    mayGoOn.open()

    let (opened, ended) = (try await reading, try await ending)
    #expect(opened === ended)
    #expect(connection.opened == nil)
    let error = #expect(throws: DatabaseError.self) { try connection.get() }
    #expect(error?.resultCode == .SQLITE_MISUSE)
    try opened.close()
  }

  @Test func `after a failure the next call tries again`() throws {
    let isFailing = Lock(true)
    let connection = LateConnection {
      if isFailing.withLock(\.self) { throw DatabaseError(resultCode: .SQLITE_IOERR) }
      return try DatabaseQueue()
    }
    for _ in 0..<2 {
      let error = #expect(throws: DatabaseError.self) { try connection.get() }
      #expect(error?.resultCode == .SQLITE_IOERR)
    }

    isFailing.withLock { $0 = false }

    #expect(try connection.get() === connection.get())
    try connection.close()
  }
}
