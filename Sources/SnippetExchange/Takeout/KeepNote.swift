import Foundation
import SnippetBase
import SnippetStorage

/// A note of Google Keep.
struct KeepNote: Equatable, Sendable {
  /// A text or a list, as Markdown, followed by the links that it shows.
  let text: String
  /// Its properties.
  let description: FileDescription
  /// The names of the pictures and recordings in it.
  let attachments: [String]
  /// The number that Google counts time in, which no two notes have in common.
  let createdMicroseconds: Int64?
  /// The moment of the last edit, in the same unit.
  private let editedMicroseconds: Int64?

  /// The names of fields; besides its dates, each note has one of them.
  private static let ownNames = [
    "title", "textContent", "textContentHtml", "listContent", "attachments", "isTrashed",
  ]

  /// Reads a note; `nil` for other JSON.
  init?(_ read: JSONFields) {
    var fields = read
    guard fields.has("userEditedTimestampUsec") || fields.has("createdTimestampUsec"),
      Self.ownNames.contains(where: fields.has)
    else { return nil }
    var description = FileDescription(of: fields)
    description.set(title: fields.text("title"))
    let created = fields.number("createdTimestampUsec")
    createdMicroseconds = created.flatMap { Int64(exactly: $0.rounded()) }
    description.createdAt = description.date(created.map { $0 / 1e6 }, "createdTimestampUsec")
    let edited = fields.number("userEditedTimestampUsec")
    editedMicroseconds = edited.flatMap { Int64(exactly: $0.rounded()) }
    description.modifiedAt = description.date(edited.map { $0 / 1e6 }, "userEditedTimestampUsec")
    description.isPinned = fields.flag("isPinned")
    description.isTrashed = fields.flag("isTrashed")
    for var label in fields.list("labels") {
      if let name = label.text("name") { description.add(tag: name) }
      description.add(unreadIn: label, of: "labels")
    }
    if fields.flag("isArchived") { description.add(tag: "archived") }
    if fields.text("color") != "DEFAULT" { fields.leave("color") }
    text = Self.text(&fields, &description)
    attachments = fields.list("attachments").compactMap { attachment in
      var attachment = attachment
      // The file tells its type.
      attachment.skip("mimetype")
      let path = attachment.text("filePath")
      description.add(unreadIn: attachment, of: "attachments")
      return path
    }
    description.unreadNames += fields.unreadNames
    self.description = description
  }

  private static func text(
    _ fields: inout JSONFields,
    _ description: inout FileDescription
  ) -> String {
    var text = words(of: &fields, "textContent", inHTML: "textContentHtml")
    let lines = fields.list("listContent").map { item in
      var item = item
      let text = Self.words(of: &item, "text", inHTML: "textHtml")
      let words = text.replacing("\n", with: "\n  ")
      let line = "- [\(item.flag("isChecked") ? "x" : " ")] \(words)"
      description.add(unreadIn: item, of: "listContent")
      return line
    }
    if !lines.isEmpty { text += (text.isEmpty ? "" : "\n\n") + lines.joined(separator: "\n") }
    let links = fields.list("annotations").enumerated().compactMap { number, item -> String? in
      var annotation = item
      // The program that made the link.
      annotation.skip("source")
      let (address, title) = (annotation.text("url"), annotation.text("title"))
      description.add(unreadIn: annotation, of: "annotations")
      // Notes have few links; each of thousands would be looked for in all of the text.
      guard let address, number >= 100 || !text.contains(address) else { return nil }
      guard let title else { return "<\(address)>" }
      return "[\(title.filter { !"[]".contains($0) }.replacing("\n", with: " "))](\(address))"
    }
    if !links.isEmpty { text += (text.isEmpty ? "" : "\n\n") + links.joined(separator: "\n") }
    return text
  }

  /// Returns a text or, without one, the same text in HTML.
  private static func words(
    of fields: inout JSONFields,
    _ name: String,
    inHTML htmlName: String
  ) -> String {
    if let text = fields.text(name) {
      fields.skip(htmlName)
      return text
    }
    guard let html = fields.text(htmlName) else { return "" }
    // Without the library of the system it stays unread, and is named.
    if !XMLParts.isAvailable { fields.leave(htmlName) }
    return EvernoteText(html, links: [:]).text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Whether there is nothing but pictures and recordings.
  var isEmpty: Bool { text.isEmpty && description.title == nil }

  /// Returns the identity of the note, which every export of it has.
  ///
  /// `name` tells notes apart that were made at the same moment. Older exports do not tell that
  /// moment: then an edit changes the identity.
  func identity(_ name: String?) -> UUID {
    let moment =
      createdMicroseconds.map { "\($0)" } ?? editedMicroseconds.map { "edited \($0)" } ?? text
    let words = "Google Keep \(moment)" + (name.map { " \($0)" } ?? "")
    let hash = ContentHash.of(Data(words.utf8))
    return hash.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
  }
}
