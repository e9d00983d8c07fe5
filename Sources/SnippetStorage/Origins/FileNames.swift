import Foundation

/// What the path of a file says of its snippet.
enum FileNames {
  /// The name without its extension.
  static func title(of path: String) -> String {
    let name = URL(fileURLWithPath: "/" + path, isDirectory: false).deletingPathExtension()
      .lastPathComponent
    return name.foldingWhiteSpace()
  }

  /// The names of the folders that a file is in, each a tag, but for those that can be none.
  static func folderTags(of path: String) -> [String] {
    path.split(separator: "/").dropLast().compactMap { TextRules.fittingTag(String($0)) }
  }
}
