import Foundation
import SnippetBase
import SnippetStorage
import SnippetTestSupport
import SnippetTesting
import SystemPackage
import Testing

@testable import SnippetSync

/// Several processes with one store, of which one synchronizes at a time.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct TurnTests {
  private let place = MemoryPlace()

  @Test func `a second process is turned away while one synchronizes, and then has its turn`()
    async throws
  {
    let first = try await SyncedStore("store", place)
    _ = try await first.store.save(SnippetDraft(.text("a text")))
    let second = try TemporaryStore.open("store.sqlite") { $0.busyTimeout = .zero }
    let carrier = HeldCarrier(place.carrier("store"))
    let waiting = try await StoreSync(first.store, by: carrier, key: first.sync.key)
    let sync = try await StoreSync(second, by: place.carrier("store"), key: first.sync.key)

    let running = Task { try await waiting.synchronize() }
    await carrier.isAsked.untilOpen()
    let error = await #expect(throws: SyncError.self) { try await sync.synchronize() }
    let leaving = await #expect(throws: SyncError.self) { try await StoreSync.leave(second) }
    carrier.mayAnswer.open()

    for error in [error, leaving] {
      #expect((error?.underlyingError as? SnippetStoreError)?.code == .busy)
      #expect(error?.isRetryable == true)
    }
    #expect(try await running.value.sentCount == 1)
    #expect(try await sync.synchronize().isEmpty)
    #expect(try await StoreSync.devices(of: second).count == 1)
    #expect(!FileManager.default.fileExists(atPath: file.path))
  }

  @Test func `calls on a store in memory have turns, too`() async throws {
    var configuration = SnippetStore.Configuration()
    configuration.busyTimeout = .zero
    let store = try TemporaryStore.inMemory(configuration: configuration)
    let sync = try await StoreSync.join(
      store,
      by: place.carrier("store"),
      at: "memory",
      as: "store"
    )
    _ = try await store.save(SnippetDraft(.text("a text")))
    let carrier = HeldCarrier(place.carrier("store"))
    let waiting = try await StoreSync(store, by: carrier, key: sync.key)
    let other = try TemporaryStore.inMemory()
    _ = try await StoreSync.join(other, by: MemoryPlace().carrier(), at: "other", as: "other")

    let running = Task { try await waiting.synchronize() }
    await carrier.isAsked.untilOpen()
    let error = await #expect(throws: SyncError.self) { try await sync.synchronize() }
    let leaving = await #expect(throws: SyncError.self) { try await StoreSync.leave(store) }
    // Another store has a turn of its own.
    try await StoreSync.leave(other)
    carrier.mayAnswer.open()

    for error in [error, leaving] {
      #expect((error?.underlyingError as? SnippetStoreError)?.code == .busy)
      #expect(error?.reason == "another call synchronizes the store")
    }
    #expect(try await running.value.sentCount == 1)
    #expect(try await sync.synchronize().isEmpty)
  }

  @Test func `a process waits for its turn`() async throws {
    let first = try await SyncedStore("store", place)
    _ = try await first.store.save(SnippetDraft(.text("a text")))
    let second = try TemporaryStore.open("store.sqlite")
    let carrier = HeldCarrier(place.carrier("store"))
    let waiting = try await StoreSync(first.store, by: carrier, key: first.sync.key)
    let sync = try await StoreSync(second, by: place.carrier("store"), key: first.sync.key)

    let running = Task { try await waiting.synchronize() }
    await carrier.isAsked.untilOpen()
    let other = Task { try await sync.synchronize() }
    carrier.mayAnswer.open()

    let counts = [try await running.value.sentCount, try await other.value.sentCount]
    #expect(counts.reduce(0, +) == 1)
    #expect(try await StoreSync.devices(of: second).count == 1)
  }

  @Test func `of two processes that join at a time one is refused`() async throws {
    let laptop = try await SyncedStore("laptop", place)
    let first = try TemporaryStore.open("store.sqlite")
    let second = try TemporaryStore.open("store.sqlite")
    let carrier = HeldCarrier(place.carrier("store"))
    let key = laptop.sync.key
    let joining = Task {
      _ = try await StoreSync.join(first, by: carrier, at: "memory", as: "first", key: key)
    }
    await carrier.isAsked.untilOpen()

    let sync = try await StoreSync.join(
      second,
      by: place.carrier("store"),
      at: "memory",
      as: "second",
      key: key
    )
    _ = try await second.save(SnippetDraft(.text("a text")))
    #expect(try await sync.synchronize().sentCount == 1)
    carrier.mayAnswer.open()
    let error = await #expect(throws: SyncError.self) { try await joining.value }

    #expect(error?.code == .alreadyExists)
    #expect(error?.reason == "the store takes part there already")
    #expect(try await sync.synchronize().isEmpty)
    #expect(try await StoreSync.status(of: first)?.deviceName == "second")
  }

  @Test func `of two devices that make a repository at a time one is told to join`() async throws {
    let store = try TemporaryStore.open("store.sqlite")
    let carrier = HeldCarrier(place.carrier("store"))
    let joining = Task {
      _ = try await StoreSync.join(store, by: carrier, at: "memory", as: "first")
    }
    await carrier.isAsked.untilOpen()
    let laptop = try await SyncedStore("laptop", place)
    carrier.mayAnswer.open()

    let error = await #expect(throws: SyncError.self) { try await joining.value }

    #expect(error?.code == .wrongKey)
    #expect(error?.reason == "another device has just made a repository there")
    #expect(error?.recoverySuggestion?.contains("snip sync key") == true)
    #expect(try await StoreSync.status(of: store) == nil)
    #expect(try await laptop.synchronize().isEmpty)
  }

  @Test(.timeLimit(.minutes(5)))
  func `a call that waits for another one ends once it is cancelled`() async throws {
    let device = try await SyncedStore("store", place)
    _ = try await device.store.save(SnippetDraft(.text("a text")))
    let carrier = HeldCarrier(place.carrier("store"))
    let sync = try await StoreSync(device.store, by: carrier, key: device.sync.key)
    let running = Task { try await sync.synchronize() }
    await carrier.isAsked.untilOpen()

    let waiting = [
      Task { _ = try await sync.synchronize() }, Task { _ = try await sync.check() },
      Task { _ = try await sync.leave() },
    ]
    for task in waiting {
      task.cancel()
      let error = await #expect(throws: SyncError.self) { try await task.value }
      #expect(error?.code == .cancelled)
    }

    carrier.mayAnswer.open()
    #expect(try await running.value.sentCount == 1)
    #expect(try await sync.synchronize().isEmpty)
  }

  @Test func `a process that was killed leaves no turn behind`() async throws {
    let device = try await SyncedStore("store", place)
    let path = file.path
    await #expect(processExitsWith: .failure) { [path = path as String] in
      let file = try OpenFile(path, .readWrite, options: [.create], permissions: .ownerReadWrite)
      guard file.lock() else { exit(EXIT_SUCCESS) }
      kill(getpid(), SIGKILL)
    }
    #expect(FileManager.default.fileExists(atPath: path))

    #expect(try await device.synchronize().isEmpty)
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  @Test func `a store with the name of the lock is left alone`() async throws {
    let device = try await SyncedStore("store", place)
    let other = try TemporaryStore.open("store.sqlite-sync")
    _ = try await other.save(SnippetDraft(.text("a text")))

    let error = await #expect(throws: SyncError.self) { try await device.synchronize() }

    #expect((error?.underlyingError as? SnippetStoreError)?.code == .invalidInput)
    #expect(error?.description.contains("store.sqlite-sync is in the way") == true)
    #expect(try other.list().count == 1)
  }

  @Test func `a pipe with the name of the lock is left alone`() async throws {
    let device = try await SyncedStore("store", place)
    #expect(mkfifo(file.path, 0o600) == 0)

    let error = await #expect(throws: SyncError.self) { try await device.synchronize() }

    #expect((error?.underlyingError as? SnippetStoreError)?.code == .invalidInput)
    #expect(error?.description.contains("store.sqlite-sync is in the way") == true)
    #expect(FileManager.default.fileExists(atPath: file.path))
  }

  private var file: URL { TemporaryDirectory.file("store.sqlite-sync") }
}
