import SnippetBase
import SystemPackage

/// The parts of a Takeout of Google in some folders.
///
/// Each has the folders of the programs in one of its own: `Takeout`, or `Takeout 2` where a file
/// manager has unpacked a second one, or `takeout-2024-001/Takeout`. Google names the folders of
/// some programs in the language of the account.
struct TakeoutParts {
  /// The folder around those of the programs.
  private struct Top {
    let path: String
    /// The index of the imported folder that it is in.
    let given: Int
  }

  private let tops: [Top]

  private static let name = "Takeout"
  /// The most folders to look into for one with that name.
  private static let maximumFolderCount = 256

  /// Finds the parts in imported folders: themselves, those in them, and those a level deeper.
  init(in folders: [String]) {
    tops = folders.enumerated().flatMap { given, folder in
      Self.tops(in: folder).map { Top(path: $0, given: given) }
    }
  }

  private static func tops(in folder: String) -> [String] {
    guard isFolder(folder, isLink: true) else { return [] }
    // What cannot be read is reported in its turn.
    let all = names(in: folder)
    let named = all.filter(FileNames.isOfTakeout)
    let others = all.filter { !FileNames.isOfTakeout($0) && !$0.hasPrefix(".") }
    var found: [String] = []
    for child in named + others.prefix(maximumFolderCount) {
      let (path, inner) = (folder.withSlash + child, "\(folder.withSlash)\(child)/\(name)")
      if isFolder(inner) {
        found.append(inner)
      } else if FileNames.isOfTakeout(child), isFolder(path) {
        found.append(path)
      }
    }
    return found.isEmpty && FileNames.isOfTakeout(folder.fileName) ? [folder] : found
  }

  private static func names(in folder: String) -> [String] {
    ((try? FileSystem.names(in: folder)) ?? []).filter(\.isText).map(\.name).sorted()
  }

  private static func isFolder(_ path: String, isLink: Bool = false) -> Bool {
    (try? Stat(path, followTargetSymlink: isLink))?.type == .directory
  }

  /// Returns the same folder in the other parts.
  ///
  /// Exports of two years may be in one imported folder, and each has all notes of Keep. So only
  /// folders of pictures have sisters there.
  func sisters(of folder: String) -> [String] {
    guard tops.count > 1, let own = tops.first(where: { folder.isInside($0.path) }) else {
      return []
    }
    let names = folder.path(below: own.path).pathNames.map(String.init)
    let isOfPhotos = names.first.map(Self.isOfPhotos) ?? false
    var found: [String] = []
    for top in tops where top.path != own.path && (isOfPhotos || top.given != own.given) {
      let programs =
        isOfPhotos ? Self.names(in: top.path).filter(Self.isOfPhotos) : Array(names.prefix(1))
      for program in programs {
        let path = ([top.path, program] + names.dropFirst()).joined(separator: "/")
        if Self.isFolder(path) { found.append(path) }
      }
    }
    return found
  }

  /// Whether the folder of a program may be that of Google Photos, in any language.
  private static func isOfPhotos(_ name: String) -> Bool {
    name.hasPrefix("Google ") && !["Google Keep", "Google Notizen"].contains(name)
  }
}
