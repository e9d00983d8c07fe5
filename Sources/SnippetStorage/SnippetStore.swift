public import Foundation
import SnippetBase

/// Text, image and voice snippets in one SQLite file.
///
/// Rows are cheap, blobs are kept apart from them. A store may be used from any thread and by
/// several processes at once. Calls that block have a form for `async` code that holds none of
/// Swift's threads while it waits; lists and single rows, which take a fraction of a millisecond,
/// have only the blocking one.
///
/// ```swift
/// let store = try SnippetStore(at: url)
/// let milk = try store.save(SnippetDraft(.text("Milk, eggs")))
/// let newest = try store.list().rows(in: 0..<40)
/// ```
public final class SnippetStore: Sendable {
  /// The file of the store; `nil` for one in memory.
  public let url: URL?
  /// How the store was opened.
  public let configuration: Configuration

  let connections: Connections

  /// Opens the store in a file, and creates it where the configuration allows.
  ///
  /// On return the schema is up to date, every step of that durable. A new file can be read and
  /// written by its owner only. A file that is not a store, that is damaged or that a newer
  /// version made is refused and left byte for byte as it is.
  ///
  /// - Parameters:
  ///   - url: The file. Its folder must exist.
  ///   - configuration: How to open it; by default for reading and writing, created if missing.
  /// - Throws: ``SnippetStoreError``. `.busy` can be tried again; `.noSuchFile`, `.unreadable`,
  ///   `.foreignFile`, `.newerStore`, `.damaged`, `.cannotCreate` and `.readOnly` need a change
  ///   first, which the error names.
  public init(
    at url: URL,
    configuration: Configuration = Configuration()
  ) throws(SnippetStoreError) {
    let operation = "open the store \(url.path)"
    try StoreFile(url, operation: operation).prepare(for: configuration.access)
    do {
      connections = try Connections(
        path: url.path,
        configuration: configuration,
        operation: operation
      )
    } catch {
      throw SnippetStoreError(error, during: operation)
    }
    self.url = url
    self.configuration = configuration
  }

  private init(inMemoryWith configuration: Configuration) throws(SnippetStoreError) {
    let operation = "make a store in memory"
    do {
      connections = try Connections(inMemoryWith: configuration, operation: operation)
    } catch {
      throw SnippetStoreError(error, during: operation)
    }
    url = nil
    self.configuration = configuration
  }

  /// Makes a store that lives in memory and ends with its last reference.
  ///
  /// - Parameter configuration: How to open it; what concerns files is ignored.
  /// - Returns: An empty store.
  /// - Throws: ``SnippetStoreError``.
  public static func inMemory(
    configuration: Configuration = Configuration()
  ) throws(SnippetStoreError) -> SnippetStore {
    try SnippetStore(inMemoryWith: configuration)
  }

  /// Opens the store in a file without holding one of Swift's threads meanwhile.
  ///
  /// - Parameters:
  ///   - url: The file. Its folder must exist.
  ///   - configuration: How to open it; by default for reading and writing, created if missing.
  /// - Returns: The open store.
  /// - Throws: ``SnippetStoreError``, as the blocking form.
  public static func open(
    at url: URL,
    configuration: Configuration = Configuration()
  ) async throws(SnippetStoreError) -> SnippetStore {
    let opened = await OwnThreads.run {
      Result { () throws(SnippetStoreError) in
        try SnippetStore(at: url, configuration: configuration)
      }
    }
    return try opened.get()
  }

  /// Closes the files.
  ///
  /// A store that is not closed is so with its last reference.
  ///
  /// Waits for the calls under way; every later one throws ``SnippetStoreError/Code/closed``.
  ///
  /// - Throws: ``SnippetStoreError``; what was committed is safe all the same.
  public func close() throws(SnippetStoreError) {
    // Lost, it would only let a derivative go earlier than others.
    try? writeDerivativeUses()
    do {
      try connections.close()
    } catch {
      throw SnippetStoreError(error, during: "close the store")
    }
  }
}
