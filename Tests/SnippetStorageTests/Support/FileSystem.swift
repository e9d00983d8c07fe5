import Foundation
import SnippetBase
import SnippetTestSupport

/// What tests ask of the file system and do to it.
enum FileSystem {
  /// The permissions of a file in octal digits.
  static func mode(of path: String) throws -> String {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return String((attributes[.posixPermissions] as? Int) ?? 0, radix: 8)
  }

  /// The size of a file in bytes.
  static func byteCount(of url: URL) throws -> Int64 {
    let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
    return (attributes[.size] as? Int64) ?? 0
  }

  static func setMode(_ mode: Int, of path: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }

  /// The hash of each file in the folder of the running test case.
  ///
  /// The index of the log is left out, since every reader may write it; an empty log is the same
  /// as none.
  static func hashes() async throws -> [String: String] {
    let folder = TemporaryDirectory.current.url
    var hashes: [String: String] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let url = folder.appendingPathComponent(name)
      let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
      let type = attributes[.type] as? FileAttributeType
      let isEmpty = attributes[.size] as? UInt64 == 0
      guard type == .typeRegular, !name.hasSuffix("-shm"), !(isEmpty && name.hasSuffix("-wal"))
      else { continue }
      hashes[name] = try await Shell.sha256(url)
    }
    return hashes
  }

  /// Takes from this process the powers of root, to which permissions mean nothing; only for a
  /// process of a test's own.
  static func dropPrivileges() {
    guard geteuid() == 0 else { return }
    let nobody: UInt32 = 65_534
    precondition(setgroups(0, nil) == 0 && setgid(nobody) == 0 && setuid(nobody) == 0)
  }
}
