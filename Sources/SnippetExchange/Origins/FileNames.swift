import Foundation
import SnippetStorage

/// What the path of a file says of its snippet.
enum FileNames {
  /// The name without its extension.
  static func title(of path: String) -> String {
    let name = URL(fileURLWithPath: "/" + path, isDirectory: false).deletingPathExtension()
      .lastPathComponent
    return name.foldingWhiteSpace()
  }

  /// Whether an empty file with this name is an empty text.
  static func isText(_ name: String) -> Bool {
    MarkdownNote.isMarkdown(name: name) || (name as NSString).pathExtension.lowercased() == "txt"
  }

  /// How many folders a file is in.
  static func folderCount(of path: String) -> Int { folders(of: path).count }

  /// How many of the innermost folders of two files are called the same.
  static func innermostFolderCount(of path: String, and other: String) -> Int {
    zip(folders(of: path).reversed(), folders(of: other).reversed())
      .prefix { String($0).hasBytes(of: String($1)) }.count
  }

  /// The names of the folders that a file is in, each a tag, but for those that can be none.
  static func folderTags(of path: String) -> [String] { tags(folders(of: path)[...]) }

  /// Those of its innermost folders.
  static func folderTags(of path: String, innermost count: Int) -> [String] {
    tags(folders(of: path).suffix(count))
  }

  /// Those of the others.
  static func folderTags(of path: String, besidesInnermost count: Int) -> [String] {
    tags(folders(of: path).dropLast(count))
  }

  private static func folders(of path: String) -> [Substring] {
    path.split(separator: "/").dropLast()
  }

  private static func tags(_ folders: ArraySlice<Substring>) -> [String] {
    folders.compactMap { TextRules.fittingTag(String($0)) }
  }
}

extension String {
  /// Whether it is the same to a file system: to Swift, texts are equal that are two names.
  func hasBytes(of other: String) -> Bool {
    utf8.elementsEqual(other.utf8)
  }
}

extension [String] {
  /// Whether one of these tags is the same to the store.
  func contains(equalTo tag: String) -> Bool {
    contains { TextRules.areEqual($0, tag) }
  }
}
