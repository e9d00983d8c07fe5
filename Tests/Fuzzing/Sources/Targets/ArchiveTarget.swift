import Foundation
import SnippetBase
import SnippetStorage

@testable import SnippetExchange

extension FuzzTarget {
  /// Unpacks an archive.
  ///
  /// Without libarchive it only tells formats apart.
  static let archive = FuzzTarget("archive") { bytes in
    guard let format = ArchiveFormat(head: Array(bytes.prefix(512))),
      ArchiveLibrary.version != nil
    else { return }
    try ArchiveFolder.shared.withArchive(Data(bytes)) { file, root in
      let limits = ArchiveUnpacking.Limits(memberCount: 64, ratio: 8, freeByteCount: 1 << 16)
      do {
        let folder = try OpenFolder(making: root)
        var unpacking = try ArchiveUnpacking(
          file,
          format,
          into: folder,
          limits: limits,
          check: {}
        )
        try unpacking.run()
        for case .failure(let path, _) in unpacking.missing {
          try require(path.hasPrefix(root), "a member is in the folder: \(path)")
        }
      } catch is ArchiveUnpacking.NotAnArchive {
        return
      } catch is ArchiveReader.Failure {
        return
      }
    }
  }
}

/// A folder with an archive and another one for its members, for one process.
private struct ArchiveFolder {
  static let shared = ArchiveFolder()

  private let path: String
  /// Two tests may run this target at once, and there is one folder.
  private let turn = Lock(())

  private init() {
    path = FileManager.default.temporaryDirectory.path + "/snippets-unpacking-\(getpid())"
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    } catch {
      preconditionFailure("a temporary folder cannot be made: \(error)")
    }
    atexit { try? FileManager.default.removeItem(atPath: ArchiveFolder.shared.path) }
  }

  /// Calls `body` with an archive and a path for its members, and expects nothing beside them.
  func withArchive(_ bytes: Data, _ body: (OpenFile, String) throws -> Void) throws {
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
