import Foundation
import SnippetBase
package import SnippetStorage

/// A store that is made once in a run of the tests, and copied for each test that needs it, because
/// the schema and every commit wait for the disk.
package final class StoreTemplate: Sendable {
  private struct File {
    var bytes: Data
    var mode: Int
  }

  private let making: Task<File, any Error>
  private let made = Lock<File?>(nil)

  /// Begins to make a store.
  ///
  /// - Parameter fill: Fills it.
  package init(_ fill: @escaping @Sendable (SnippetStore) async throws -> Void = { _ in }) {
    // Detached from the first test that needs it.
    making = Task.detached { try await Self.make(fill) }
  }

  /// A store without snippets, which every new ``TemporaryStore`` is a copy of.
  static let empty = StoreTemplate()

  /// Waits until ``write(to:)`` can be called.
  func prepare() async throws {
    guard made.withLock({ $0 == nil }) else { return }
    let file = try await making.value
    made.withLock { $0 = file }
  }

  /// Writes a copy, if the store has been prepared.
  func write(to url: URL) throws {
    guard let file = made.withLock({ $0 }) else { return }
    let isMade = FileManager.default.createFile(
      atPath: url.path,
      contents: file.bytes,
      attributes: [.posixPermissions: file.mode]
    )
    guard isMade else { throw CocoaError(.fileWriteUnknown) }
  }

  /// Puts a copy into the folder of the running test case; the copy is checked when the case ends.
  package func copy(as name: String = "store.sqlite") async throws {
    let directory = TemporaryDirectory.current
    let url = directory.url.appendingPathComponent(name)
    try await prepare()
    try write(to: url)
    directory.copies.withLock { $0.append(url) }
  }

  private static func make(
    _ fill: @Sendable (SnippetStore) async throws -> Void
  ) async throws -> File {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("snippet-template-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appendingPathComponent("store.sqlite")
    let store = try await SnippetStore.open(at: url)
    try await fill(store)
    try await store.close()
    let mode = try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions]
    return File(bytes: try Data(contentsOf: url), mode: mode as? Int ?? 0o600)
  }
}
