import Foundation
import SnippetBase
import SnippetStorage
import SnippetTestSupport
import Testing

/// A path to be written, held against every store by what it is and not by how it is spelled.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct OutputPlaceTests {
  private static let suffixes = ["", "-wal", "-shm", "-journal", "-reserve"]

  // MARK: - An open store

  @Test(arguments: suffixes)
  func `a store that is open, and every name beside it, is refused in any spelling`(
    suffix: String
  ) async throws {
    _ = try await openStore()
    try makeFolder("folder")
    try link("..", as: "folder/up")
    try link("store.sqlite\(suffix)", as: "link")
    try link("link", as: "link to the link")

    for path in [
      "store.sqlite", "./store.sqlite", "folder/../store.sqlite", "folder/up/store.sqlite",
    ] {
      #expect(errorCode { try ask(path + suffix) } == .invalidInput)
    }
    for path in ["link", "link to the link"] {
      #expect(errorCode { try ask(path) } == .invalidInput)
    }
    if !suffix.isEmpty {
      #expect(errorCode { try ask("STORE.sqlite\(suffix.uppercased())") } == .invalidInput)
      // As FAT would call it.
      #expect(errorCode { try ask("store.sqlite\(suffix).") } == .invalidInput)
    }
  }

  @Test func `other names of its files are refused, and what belongs to those names`()
    async throws
  {
    _ = try await openStore()
    for suffix in ["", "-wal", "-shm"] {
      try FileManager.default.linkItem(at: file("store.sqlite" + suffix), to: file("n" + suffix))
    }

    for name in ["n", "n-wal", "n-shm", "n-journal"] {
      #expect(errorCode { try ask(name) } == .invalidInput, "\(name)")
    }
  }

  @Test func `what only sounds like a part of it is free`() async throws {
    _ = try await openStore()
    try makeFolder("other")
    try Data("text".utf8).write(to: file("note.txt"))

    for name in [
      "note.txt", "store.sqlite-copy", "store.sqlite.bak", "store", "other/store.sqlite",
      "other/store.sqlite-journal", "photos-journal", "missing/store.sqlite-wal",
    ] {
      try ask(name)
    }
  }

  @Test func `the message says what, why and what to do`() async throws {
    _ = try await openStore()

    let error = try #require(throws: SnippetStoreError.self) { try ask("store.sqlite-journal") }

    #expect(
      error.description == """
        Could not write: it would replace a file that belongs to the store \
        \(file("store.sqlite").path). Nothing was changed. Choose another name.
        """
    )
  }

  // MARK: - A store that is not open

  @Test func `a closed store is known by its header, and the names beside it by the store`()
    async throws
  {
    try await openStore().close()
    try link("store.sqlite", as: "link")

    for name in Self.suffixes.map({ "store.sqlite" + $0 }) + ["link"] {
      #expect(errorCode { try ask(name) } == .invalidInput, "\(name)")
    }
  }

  // Its mark is in the log until a checkpoint.
  @Test func `a database whose log is beside it is refused`() async throws {
    let shell = try ShellSession(file("other.sqlite"))
    _ = try await shell.run("PRAGMA journal_mode = WAL; CREATE TABLE t (a);")

    #expect(errorCode { try ask("other.sqlite") } == .invalidInput)

    try await shell.end()
    try ask("other.sqlite")
  }

  @Test func `a named store counts even where nothing can be read of it`() throws {
    try Data("damaged".utf8).write(to: file("damaged"))

    try ask("damaged-journal")
    let code = errorCode {
      try StoreSeam.requireNoStore(
        at: file("damaged-journal").path,
        besides: [file("damaged").path],
        during: "write"
      )
    }
    #expect(code == .invalidInput)
  }

  // MARK: - Stores as output

  @Test(arguments: suffixes.dropFirst())
  func `a backup and a new store do not take a name beside a store`(suffix: String) async throws {
    let store = try await openStore()
    let other = file("other.sqlite")
    try await store.backUp(to: other)
    let before = try Data(contentsOf: other)

    for name in ["store.sqlite", "other.sqlite"] {
      let place = file(name + suffix)
      let isThere = FileManager.default.fileExists(atPath: place.path)
      let backedUp = await errorCode { try await store.backUp(to: place, replacesExisting: true) }
      #expect(backedUp == .invalidInput)
      let restored = await errorCode { try await SnippetStore.restore(from: other, to: place) }
      #expect(restored == .invalidInput)
      if !isThere {
        #expect(errorCode { try SnippetStore(at: place) } == .invalidInput)
        #expect(!FileManager.default.fileExists(atPath: place.path))
      }
    }

    #expect(try Data(contentsOf: other) == before)
    #expect(try await store.save(SnippetDraft(.text("after"))).title == "after")
  }

  @Test func `a backup takes the place of an older one, and a restore that of its store`()
    async throws
  {
    let store = try await openStore()
    let backup = file("backup.sqlite")
    try await store.backUp(to: backup)

    try await store.backUp(to: backup, replacesExisting: true)
    try await SnippetStore.restore(from: backup, to: file("store.sqlite"))
    try await SnippetStore.restore(from: backup, to: file("new.sqlite"))

    #expect(try store.list().count == 1)
    #expect(try TemporaryStore.open("new.sqlite").list().count == 1)
  }

  @Test func `a backup goes to the target of a link, and the link stays`() async throws {
    let store = try await openStore()
    try makeFolder("disk")
    try link("disk/backup.sqlite", as: "link")

    try await store.backUp(to: file("link"))
    let code = await errorCode { try await store.backUp(to: file("link")) }
    #expect(code == .alreadyExists)
    try await store.save(SnippetDraft(.text("another")))
    try await store.backUp(to: file("link"), replacesExisting: true)

    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: file("link").path)
        == "disk/backup.sqlite"
    )
    #expect(try TemporaryStore.open("disk/backup.sqlite").list().count == 2)
    try link("circle", as: "circle")
    let refused = await errorCode {
      try await store.backUp(to: file("circle"), replacesExisting: true)
    }
    #expect(refused == .cannotCreate)
  }

  // MARK: -

  private func openStore() async throws -> SnippetStore {
    let store = try TemporaryStore.open()
    try await store.save(SnippetDraft(.text("text")))
    return store
  }

  private func ask(_ name: String) throws {
    let path = TemporaryDirectory.current.url.path + "/" + name
    try StoreSeam.requireNoStore(at: path, during: "write")
  }

  private func file(_ name: String) -> URL { TemporaryDirectory.file(name) }

  private func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(at: file(name), withIntermediateDirectories: false)
  }

  private func link(_ target: String, as name: String) throws {
    try FileManager.default.createSymbolicLink(
      atPath: file(name).path,
      withDestinationPath: target
    )
  }
}
