import Foundation
import SnippetRecognition
import SnippetStorage

/// What a file says of its snippet, apart from its name and place.
///
/// An origin keeps it where the content of the snippet does not tell: front matter that an export
/// has written above it, or a title inside of bytes that are replaced.
struct FileNote: Codable, Equatable, Sendable {
  var title: String?
  var tags: [String]?
  var pinned: Bool?

  init(title: String) {
    self.title = title
  }

  init(_ note: MarkdownNote) {
    title = note.title
    if !note.tags.isEmpty { tags = note.tags }
    if note.isPinned { pinned = true }
  }

  /// Reads what ``json`` gave; `nil` for anything else.
  init?(json: String) {
    guard let note = try? JSONDecoder().decode(Self.self, from: Data(json.utf8)) else { return nil }
    self = note
  }

  var json: String {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = .sortedKeys
      return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
  }
}
