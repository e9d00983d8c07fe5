import Foundation
import GRDB
import Migrations
import SnippetSync
import SnippetTestSupport

@testable import SnippetStorage

/// The files that an operation begins with: a store with a bit of everything, a backup of a former
/// state, files to import.
struct FaultFixture: Sendable {
  /// What stands beside the store when an operation begins.
  enum Log: String, CaseIterable {
    /// Nothing: the store was closed.
    case folded
    /// The log of a process that was killed.
    case left
  }

  static let store = "store.sqlite"
  /// The store that has joined the repository.
  static let synced = "synced.sqlite"
  static let recipe = Recipe("fault test")
  static let newBytes = Samples.bytes(30_000, seed: 9)

  let folder: URL

  /// Uses files that are there.
  ///
  /// - Parameter folder: Where they are.
  init(at folder: URL) {
    self.folder = folder
  }

  /// Writes the files, which are made once in a run of the tests.
  ///
  /// - Parameter folder: Where to; it is made.
  /// - Throws: What the store and the file system do.
  static func write(to folder: URL) async throws {
    let files = try await making.value
    for (path, bytes) in files {
      let file = folder.appendingPathComponent(path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(),
        withIntermediateDirectories: true
      )
      try bytes.write(to: file)
    }
  }

  /// The files by their paths.
  private static let making = Task.detached {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("fault-fixture-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    _ = try await FaultFixture(makingIn: folder)
    var files: [String: Data] = [:]
    for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
      let file = folder.appendingPathComponent(path)
      let values = try file.resourceValues(forKeys: [.isRegularFileKey])
      if values.isRegularFile == true { files[path] = try Data(contentsOf: file) }
    }
    return files
  }

  private init(makingIn folder: URL) async throws {
    self.folder = folder
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let store = try SnippetStore(at: folder.appendingPathComponent("store.sqlite"))
    try await store.save(
      SnippetDraft(.text("Milk, eggs, bread"), title: "Shopping", tags: ["home"])
    )
    try await store.save(Samples.image(Samples.bytes(30_000, seed: 1), title: "Lake"))
    try await store.backUp(to: folder.appendingPathComponent("backup.sqlite"))

    let image = try await store.save(
      Samples.image(Samples.bytes(20_000, seed: 2), title: "Hill", tags: ["home", "walk"])
    )
    let derivative = Derivative(
      blobID: image.blobID ?? BlobID(rawValue: 0),
      recipe: Self.recipe,
      data: Samples.bytes(2000, seed: 3)
    )
    _ = try await store.saveDerivatives([derivative])
    let trashed = try await store.save(SnippetDraft(.text("Forget me"), title: "Old"))
    let deleted = try await store.save(SnippetDraft(.text("Never was"), title: "Gone"))
    _ = try await store.moveToTrash([trashed.id])
    _ = try await store.delete([deleted.id])
    try await store.updateSearchIndex()
    try Self.copyFiles(of: folder, to: folder.appendingPathComponent("left"))
    try await store.close()

    try makeOlderStores()
    let files = folder.appendingPathComponent("files")
    try FileManager.default.createDirectory(at: files, withIntermediateDirectories: false)
    for number in 1...3 {
      try Data("Text \(number) of a file\n".utf8)
        .write(to: files.appendingPathComponent("text \(number).txt"))
    }
    try Samples.wav(frameCount: 9000).write(to: files.appendingPathComponent("tone.wav"))
    try await makeSyncedStore()
  }

  // MARK: - The repository

  /// Where the devices of a run meet: not in its place, so that only the store has faults.
  static func repository(of place: URL) -> URL {
    place.deletingLastPathComponent().appendingPathComponent("repository")
  }

  /// Reads the key of the repository.
  static func key(of place: URL) throws -> String {
    let file = repository(of: place).appendingPathComponent("key.txt")
    return String(decoding: try Data(contentsOf: file), as: UTF8.self)
  }

