import Foundation
import SnippetBase
import SnippetStorage

/// The properties of a snippet that the path of its file expresses.
enum FileNames {
  /// Returns the title that the path of a file gives.
  static func title(of path: String, isText: Bool = false) -> String {
    TextRules.title(ofFileAt: path, isText: isText)
  }

  /// The name of a note that has neither a title nor words to make one of, as in Obsidian.
  static let untitled = "Untitled"

  /// Whether the title in a name says nothing: that of a note without a title, with a number if
  /// there are several.
  static func isUntitled(_ title: String) -> Bool {
    let words = title.split(separator: " ", omittingEmptySubsequences: false)
    return words[0] == untitled
      && (words.count == 1 || words.count == 2 && Int(words[1]) != nil)
  }

  /// Whether an empty file with this name is an empty text.
  static func isText(_ name: String) -> Bool {
    NoteLanguage(ofFile: name) != nil || name.fileExtension.lowercased() == "txt"
  }

  /// The folder of origins of the files that were given one by one, each with its whole path: no
  /// folder is written so.
  static let singleFiles = "//"

  /// Whether a folder of origins is one on the disk: only other ones end with a slash.
  static func isFolder(_ folder: String) -> Bool {
    folder.utf8.count < 2 || folder.utf8.last != UInt8(ascii: "/")
  }

  /// Whether the path of a folder of origins is that of an archive.
  static func isArchive(_ folder: String) -> Bool { !isFolder(folder) && folder != singleFiles }

  /// Returns the path of a folder of origins without what tells its kind, so that a slash and the
  /// path of a file in there follow.
  static func withoutSlash(_ folder: String) -> Substring {
    var bytes = folder.utf8[...]
    while bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
    return Substring(bytes)
  }

  /// Returns the number of folders around a file.
  static func folderCount(of path: String) -> Int { folders(of: path).count }

  /// Returns the number of innermost folders with equal names around two files.
  static func innermostFolderCount(of path: String, and other: String) -> Int {
    zip(folders(of: path).reversed(), folders(of: other).reversed())
      .prefix { String($0).hasBytes(of: String($1)) }.count
  }

  /// Returns the names of the folders around a file.
  static func folderNames(of path: String) -> [String] { folders(of: path).map(String.init) }

  /// Returns the names of the folders around a file as tags, without those that cannot be tags.
  static func folderTags(of path: String) -> [String] { tags(folders(of: path), \.self) }

  /// Returns the tags of the innermost folders.
  static func folderTags(of path: String, innermost count: Int) -> [String] {
    tags(folders(of: path)) { $0.suffix(count) }
  }

  /// Returns the tags of the other folders.
  static func folderTags(of path: String, besidesInnermost count: Int) -> [String] {
    tags(folders(of: path)) { $0.dropLast(count) }
  }

  private static func folders(of path: String) -> [Substring] {
    // A bundle is a text, not a folder around one, and neither is an archive that another one holds.
    path.pathNames.dropLast()
      .filter { name in !archiveEnds.contains { name.lowercased().hasSuffix($0) } }
      .prefix { !$0.lowercased().hasSuffix(".textbundle") }
  }

  /// The ends of the names of archives, as programs put them into others.
  private static let archiveEnds = [".zip", ".textpack", ".tar", ".tgz", ".tar.gz"]

  private static func tags(
    _ folders: [Substring],
    _ part: (ArraySlice<Substring>) -> ArraySlice<Substring>
  ) -> [String] {
    let chosen = part(folders[...])
    return chosen.dropFirst(max(0, takeoutCount(folders) - chosen.startIndex))
      .compactMap { TextRules.fittingTag(String($0)) }
  }

  /// Whether a folder is named as programs name that of a part of a Takeout: `Takeout 2`, or
  /// `takeout-2024-001`.
  static func isOfTakeout(_ name: String) -> Bool { name.lowercased().hasPrefix("takeout") }

  /// The number of the outermost folders that every Takeout of Google has: its own, that of a
  /// program, and that of a year.
  private static func takeoutCount(_ folders: [Substring]) -> Int {
    let outer = folders.prefix { isOfTakeout(String($0)) }.count
    guard folders.count > outer else { return 0 }
    let program = String(folders[outer])
    // Anyone may name a folder Takeout, or Keep.
    guard photoNames.contains(program) || outer > 0 && otherNames.contains(program) else {
      return 0
    }
    let count = outer + 1
    return folders.count > count && isYear(folders[count]) ? count + 1 : count
  }

  /// The names of the folder of Google Photos, in some languages.
  private static let photoNames: Set = [
    "Google Photos", "Google Fotos", "Google Foto", "Google Foto's",
  ]

  /// The names of the folders of other programs whose files are texts and pictures.
  private static let otherNames: Set = ["Keep", "Google Keep", "Google Notizen", "Drive"]

  /// The beginnings of the names of the folders of years, in some languages.
  private static let yearNames: Set = [
    "Photos from ", "Fotos von ", "Photos de ", "Fotos de ", "Foto del ", "Foto's uit ",
  ]

  private static func isYear(_ name: Substring) -> Bool {
    name.suffix(4).allSatisfy { "0"..."9" ~= $0 } && yearNames.contains(String(name.dropLast(4)))
  }
}

extension String {
  /// Whether two names are equal to a file system; Swift's equality of texts differs.
  func hasBytes(of other: String) -> Bool {
    utf8.elementsEqual(other.utf8)
  }

  /// Whether a path is a folder or below it.
  func isInside(_ folder: String) -> Bool {
    hasBytes(of: folder) || utf8.starts(with: folder.withSlash.utf8)
  }

  /// Returns the path of a folder in another, with a trailing slash; empty if they are the same.
  func path(below outer: String) -> String {
    if hasBytes(of: outer) { return "" }
    return String(decoding: utf8.dropFirst(outer.withSlash.utf8.count), as: UTF8.self) + "/"
  }

  /// A path that ends with a slash.
  var withSlash: String { utf8.last == UInt8(ascii: "/") ? self : self + "/" }
}

/// Tags to look up, compared as the store compares them; a file may have very many.
struct TagSet {
  private let keys: Set<[UInt8]>

  init(_ tags: [String]) {
    keys = Set(tags.map(TextRules.key(ofTag:)))
  }

  func contains(_ tag: String) -> Bool { keys.contains(TextRules.key(ofTag: tag)) }
}
