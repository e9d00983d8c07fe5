import Foundation
import SnippetBase

/// A folder with a packed file and another one for what is in it, for one process.
struct UnpackingFolder {
  static let shared = UnpackingFolder()

  private let path: String
  /// Two tests may unpack at once, and there is one folder.
  private let turn = Lock(())

  private init() {
    path = FileManager.default.temporaryDirectory.path + "/snippets-unpacking-\(getpid())"
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      preconditionFailure("a temporary folder cannot be made: \(error)")
    }
    atexit { try? FileManager.default.removeItem(atPath: UnpackingFolder.shared.path) }
  }

  /// Calls `body` with a packed file and a path for what is in it, and expects nothing beside them.
  func withPacked(_ bytes: Data, _ body: (OpenFile, String) throws -> Void) throws {
    try turn.withLock { _ in
      let archive = "\(path)/archive"
      try bytes.write(to: URL(fileURLWithPath: archive))
      let root = "\(path)/members"
      defer { try? FileManager.default.removeItem(atPath: root) }
      try body(try OpenFile(archive), root)
      let names = try FileManager.default.contentsOfDirectory(atPath: path)
      let isAlone = Set(names).isSubset(of: ["archive", "members"])
      try require(isAlone, "nothing is written beside the members: \(names)")
    }
  }
}
