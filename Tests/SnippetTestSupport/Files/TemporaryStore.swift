import Foundation
import SnippetBase
package import SnippetStorage
import Testing

/// Stores that end with their test case, which must have the trait `.temporaryDirectory`.
///
/// At the end each store must pass the check, whether or not the test case has closed it, and is
/// closed. A test that damages its store on purpose opens it with ``SnippetStore`` alone.
package enum TemporaryStore {
  /// Opens the store with a name in the folder of the running test case; a new one is a copy of an
  /// empty store.
  ///
  /// A test that opens very many may check and close each itself.
  package static func open(
    _ name: String = "store.sqlite",
    configuration: SnippetStore.Configuration = SnippetStore.Configuration(),
    isCheckedAtEnd: Bool = true,
    set: (inout SnippetStore.Configuration) -> Void = { _ in }
  ) throws -> SnippetStore {
    var configuration = configuration
    set(&configuration)
    let directory = TemporaryDirectory.current
    let url = directory.url.appendingPathComponent(name)
    if configuration.access == .readWriteCreate, configuration.preparation == .completed,
      !FileManager.default.fileExists(atPath: url.path)
    {
      try StoreTemplate.empty.write(to: url)
    }
    let store = try SnippetStore(at: url, configuration: configuration)
    if isCheckedAtEnd { directory.stores.withLock { $0.append(store) } }
    return store
  }

  /// Makes a store in memory.
  package static func inMemory(
    configuration: SnippetStore.Configuration = SnippetStore.Configuration()
  ) throws -> SnippetStore {
    let store = try SnippetStore(inMemoryWith: configuration)
    TemporaryDirectory.current.stores.withLock { $0.append(store) }
    return store
  }

  static func endAll(in directory: TemporaryDirectory) async throws {
    for store in directory.stores.withLock({ $0 }) {
      let problems = try await problems(of: store)
      #expect(problems.isEmpty, "the store is sound at the end of the test")
      try await store.close()
    }
    for url in directory.copies.withLock({ $0 }) {
      let problems = try await problems(in: url)
      #expect(problems.isEmpty, "the store is sound at the end of the test")
    }
  }

  private static func problems(
    of store: SnippetStore
  ) async throws -> [CheckReport.Problem] {
    do {
      return try await store.check().problems
    } catch {
      guard error.code == .closed else { throw error }
      guard let url = store.url else { return [] }
      return try await problems(in: url)
    }
  }

  private static func problems(
    in url: URL
  ) async throws -> [CheckReport.Problem] {
    let again = try SnippetStore(at: url, configuration: .init(access: .readOnly))
    let report = try await again.check()
    try await again.close()
    return report.problems
  }
}
