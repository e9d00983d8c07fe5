import Foundation
import SnippetBase

@testable import SnippetExchange

extension FuzzTarget {
  /// Unpacks an archive.
  ///
  /// Without libarchive it only tells formats apart.
  static let archive = FuzzTarget("archive") { bytes in
    guard let format = ArchiveFormat(head: Array(bytes.prefix(512))),
      ArchiveLibrary.version != nil
    else { return }
    try UnpackingFolder.withPacked(Data(bytes)) { file, root in
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
