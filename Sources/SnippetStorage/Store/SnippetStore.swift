public import Foundation
import SnippetBase

/// Text, image and voice snippets in one SQLite file.
///
/// Rows are cheap; blobs are kept apart from them. You may use a store from any thread, and several
/// processes may use it at once. Calls that may wait for the disk are `async` and do not block
/// Swift's threads. Calls for rows and lists take a fraction of a millisecond and return directly.
///
/// ```swift
/// let store = try await SnippetStore.open(at: url)
/// let milk = try await store.save(SnippetDraft(.text("Milk, eggs")))
/// let newest = try store.list().rows(in: 0..<40)
/// ```
public final class SnippetStore: Sendable {
  /// The file of the store; `nil` for one in memory.
  public let url: URL?
  /// The settings with which the store was opened.
  public let configuration: Configuration

  let connections: Connections
  let blobReaders: BlobReaders
  /// Reports every commit to the observers of the store.
  let changeFeed: ChangeFeed
  /// The uses of derivatives that are not recorded yet.
  let derivativeUses = DerivativeUses()
  /// The running update of the search index.
  let searchIndexing = Lock<Task<Void, Never>?>(nil)

  /// Opens the store in a file and blocks; for threads that may, such as those of a salvage or a
  /// test.
  package init(
    at url: URL,
    configuration: Configuration = Configuration()
  ) throws(SnippetStoreError) {
    let operation = "open the store \(url.path)"
    let events = StoreEvents(configuration.onEvent)
    do {
      // SQLite keeps the log beside the target of a link.
      let path = FileStatus.target(of: url.path)
      (connections, blobReaders, changeFeed) = try DiskReserve(storePath: path).lent {
        try Self.openFile(path, configuration, events, operation)
      }
    } catch {
      throw SnippetStoreError(error, during: operation)
    }
    connections.reserve?.keep(telling: events)
    changeFeed.begin(with: connections.rows, telling: connections.foreignCommits())
    self.url = url
    self.configuration = configuration
  }

  private static func openFile(
    _ path: String,
    _ configuration: Configuration,
    _ events: StoreEvents,
    _ operation: String
  ) throws -> (Connections, BlobReaders, ChangeFeed) {
    let timeout = configuration.busyTimeout
    let prepared = try StoreFile(path, operation: operation)
      .prepare(for: configuration.opening, busyTimeout: timeout)
    let file = OpenStoreFile(path: path)
    let smallReads = LateConnection {
      try Connections.openReader(path, of: file, busyTimeout: timeout)
    }
    let changeFeed = ChangeFeed(
      of: file,
      interval: configuration.foreignChangeInterval,
      events: events,
      connection: smallReads.get
    )
    let connections: Connections
    do {
      connections = try Connections(
        file: file,
        configuration.settings(schemaMark: prepared.schemaMark, events: events),
        inspectedBy: prepared.reader,
        smallReads: smallReads,
        operation: operation,
        beforeCommit: SnippetDigest.giveMissing,
        didCommit: changeFeed.didCommit
      )
    } catch {
      if prepared.isNew { file.removeUnfinished() }
      throw error
    }
    let blobReaders = BlobReaders(
      of: file,
      path: connections.readingPath,
      besides: connections.rows,
      busyTimeout: timeout,
      maps: configuration.mapsBlobs && !NetworkFileSystem.holds(path)
    )
    return (connections, blobReaders, changeFeed)
  }

  /// Makes a store in memory and blocks while the schema is made; for tests.
  package init(
    inMemoryWith configuration: Configuration = Configuration()
  ) throws(SnippetStoreError) {
    let operation = "make a store in memory"
    do {
      let only = try Connections.openInMemory(configuration.settings(), operation: operation)
      let changeFeed = try ChangeFeed(inMemory: only)
      connections = Connections(
        inMemory: only,
        events: StoreEvents(configuration.onEvent),
        beforeCommit: SnippetDigest.giveMissing,
        didCommit: changeFeed.didCommit
      )
      blobReaders = BlobReaders(sharing: only)
      self.changeFeed = changeFeed
    } catch {
      throw SnippetStoreError(error, during: operation)
    }
    url = nil
    self.configuration = configuration
  }

  /// Opens the store in a file, and creates it if the configuration allows that.
  ///
  /// On return the schema is up to date, and each upgrade step is durable. A new file can be read
  /// and written only by its owner. A file that is not a store, is damaged or was made by a newer
  /// version is refused and left byte for byte as it is. So is, for writing, one with an altered
  /// schema: a trigger of another program on a table of the store could do anything. Tables of
  /// other programs beside those of the store do no harm. No store is made where a file has the
  /// name of its log, which SQLite would delete.
  ///
  /// - Parameters:
  ///   - url: The file. Its folder must exist.
  ///   - configuration: The settings; by default the store is opened for reading and writing, and
  ///     created if missing.
  /// - Returns: The open store.
  /// - Throws: ``SnippetStoreError``. After `.busy` you can try again; `.noSuchFile`,
  ///   `.unreadable`, `.foreignFile`, `.alteredSchema`, `.newerStore`, `.damaged`, `.cannotCreate`
  ///   and `.readOnly` need the change that the error suggests.
  public static func open(
    at url: URL,
    configuration: Configuration = Configuration()
  ) async throws(SnippetStoreError) -> SnippetStore {
    try await OwnThreads.result { () throws(SnippetStoreError) in
      try SnippetStore(at: url, configuration: configuration)
    }
  }

  /// Makes a store in memory, which ends when it is released.
  ///
  /// - Parameter configuration: The settings; those for files are ignored.
  /// - Returns: An empty store.
  /// - Throws: ``SnippetStoreError``.
  public static func inMemory(
    configuration: Configuration = Configuration()
  ) async throws(SnippetStoreError) -> SnippetStore {
    try await OwnThreads.result { () throws(SnippetStoreError) in
      try SnippetStore(inMemoryWith: configuration)
    }
  }

  /// Closes the files.
  ///
  /// It waits for running calls; later calls throw ``SnippetStoreError/Code/closed``. A store that
  /// is released without being closed closes itself.
  ///
  /// - Throws: ``SnippetStoreError``; committed changes are safe even then.
  public func close() async throws(SnippetStoreError) {
    let result: Result<Void, SnippetStoreError> = await OwnThreads.run { [self] in
      Result { () throws(SnippetStoreError) in try blockingClose() }
    }
    await connections.events.flush()
    try result.get()
  }
}