  /// Makes a store that has edited, and received nothing yet of what another one has sent since.
  private func makeSyncedStore() async throws {
    let repository = folder.appendingPathComponent("meeting")
    try FileManager.default.createDirectory(at: repository, withIntermediateDirectories: false)
    let carrier = FolderCarrier(repository)
    let other = try SnippetStore(at: folder.appendingPathComponent("other.sqlite"))
    let shared = try await other.save(SnippetDraft(.text("Tea"), title: "Drinks", tags: ["home"]))
    let trashed = try await other.save(SnippetDraft(.text("Cake")))
    let deleted = try await other.save(SnippetDraft(.text("Soup")))
    let otherSync = try await StoreSync.join(other, by: carrier, at: "meeting", as: "other")
    try await otherSync.synchronize()
    let store = try SnippetStore(at: folder.appendingPathComponent(Self.synced))
    let sync = try await StoreSync.join(
      store,
      by: carrier,
      at: "meeting",
      as: "own",
      key: otherSync.key
    )
    try await sync.synchronize()

    try await other.apply(SnippetEdit(text: "Green tea"), to: shared.id)
    _ = try await other.moveToTrash([trashed.id])
    _ = try await other.delete([deleted.id])
    try await otherSync.synchronize()
    try await other.save(Samples.image(Samples.bytes(300_000, seed: 7), title: "Sea"))
    try await other.save(SnippetDraft(.text("Juice"), title: "New", tags: ["shop"]))
    try await otherSync.synchronize()
    let own = try store.list().rows(in: 0..<3).first { $0.title == "Drinks" }
    try await store.apply(SnippetEdit(text: "Coffee"), to: own?.id ?? shared.id)
    try await store.save(SnippetDraft(.text("Water"), title: "Own"))
    try Data(sync.key.utf8).write(to: repository.appendingPathComponent("key.txt"))
    for store in [other, store] { try await store.close() }
  }

  /// The name of a store that an older version has made.
  static func store(ofVersion version: Int) -> String { "version \(version).sqlite" }

  /// Makes a store of each older version, with a snippet where it can hold one.
  private func makeOlderStores() throws {
    for version in 0..<Migrations.latestVersion {
      let file = folder.appendingPathComponent(Self.store(ofVersion: version))
      let connections = try Connections.Writing(path: file.path, busyTimeout: .zero, .full)
      let steps = Migrations.all.filter { $0.version <= version }
      try MigrationRunner(operation: "make a store", migrations: steps).run(on: connections.writer)
      if version >= 3 {
        try connections.writer.inDatabase { db in
          try db.execute(
            sql: """
              INSERT INTO snippet (uuid, kind, title, created_at, modified_at)
              VALUES (randomblob(16), 1, 'Old', 1000, 2000);
              INSERT INTO snippet_text VALUES (1, 'a text of old')
              """
          )
        }
      }
      try connections.close()
    }
  }

  private static func copyFiles(of folder: URL, to copy: URL) throws {
    try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: false)
    for name in ["store.sqlite", "store.sqlite-wal"] {
      try FileManager.default.copyItem(
        at: folder.appendingPathComponent(name),
        to: copy.appendingPathComponent(name)
      )
    }
  }

  /// Copies the files for one run.
  ///
  /// - Parameters:
  ///   - place: Where to; whatever is there is removed.
  ///   - operation: What will be done.
  ///   - log: What stands beside the store.
  /// - Throws: What the file system does.
  func lay(out place: URL, for operation: FaultOperation, log: Log) throws {
    let files = FileManager.default
    if files.fileExists(atPath: place.path) { try files.removeItem(at: place) }
    try files.createDirectory(at: place, withIntermediateDirectories: false)
    let isLeft = log == .left && operation.subject == Self.store
    let source = isLeft ? folder.appendingPathComponent("left") : folder
    for name in [operation.subject, operation.subject + "-wal"]
    where files.fileExists(atPath: source.appendingPathComponent(name).path) {
      try files.copyItem(
        at: source.appendingPathComponent(name),
        to: place.appendingPathComponent(name)
      )
    }
    let repository = Self.repository(of: place)
    if files.fileExists(atPath: repository.path) { try files.removeItem(at: repository) }
    if operation.subject == Self.synced {
      try files.copyItem(at: folder.appendingPathComponent("meeting"), to: repository)
    }
    for name in ["backup.sqlite", "files"] {
      try files.copyItem(
        at: folder.appendingPathComponent(name),
        to: place.appendingPathComponent(name)
      )
    }
  }
}
