import Foundation
import SnippetBase
import SnippetStorage

/// The stores that a command opened, so that all are closed before the process ends.
///
/// A process that just exits leaves the log of its store beside the file. Nothing is lost, but
/// a copy of the file alone would be of an older state.
final class OpenStores: Sendable {
  private let stores = Lock<[SnippetStore]>([])

  /// Opens a store that is closed at the end.
  ///
  /// - Parameters:
  ///   - url: The file.
  ///   - configuration: How to open it. The default is that of the library.
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

  /// Closes them all, the last first; the log of a store that nobody else has open is folded into
  /// its file.
  func close() async {
    let opened = stores.withLock { stores in
      defer { stores = [] }
      return stores
    }
    for store in opened.reversed() {
      // What was committed is safe whether or not this succeeds, and the command's own outcome
      // has been told by now.
      try? await store.close()
    }
  }
}
