import Foundation

/// A note in an export of Evernote (ENEX).
///
/// The format: <https://evernote.com/blog/how-evernotes-xml-export-format-works>
struct EvernoteNote {
  /// A picture, a recording or another file in a note.
  struct Resource {
    var data = Data()
    var mediaType = ""
    var fileName: String?
  }

  var title = ""
  /// The text in Evernote's form of HTML.
  var content = ""
  var isEncrypted = false
  var created: String?
  var updated: String?
  var tags: [String] = []
  var resources: [Resource] = []
  /// The tasks as lines of Markdown.
  var tasks: [String] = []
  /// Other values by their names.
  var others: [String: String] = [:]
}

/// The notes in an export of Evernote, one after the other.
struct EvernoteNotes {
  private let parts: XMLParts

  init(_ parts: XMLParts) {
    self.parts = parts
  }

  /// Whether a file begins as an export of Evernote does.
  static func begins(_ head: [UInt8]) -> Bool {
    let text = String(decoding: head.prefix(512), as: UTF8.self)
    return text.contains("<en-export") || text.contains("<!DOCTYPE en-export")
  }

  /// Reads the next note; `nil` after the last.
  mutating func next() throws(XMLParts.Damage) -> EvernoteNote? {
    while let part = try parts.next() {
      if case .start("note", let isEmpty) = part { return isEmpty ? EvernoteNote() : try note() }
    }
    return nil
  }

  private func note() throws(XMLParts.Damage) -> EvernoteNote {
    var note = EvernoteNote()
    while let part = try parts.next() {
      switch part {
      case .end("note"): return note
      case .start(let name, let isEmpty):
        if name == "content", parts.attribute("encoding") != nil { note.isEncrypted = true }
        if !isEmpty { try read(name, into: &note) }
      default: break
      }
    }
    return note
  }

  private func read(_ name: String, into note: inout EvernoteNote) throws(XMLParts.Damage) {
    switch name {
    case "title": note.title = try text(of: name)
    case "content": note.content = try text(of: name)
    case "created": note.created = try text(of: name)
    case "updated": note.updated = try text(of: name)
    case "tag": note.tags.append(try text(of: name))
    case "resource": note.resources.append(try resource())
    case "task": note.tasks.append(try task())
    case "note-attributes":
      try readFields(of: name) { name, text in note.others[name] = text }
    default: note.others[name] = try text(of: name)
    }
  }

  private func resource() throws(XMLParts.Damage) -> EvernoteNote.Resource {
    var resource = EvernoteNote.Resource()
    // What was recognized in a picture, and its size, follow from the picture.
    try readFields(of: "resource") { name, text in
      switch name {
      case "data":
        resource.data = Data(base64Encoded: text, options: .ignoreUnknownCharacters) ?? Data()
      case "mime": resource.mediaType = text
      case "file-name": resource.fileName = text
      default: break
      }
    }
    return resource
  }

  private func task() throws(XMLParts.Damage) -> String {
    var (title, isDone) = ("", false)
    try readFields(of: "task") { name, text in
      switch name {
      case "title": title = text
      case "taskStatus": isDone = text == "completed"
      default: break
      }
    }
    return "- [\(isDone ? "x" : " ")] \(title)"
  }

  /// Reads the texts of the elements in one that has begun, at any depth.
  private func readFields(
    of end: String,
    _ take: (String, String) -> Void
  ) throws(XMLParts.Damage) {
    var (name, text) = ("", "")
    while let part = try parts.next() {
      switch part {
      case .start(let found, _): (name, text) = (found, "")
      case .text(let piece): text += piece
      case .entity(let entity): text += "&\(entity);"
      case .end(end): return
      case .end(let found):
        if found == name, !text.isEmpty { take(name, text) }
        (name, text) = ("", "")
      }
    }
  }

  private func text(of end: String) throws(XMLParts.Damage) -> String {
    var text = ""
    while let part = try parts.next() {
      switch part {
      case .text(let piece): text += piece
      case .entity(let entity): text += "&\(entity);"
      case .end(end): return text
      default: break
      }
    }
    return text
  }
}
