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

  /// The names of fields; besides its dates, each note has one of them.
  private static let ownNames = ["title", "textContent", "listContent", "attachments", "isTrashed"]

  /// Reads a note; `nil` for other JSON.
  init?(_ data: Data) {
    guard let fields = JSONFields(data) else { return nil }
    self.init(fields)
  }

  init?(_ read: JSONFields) {
    var fields = read
    guard fields.has("userEditedTimestampUsec") || fields.has("createdTimestampUsec"),
      Self.ownNames.contains(where: fields.has)
    else { return nil }
    var description = FileDescription()
    description.title = fields.text("title")
    let created = fields.number("createdTimestampUsec")
    createdMicroseconds = created.flatMap { Int64(exactly: $0.rounded()) }
    description.createdAt = description.date(created.map { $0 / 1e6 }, "createdTimestampUsec")
    let edited = fields.number("userEditedTimestampUsec")
    description.modifiedAt = description.date(edited.map { $0 / 1e6 }, "userEditedTimestampUsec")
    description.isPinned = fields.flag("isPinned")
    description.isTrashed = fields.flag("isTrashed")
    for var label in fields.list("labels") {
      if let name = label.text("name") { description.add(tag: name) }
    }
    if fields.flag("isArchived") { description.add(tag: "archived") }
    // The same text once more.
    fields.skip("textContentHtml")
    if fields.text("color") != "DEFAULT" { fields.leave("color") }
    text = Self.text(&fields)
    attachments = fields.list("attachments").compactMap { attachment in
      var attachment = attachment
      return attachment.text("filePath")
    }
    description.unreadNames = fields.unreadNames
    if fields.list("annotations").contains(where: { $0.has("description") }) {
      description.unreadNames.append("annotations.description")
    }
    self.description = description
  }

  private static func text(_ fields: inout JSONFields) -> String {
    var text = fields.text("textContent") ?? ""
    let lines = fields.list("listContent").map { item in
      var item = item
      let words = (item.text("text") ?? "").replacing("\n", with: "\n  ")
      return "- [\(item.flag("isChecked") ? "x" : " ")] \(words)"
    }
    if !lines.isEmpty { text += (text.isEmpty ? "" : "\n\n") + lines.joined(separator: "\n") }
    let links = fields.list("annotations").compactMap { annotation -> String? in
      var annotation = annotation
      guard let address = annotation.text("url"), !text.contains(address) else { return nil }
      guard let title = annotation.text("title") else { return "<\(address)>" }
      return "[\(title.filter { !"[]".contains($0) }.replacing("\n", with: " "))](\(address))"
    }
    if !links.isEmpty { text += (text.isEmpty ? "" : "\n\n") + links.joined(separator: "\n") }
    return text
  }

  /// Whether there is nothing but pictures and recordings.
  var isEmpty: Bool { text.isEmpty && description.title == nil }

  /// Returns the identity of the note, which every export of it has.
  ///
  /// `name` tells notes apart that were made at the same moment.
  func identity(_ name: String?) -> UUID? {
    guard let createdMicroseconds else { return nil }
    let text = "Google Keep \(createdMicroseconds)" + (name.map { " \($0)" } ?? "")
    let hash = ContentHash.of(Data(text.utf8))
    return hash.prefix(16).withUnsafeBytes(UUID.init(bytes:))
  }
}
