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
    /// The moment of the export, as its archives are named; `nil` if the folders have other names.
    let export: String?
  }

  private let tops: [Top]

  private static let name = "Takeout"
  /// The most folders to look into for one with that name.
  private static let maximumFolderCount = 256

  /// Finds the parts in imported folders, each with the path that was given for it: themselves, those
  /// in them, and those a level deeper.
  init(in folders: [(path: String, givenPath: String)]) {
    tops = folders.enumerated().flatMap { given, folder in
      Self.tops(in: folder.path).map { path in
        let inner = path.path(below: folder.path).pathNames.map(String.init)
        let outer = folder.givenPath.pathNames.suffix(2).map(String.init)
        let export = (outer + inner).compactMap(Self.export).last
        return Top(path: path, given: given, export: export)
      }
    }
  }

  /// Returns `20240131T101112Z` of `takeout-20240131T101112Z-001.zip`, in lower case; `nil` of other
  /// names.
  private static func export(_ name: String) -> String? {
    name.lowercased().prefixMatch(of: #/takeout-([0-9]{8}t[0-9]{6}z)/#).map { String($0.output.1) }
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
  /// folders of pictures have sisters there. In exports of two moments one name may be that of two
  /// pictures.
  func sisters(of folder: String) -> [String] {
    guard tops.count > 1, let own = tops.first(where: { folder.isInside($0.path) }) else {
      return []
    }
    let names = folder.path(below: own.path).pathNames.map(String.init)
    let isOfPhotos = names.first.map(Self.isOfPhotos) ?? false
    var found: [String] = []
    for top in tops where top.path != own.path && (isOfPhotos || top.given != own.given) {
      if let one = top.export, let other = own.export, one != other { continue }
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
