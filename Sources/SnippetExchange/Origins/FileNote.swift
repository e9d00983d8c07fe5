import Foundation
import SnippetRecognition
import SnippetStorage

/// The properties of a snippet in its file, apart from the file's name and place.
///
/// An origin stores them if the content of the snippet does not contain them: front matter written
/// by an export, or a title inside bytes that are replaced.
struct FileNote: Codable, Equatable, Sendable {
  var title: String?
  var tags: [String]?
  var pinned: Bool?
  /// Whether the file is still to be written, by the next export; `nil` if it was there.
  var unwritten: Bool?

  /// Whether the file is an item of Joplin, whose name says nothing; `nil` if it is not.
  var item: Bool?

  /// Whether the file has the note of the picture or the recording that it is beside; `nil` if it
  /// does not.
  var sideFile: Bool?

  /// Whether the file was given by itself, and only its path matters; `nil` if it was not.
  var single: Bool?

  /// The note of a file that was given by itself.
  static let ofSingle = {
    var note = FileNote(title: "")
    (note.title, note.single) = (nil, true)
    return note
  }()

  /// The note of a side file.
  static let ofSideFile = {
    var note = FileNote(title: "")
    (note.title, note.sideFile) = (nil, true)
    return note
  }()

  /// The note of a file that is still to be written.
  static let ofUnwritten = {
    var note = FileNote(title: "")
    (note.title, note.unwritten) = (nil, true)
    return note
  }()

  init(title: String) {
    self.title = title
  }

  /// Describes an item of Joplin.
  init(ofItem title: String?, tags: [String]) {
    self.title = title
    self.tags = tags.isEmpty ? nil : tags
    item = true
  }

  init(_ note: NoteMetadata) {
    title = note.title
    if !note.tags.isEmpty { tags = note.tags }
    if note.isPinned { pinned = true }
  }

  /// Reads a value of ``json``; `nil` for anything else.
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
