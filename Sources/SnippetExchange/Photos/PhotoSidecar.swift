import Foundation
import SnippetStorage

/// The properties of a picture in Google Photos, in a file of JSON beside it.
struct PhotoSidecar: Equatable, Sendable {
  /// The real name of the file.
  let fileName: String?
  let description: FileDescription

  /// Reads such a file; `nil` for other JSON.
  init?(_ read: JSONFields) {
    var fields = read
    guard fields.has("photoTakenTime"), fields.has("title") else { return nil }
    fileName = fields.text("title").map { Self.unescaped($0) }
    var description = FileDescription(of: fields)
    description.takenAt = Self.date("photoTakenTime", &fields, &description)
    description.addedAt = Self.date("creationTime", &fields, &description)
    // A slash is one of the title, not of a path.
    description.set(title: fileName.map { Self.title(of: $0) })
    description.set(note: fields.text("description").map { Self.unescaped($0) })
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

  /// Returns the name of a file without its extension.
  private static func title(of fileName: String) -> String {
    let start = fileName.lastIndex(of: "/").map(fileName.index(after:)) ?? fileName.startIndex
    let name = String(fileName[start...])
    if name.isEmpty { return fileName }
    return String(fileName[..<start]) + TextRules.title(ofFile: name, isText: false)
  }

  /// Returns a text with the characters that Google writes as in HTML, such as `&#39;`.
  private static func unescaped(_ text: String) -> String {
    guard text.contains("&") else { return text }
    return text.replacing(#/&(?:quot|#34|#39|apos|lt|gt|amp);/#) { match -> String in
      switch match.output {
      case "&quot;", "&#34;": "\""
      case "&lt;": "<"
      case "&gt;": ">"
      case "&amp;": "&"
      default: "'"
      }
    }
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
