import Foundation
import SnippetStorage

/// The properties of a picture in Google Photos, in a file of JSON beside it.
struct PhotoSidecar: Equatable, Sendable {
  /// The real name of the file.
  let fileName: String?
  let description: FileDescription

  /// Reads such a file; `nil` for other JSON.
  init?(_ data: Data) {
    guard let fields = JSONFields(data) else { return nil }
    self.init(fields)
  }

  init?(_ read: JSONFields) {
    var fields = read
    guard fields.has("photoTakenTime"), fields.has("title") else { return nil }
    fileName = fields.text("title")
    var description = FileDescription(of: fields)
    description.takenAt = Self.date("photoTakenTime", &fields, &description)
    description.addedAt = Self.date("creationTime", &fields, &description)
    description.set(title: fileName.map { TextRules.title(ofFile: $0, isText: false) })
    description.set(note: fields.text("description"))
    description.isPinned = fields.flag("favorited")
    description.isTrashed = fields.flag("trashed")
    if fields.flag("archived") { description.add(tag: "archived") }
    for var person in fields.list("people") {
      if let name = person.text("name") { description.add(tag: name) }
      description.add(unreadIn: person, of: "people")
    }
    description.unreadNames += fields.unreadNames
    self.description = description
  }

  private static func date(
    _ name: String,
    _ fields: inout JSONFields,
    _ description: inout FileDescription
  ) -> Date? {
    guard var moment = fields.fields(name) else { return nil }
    // The same moment in words.
    moment.skip("formatted")
    let seconds = moment.number("timestamp")
    description.add(unreadIn: moment, of: name)
    return description.date(seconds, name)
  }
}
