import Foundation
import GRDB
import SnippetBase
import SnippetStorage
import SnippetTestSupport

@testable import SnippetSync

/// A store of a test that has joined a repository in memory.
struct SyncedStore {
  let name: String
  /// Whether the end of the test checks and closes it.
  let isCheckedAtEnd: Bool
  let place: MemoryPlace
  /// Where the process of this device ends, if it does.
  let crash = CrashPoint()
  /// The clock of the device.
  let clock: @Sendable () -> Date
  private(set) var store: SnippetStore
  private(set) var sync: StoreSync

  /// A device whose store was opened elsewhere.
  init(_ name: String, _ place: MemoryPlace, _ store: SnippetStore, _ sync: StoreSync) {
    (self.name, self.place, self.store, self.sync) = (name, place, store, sync)
    isCheckedAtEnd = false
    clock = { Date() }
  }

  /// Joins a place under a name, with the key of a store that has joined it already.
  init(
    _ name: String,
    _ place: MemoryPlace,
    key: String? = nil,
    isCheckedAtEnd: Bool = true,
    clock: @escaping @Sendable () -> Date = { Date() }
  ) async throws {
    (self.name, self.place, self.clock) = (name, place, clock)
    self.isCheckedAtEnd = isCheckedAtEnd
    store = try Self.open(name, isCheckedAtEnd, clock)
    sync = try await StoreSync.join(
      store,
      by: CrashingCarrier(carrier: place.carrier(name), crash: crash),
      at: "memory",
      as: name,
      key: key
    )
    try await begin(key: sync.key)
  }

  /// Copies a store, which others know as another one; or all that tells it from its copy.
  init(copying other: SyncedStore, as name: String, isClone: Bool = false) async throws {
    (self.name, place, clock) = (name, other.place, other.clock)
    isCheckedAtEnd = other.isCheckedAtEnd
    _ = try await other.store.backUp(to: TemporaryDirectory.file("\(name).sqlite"))
    store = try Self.open(name, isCheckedAtEnd, clock)
    sync = other.sync
    place.copyView(of: other.name, to: name)
    if isClone { try await forgetCopying() }
    try await begin(key: other.sync.key)
  }

  private func forgetCopying() async throws {
    let records = SyncRecords(store: store)
    let here = try await records.place()
    try await records.write { db in
      guard var state = try SyncState(in: db) else { return }
      state.place = here
      try state.write(in: db)
    }
  }

  /// Joins the place again, which the store has left, under its name or another one.
  mutating func joinAgain(as newName: String? = nil) async throws {
    let key = sync.key
    _ = try await StoreSync.join(
      store,
      by: place.carrier(name),
      at: "memory",
      as: newName ?? name,
      key: key
    )
    try await begin(key: key)
  }

  private static func open(
    _ name: String,
    _ isCheckedAtEnd: Bool,
    _ clock: @escaping @Sendable () -> Date
  ) throws -> SnippetStore {
    try TemporaryStore.open("\(name).sqlite", isCheckedAtEnd: isCheckedAtEnd) { $0.now = clock }
  }

  private mutating func begin(key: String) async throws {
    sync = StoreSync(
      SyncRecords(store: store) { [clock] in clock().milliseconds },
      Repository(
        carrier: CrashingCarrier(carrier: place.carrier(name), crash: crash),
        key: RepositoryKey(try AgeIdentity(key)),
        address: "memory"
      )
    )
    let crash = crash
    try store.seam.write(to: "watch commits") { db in
      db.add(transactionObserver: crash, extent: .databaseLifetime)
    }
  }

  /// Synchronizes as a process that may end.
  @discardableResult
  func synchronize() async throws(SyncError) -> SyncReport {
    crash.count(true)
    defer { crash.count(false) }
    return try await sync.synchronize(allowingManyRemovals: true)
  }

  /// Opens the store as a process does that has just begun, after a backup has taken its place if
  /// one is given.
  mutating func restart(restoring backup: URL? = nil) async throws {
    crash.disarm()
    let key = sync.key
    try await store.close()
    if let backup { _ = try await SnippetStore.restore(from: backup, to: file) }
    store = try Self.open(name, isCheckedAtEnd, clock)
    try await begin(key: key)
  }

  /// The file of the store.
  var file: URL { TemporaryDirectory.file("\(name).sqlite") }

  /// All snippets, or all in the trash.
  func rows(inTrash: Bool = false) throws -> [SnippetRow] {
    let list = store.list(inTrash ? .trash : SnippetFilter())
    return try list.page(0..<list.count).rows
  }

  /// All that devices agree on, a line for each snippet.
  func contents() async throws -> [String] {
    var lines: [String] = []
    for row in try rows() + rows(inTrash: true) {
      let hash = ContentHash.of(try await store.content(of: row.id)).hexadecimal.prefix(12)
      let tags = row.tags.map { $0.lowercased() }.sorted()
      lines.append(
        """
        \(row.uuid) \(row.kind.name) “\(row.title)” \(row.preview) \(hash) \(row.mediaType) \
        \(row.createdAt.milliseconds) \(row.modifiedAt.milliseconds) \(row.isPinned) \(tags) \
        \(row.deletedAt.map { "trash \($0.milliseconds)" } ?? "")
        """
      )
    }
    return lines.sorted()
  }

  /// The row of a snippet of another store.
  func row(_ uuid: UUID) throws -> SnippetRow? {
    try (rows() + rows(inTrash: true)).first { $0.uuid == uuid }
  }
}
