import Foundation
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

  /// Whether the file was not there any more while its snippet was in the trash, so that an export
  /// writes it once the snippet is back; `nil` if it was there.
  var gone: Bool?

  /// Whether an export has named the date of creation in the file; `nil` if it has not.
  var dated: Bool?

  /// Whether the file is an item of Joplin, whose name says nothing; `nil` if it is not.
  var item: Bool?

  /// The tags that the notebooks around an item gave; `nil` if they gave none.
  var notebooks: [String]?

  /// Whether the other program has an item in its trash; `nil` if it has not.
  var trashed: Bool?

  /// The moment of the last edit of an item in the other program, in milliseconds since 1970; `nil` if
  /// that is unknown.
  var edited: Int64?

  /// The identity of an item, whose name is made by the program that exported it; `nil` if the name
  /// tells it.
  var identity: String?

  /// Whether the file has the note and properties of the picture or the recording that it is beside;
  /// `nil` if it does not.
  var sideFile: Bool?

  /// The date of creation in a side file, or that an export has named, in milliseconds since 1970;
  /// `nil` if there is none.
  var created: Int64?

  /// Whether the file was given by itself, and only its path matters; `nil` if it was not.
  var single: Bool?

  /// The properties that another file told of it; `nil` if none did.
  var described: ToldFacts?

  /// Whether no file told those properties any more at the last import; `nil` if one did.
  var untold: Bool?

  /// The properties that another file still tells.
  var stillDescribed: ToldFacts? { untold == true ? nil : described }

  /// Whether a file beside a picture or a recording with a path told properties of it, as far as the
  /// last import knows.
  func isDescribed(beside path: String) -> Bool {
    stillDescribed?.isOfFileBeside == true && !FileNames.isText(path)
  }

  /// The note of a file that was given by itself.
  static let ofSingle = {
    var note = FileNote()
    note.single = true
    return note
  }()

  /// The note of a file that is still to be written.
  static let ofUnwritten = {
    var note = FileNote()
    note.unwritten = true
    return note
  }()

  init() {}

  init(title: String) {
    self.title = title
  }

  /// Whether an item says the same as at another time; the trash is another matter.
  func saysSame(as other: FileNote?) -> Bool {
    title == other?.title && tags == other?.tags && pinned == other?.pinned
      && notebooks == other?.notebooks
  }

  /// Describes a side file with some properties.
  init(ofSideFile properties: NoteMetadata) {
    self.init(properties)
    sideFile = true
    created = properties.createdAt?.clampedToStore.milliseconds
  }

  init(_ note: NoteMetadata) {
    title = note.title
    if !note.tags.isEmpty { tags = note.tags }
    if note.isPinned { pinned = true }
  }

  /// The identity that another program has given the file, if any.
  var givenIdentity: String? { identity ?? described?.identity }

  /// The properties in the file itself; `nil` if there are none.
  var own: FileNote? {
    var note = self
    (note.described, note.gone, note.untold) = (nil, nil, nil)
    return note == FileNote() ? nil : note
  }

  /// Returns the note of a file that is there, with what another file told; `nil` if nothing is
  /// left.
  static func note(_ note: FileNote?, described: ToldFacts?) -> FileNote? {
    guard let described else { return note?.own }
    var note = note ?? FileNote()
    (note.described, note.gone, note.untold) = (described, nil, nil)
    return note
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
