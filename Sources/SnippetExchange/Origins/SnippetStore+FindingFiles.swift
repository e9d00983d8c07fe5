import Foundation
import GRDB
import SnippetBase
public import SnippetStorage

extension SnippetStore {
  /// Resolves the conditions of a query on files: `file:`, `path:`, `from:`, and `type:` of texts.
  ///
  /// They ask for the files that snippets came from or were written to, which are no part of a row.
  /// So the snippets are found now, and a list or a search of the query holds no others later.
  ///
  /// ```text
  /// file:recording        the name contains it, whatever the case
  /// file:*.md             the name is like the pattern, with * and ?
  /// path:photos/2024      the path contains it
  /// type:markdown         the name ends as those of such texts do
  /// from:Notes            a folder around the file has this name; from:~/Notes is a path
  /// ```
  ///
  /// - Parameter query: The query.
  /// - Returns: The query with the snippets found; the same query if it does not ask for files.
  /// - Throws: `SnippetStoreError`.
  /// - Complexity: O(*n*) in the number of files, if the query asks for any.
  public func findingFiles(
    for query: SearchQuery
  ) async throws(SnippetStoreError) -> SearchQuery {
    guard query.asksForFiles else { return query }
    return try await seam.read(to: "find snippets by their files") { db in
      try query.resolvingFiles { condition in
        let match = FileMatch(condition)
        var found: Set<SnippetID> = []
        try db.forEachRow(
          """
          SELECT snippet_id, origin_folder.path, origin.path
          FROM origin_folder CROSS JOIN origin ON folder_id = origin_folder.id
          """,
          []
        ) { row in
          let folder = FileNames.withoutSlash(try row.text(1))
          if match.matches(folder + "/", try row.text(2)) {
            found.insert(SnippetID(rawValue: try row.number(0)))
          }
          return true
        }
        return found
      }
    }
  }
}

/// A condition on files, prepared to be compared with many.
private struct FileMatch {
  private let part: FileCondition.Part
  /// The text without its case.
  private let text: String
  private let isPattern: Bool
  private let endings: [String]

  init(_ condition: FileCondition) {
    part = condition.part
    var text = condition.text
    if part == .from {
      if text == "~" || text.hasPrefix("~/") {
        let home = ProcessInfo.processInfo.environment["HOME"] ?? NSHomeDirectory()
        text = home + text.dropFirst()
      }
      while text.count > 1, text.hasSuffix("/") { text.removeLast() }
    }
    self.text = Self.folded(text)
    endings = condition.endings
    isPattern = part != .from && text.contains { $0 == "*" || $0 == "?" }
  }

  /// Whether a file matches, by its folder, which ends with a slash, and its path in there.
  func matches(_ folder: Substring, _ path: String) -> Bool {
    let whole = Self.folded(folder + path)
    switch part {
    case .type: return endings.contains(whole.fileExtension)
    case .file: return contains(whole.fileName)
    case .path: return contains(whole)
    case .from:
      let folders = whole.folderPath + "/"
      let wanted = text == "/" ? text : text + "/"
      return text.hasPrefix("/") ? folders.hasPrefix(wanted) : folders.contains("/" + wanted)
    }
  }

  private func contains(_ name: String) -> Bool {
    guard isPattern else { return name.contains(text) }
    return fnmatch(part == .path ? "*\(text)*" : text, name, 0) == 0
  }

  private static func folded(_ text: String) -> String {
    text.precomposedStringWithCanonicalMapping.lowercased()
  }
}
