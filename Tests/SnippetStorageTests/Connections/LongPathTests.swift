import Foundation
import SnippetStorage
import SnippetTestSupport
import Testing

/// Stores with paths that are as long as SQLite takes, or longer.
@Suite(.temporaryDirectory, .timeLimit(.minutes(10)))
struct LongPathTests {
  /// Returns the URL of a file whose path has a number of bytes, in a folder that is there.
  private func file(pathByteCount: Int) throws -> URL {
    var folder = TemporaryDirectory.current.url.path
    while pathByteCount - folder.utf8.count > 202 {
      folder += "/" + String(repeating: "d", count: 99)
    }
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let name = String(repeating: "s", count: pathByteCount - folder.utf8.count - 1)
    return URL(fileURLWithPath: "\(folder)/\(name)", isDirectory: false)
  }

  @Test func `a store has the longest path that SQLite takes`() async throws {
    let url = try file(pathByteCount: 504)

    let store = try SnippetStore(at: url)
    try await store.save(SnippetDraft(.text("Milk")))

    #expect(try await store.check().isSound)
    try await store.close()
  }

  @Test func `a longer path is refused with the reason, and no file stays`() throws {
    let url = try file(pathByteCount: 505)

    let error = #expect(throws: SnippetStoreError.self) { try SnippetStore(at: url) }

    #expect(error?.code == .cannotCreate)
    #expect(error?.reason == "its path has 505 bytes, and SQLite takes 504")
    #expect(!FileManager.default.fileExists(atPath: url.path))
    try Data().write(to: url)
    let reading = #expect(throws: SnippetStoreError.self) {
      try SnippetStore(at: url, configuration: .init(access: .readOnly))
    }
    #expect(reading?.code == .unreadable && reading?.reason == error?.reason)
  }

  @Test func `a backup whose unfinished copy has too long a path says so, and leaves nothing`()
    async throws
  {
    let store = try TemporaryStore.open()
    let url = try file(pathByteCount: 500)

    let error = await #expect(throws: SnippetStoreError.self) { try await store.backUp(to: url) }

    #expect(error?.code == .cannotCreate)
    #expect(error?.reason.contains("SQLite takes 504") == true, "\(String(describing: error))")
    let folder = url.deletingLastPathComponent().path
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
  }
}
