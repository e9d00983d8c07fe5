import Foundation
import SnippetBase
import SnippetStorage

/// The stores that a command opened, so that all are closed before the process ends.
///
/// A process that just exits leaves the log of its store beside the file. Nothing is lost, but a
/// copy of the file alone would have an older state.
final class OpenStores: Sendable {
  private let stores = Lock<[SnippetStore]>([])

  /// Opens a store, to be closed at the end.
  ///
  /// - Parameters:
  ///   - url: The file.
  ///   - configuration: The settings. The default is that of the library.
  /// - Returns: The open store.
  /// - Throws: ``SnippetStoreError``
  func open(
    at url: URL,
    configuration: SnippetStore.Configuration = SnippetStore.Configuration()
  ) async throws -> SnippetStore {
    let store = try await SnippetStore.open(at: url, configuration: configuration)
    stores.withLock { $0.append(store) }
    return store
  }

  /// Closes all stores, the last first.
  ///
  /// SQLite folds the log into the file if no other program has the store open.
  func close() async {
    let opened = stores.withLock { stores in
      defer { stores = [] }
      return stores
    }
    for store in opened.reversed() {
      // Commits are safe whether or not this succeeds, and the command has reported its outcome by
      // now.
      try? await store.close()
    }
  }
}
