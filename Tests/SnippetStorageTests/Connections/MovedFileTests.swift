import Foundation
import SnippetStorage
import SnippetTestSupport
import Testing

/// The file of an open store is taken away.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct MovedFileTests {
  private let file = TemporaryDirectory.file("store.sqlite")
  private let elsewhere = TemporaryDirectory.file("elsewhere.sqlite")

  @Test func `nothing is acknowledged while the file is away, and all is well when it is back`()
    async throws
  {
    let store = try TemporaryStore.open()
    for call in StoreCall.writing {
      let subject = try await StoreCall.subject(in: store)
      let before = try store.list().rows(in: 0..<99)
      try FileManager.default.moveItem(at: file, to: elsewhere)

      await call.expectRefusal(
        on: subject,
        .inputOutput,
        because: "the file of the store was moved or deleted"
      )

      #expect(try store.list().rows(in: 0..<99) == before, "\(call.name)")
      try FileManager.default.moveItem(at: elsewhere, to: file)
      #expect(try store.list().rows(in: 0..<99) == before, "\(call.name)")
      await #expect(throws: Never.self, "\(call.name)") { try await call.run(on: subject) }
    }
  }

  @Test func `a deleted file is missed`() async throws {
    let store = try SnippetStore(at: file)
    let row = try await store.save(SnippetDraft(.text("hello")))
    try FileManager.default.removeItem(at: file)

    #expect(await errorCode { try await store.save(SnippetDraft(.text("lost"))) } == .inputOutput)
    #expect(try store.list().rows(in: 0..<9) == [row])
    try await store.close()
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  @Test func `a file that was put in its place is left as it is`() async throws {
    let store = try SnippetStore(at: file)
    try FileManager.default.moveItem(at: file, to: elsewhere)
    try Data("something else".utf8).write(to: file)

    #expect(await errorCode { try await store.save(SnippetDraft(.text("lost"))) } == .inputOutput)
    try await store.close()
    #expect(try Data(contentsOf: file) == Data("something else".utf8))
  }

  // The commits since the last checkpoint stand in the log alone, and the next program that opens
  // the file begins another one.
  @Test(arguments: StoreCall.writing)
  func `nothing is acknowledged once the log is gone, and all is still read`(
    call: StoreCall
  ) async throws {
    let store = try SnippetStore(at: file)
    let subject = try await StoreCall.subject(in: store)
    let before = try store.list().rows(in: 0..<9)
    for suffix in ["-wal", "-shm"] {
      try FileManager.default.removeItem(atPath: file.path + suffix)
    }

    let error = await call.expectRefusal(
      on: subject,
      .inputOutput,
      because: "the log of the store was moved or deleted"
    )
    let advice = """
      Back this store up while it is open, then close it everywhere and open it again. Restore the \
      backup if something is missing.
      """
    #expect(error?.recoverySuggestion?.hasSuffix(advice) == true)

    #expect(try store.list().rows(in: 0..<9) == before)
    try await store.backUp(to: elsewhere)
    try await store.close()
    #expect(try TemporaryStore.open("elsewhere.sqlite").list().rows(in: 0..<9) == before)
  }

  // store                          shell
  // its log is deleted
  //                                begins another and saves
  // is backed up and closed: must
  // not delete the other log, nor
  // copy its own into the file
  @Test(arguments: [false, true])
  func `the advice for a lost log loses nothing, whether or not others have written since`(
    othersHaveWritten: Bool
  ) async throws {
    let store = try TemporaryStore.open()
    let rows = try await (0..<50).asyncMap { number in
      try await store.save(SnippetDraft(.text("\(number) of many")))
    }
    for suffix in ["-wal", "-shm"] {
      try FileManager.default.removeItem(atPath: file.path + suffix)
    }
    if othersHaveWritten {
      let sql = "INSERT INTO snippet (kind, title) VALUES (1, 'by the shell')"
      let output = try await Shell.sqlite3(file, sql)
      #expect(output.standardError == "")
    }

    try await store.backUp(to: elsewhere)
    try await store.close()

    let again = try SnippetStore(at: file)
    let found = try again.list().rows(in: 0..<99)
    #expect(try await again.check().isSound)
    try await again.close()
    if othersHaveWritten {
      #expect(found.map(\.title) == ["by the shell"])
      _ = try await SnippetStore.restore(from: elsewhere, to: file)
    } else {
      #expect(Set(found.map(\.id)) == Set(rows.map(\.id)))
    }
    let restored = try TemporaryStore.open()
    #expect(try restored.list().count == 50)
  }

  /// How a file or its log is taken away.
  private static let displacements: [@Sendable (URL, URL) throws -> Void] = [
    { file, other in
      try FileManager.default.removeItem(at: file)
      try FileManager.default.moveItem(at: other, to: file)
    },
    { file, _ in try FileManager.default.removeItem(at: file) },
    { file, _ in
      for suffix in ["-wal", "-shm"] {
        try FileManager.default.removeItem(atPath: file.path + suffix)
      }
    },
  ]

  // Nothing but rows has been read before, so no other connection is open.
  @Test(arguments: displacements.indices)
  func `whatever is read for the first time is that of the open file`(
    number: Int
  ) async throws {
    let bytes = Samples.bytes(1_000_000)
    let recipe = Recipe("test")
    let store = try SnippetStore(at: file)
    let row = try await store.save(Samples.image(bytes, title: "own"))
    let blob = try #require(row.blobID)
    let derivative = Derivative(blobID: blob, recipe: recipe, data: Data("own".utf8))
    try await store.saveDerivatives([derivative])
    let other = try SnippetStore(at: elsewhere)
    let otherBlob = try #require(try await other.save(Samples.image(Data(bytes.reversed()))).blobID)
    #expect(otherBlob == blob)
    try await other.close()
    try Self.displacements[number](file, elsewhere)
    let names = try FileManager.default.contentsOfDirectory(
      atPath: TemporaryDirectory.current.url.path
    )

    #expect(try await store.derivative(of: blob, by: recipe) == Data("own".utf8))
    #expect(try await store.content(of: row.id) == bytes)
    #expect(try store.list().rows(in: 0..<9) == [row])
    // A check needs a connection that could write, which would not see the open file.
    #expect(await errorCode { try await store.check() } == .inputOutput)
    let observation = store.observeChanges {}
    defer { observation.cancel() }
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: TemporaryDirectory.current.url.path)
        .sorted() == names.sorted()
    )
    #expect(try await store.foundIDs("own") == [row.id])
    let backup = TemporaryDirectory.file("backup.sqlite")
    try await store.backUp(to: backup)
    try await store.close()
    #expect(try TemporaryStore.open("backup.sqlite").list().rows(in: 0..<9) == [row])
  }

  @Test func `who follows a store is told when another file takes its place`() async throws {
    let store = try SnippetStore(at: file)
    try await store.save(SnippetDraft(.text("hello")))
    try await store.backUp(to: elsewhere)
    let last = try await store.lastChange
    let following = Task {
      for try await _ in store.changeBatches(after: last) {}
    }
    _ = try await Shell.run("mv", [elsewhere.path, file.path])

    let error = await #expect(throws: SnippetStoreError.self) { try await following.value }

    #expect(error?.code == .inputOutput)
    #expect(error?.reason == "the file of the store was moved or deleted")
    try await store.close()
  }
}
