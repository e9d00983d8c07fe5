import Foundation
import SnippetBase

/// A folder with a packed file and another one for what is in it.
enum UnpackingFolder {
  private static let folder = TargetFolder(for: "unpacking")

  /// Calls `body` with a packed file and a path for what is in it, and expects nothing beside them.
  static func withPacked(_ bytes: Data, _ body: (OpenFile, String) throws -> Void) throws {
    try folder.use { path in
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
