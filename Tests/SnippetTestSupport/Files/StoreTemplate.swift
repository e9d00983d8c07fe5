import Foundation
import SnippetStorage

/// An empty store with the whole schema, of which new stores are copies: each step of the schema
/// waits for the disk.
enum StoreTemplate {
  private struct File {
    var bytes: Data
    var mode: Int
  }

  private static let file = Result { try make() }

  /// Puts a copy at a place where there is no file.
  static func copy(to url: URL) throws {
    let file = try file.get()
    let isMade = FileManager.default.createFile(
      atPath: url.path,
      contents: file.bytes,
      attributes: [.posixPermissions: file.mode]
    )
    guard isMade else { throw CocoaError(.fileWriteUnknown) }
  }

  private static func make() throws -> File {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("snippet-template-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appendingPathComponent("store.sqlite")
    let store = try SnippetStore(at: url)
    try Threads.wait { try await store.close() }
    let mode = try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions]
    return File(bytes: try Data(contentsOf: url), mode: mode as? Int ?? 0o600)
  }
}
