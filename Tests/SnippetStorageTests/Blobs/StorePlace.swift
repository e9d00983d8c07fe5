import SnippetStorage
import SnippetTestSupport

/// Where a store lives and how its blobs are read.
enum StorePlace: String, CaseIterable, Sendable {
  case mappedFile, unmappedFile, memory

  func open() throws -> SnippetStore {
    var configuration = SnippetStore.Configuration()
    configuration.mapsBlobs = self == .mappedFile
    if self == .memory { return try TemporaryStore.inMemory(configuration: configuration) }
    return try TemporaryStore.open(configuration: configuration)
  }
}
