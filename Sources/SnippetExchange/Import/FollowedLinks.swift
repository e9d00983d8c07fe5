import SnippetBase
import SystemPackage

/// Decides which links below the given paths are followed.
///
/// A link may lead to something below a given path that is not found otherwise, as the objects of
/// git-annex are, which are hidden. So no file is found twice, and no walk runs in a circle or
/// leaves the given paths.
struct FollowedLinks {
  private let roots: [String]
  private let includesHidden: Bool
  /// The files and folders at and below followed links, without links, by their bytes.
  private var visited: Set<[UInt8]> = []

  init(below paths: [String], includesHidden: Bool) {
    roots = paths.map(FileSystem.realPath)
    self.includesHidden = includesHidden
  }

  /// Returns the reason not to follow a link; `nil` if it is followed.
  func reasonToLeaveOut(_ link: String) -> LeftOut.Reason? {
    guard (try? Stat(link, followTargetSymlink: true)) != nil else { return .brokenLink }
    let target = FileSystem.realPath(of: link)
    let around = roots.filter { target.isInside($0) }
    guard !around.isEmpty else { return .linkOutside }
    let isFound = around.contains { root in
      includesHidden
        || !target.path(below: root).pathNames.contains { $0.utf8.first == UInt8(ascii: ".") }
    }
    return isFound ? .linkToImported : nil
  }

  /// Notes a file or a folder at or below a followed link; returns whether it is new.
  mutating func visit(_ path: String) -> Bool {
    visited.insert(Array(FileSystem.realPath(of: path).utf8)).inserted
  }
}
