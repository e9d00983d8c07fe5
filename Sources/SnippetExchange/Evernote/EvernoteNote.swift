import Foundation

/// A note in an export of Evernote (ENEX).
///
/// The format: <https://evernote.com/blog/how-evernotes-xml-export-format-works>
struct EvernoteNote {
  /// A picture, a recording or another file in a note.
  struct Resource {
    var data = Data()
    /// Whether the bytes were not in valid Base64.
    var isDamaged = false
    var mediaType = ""
    var fileName: String?
  }

  var title = ""
  /// The text in Evernote's form of HTML.
  var content = ""
  var isEncrypted = false
  /// Whether it was read as far as its marks go, because its XML is damaged.
  var isDamaged = false
  var created: String?
  var updated: String?
  var tags: [String] = []
  var resources: [Resource] = []
  /// The tasks as lines of Markdown.
  var tasks: [String] = []
  /// Other values by their names.
  var others: [String: String] = [:]

  /// Whether there is anything in it.
  var isEmpty: Bool { title.isEmpty && content.isEmpty && resources.isEmpty }

  /// Adds another value of a part of the note; what Evernote writes for nothing is none.
  mutating func add(_ text: String, as name: String) {
    if text != "false" { others[name] = text }
  }
}

extension EvernoteNote {
  /// Reads a note in an element that has begun.
  init(_ parts: XMLParts) throws(XMLParts.Damage) {
    while let part = try parts.next() {
      switch part {
      case .end("note"): return
      case .start(let name, let isEmpty):
        if name == "content", parts.attribute("encoding") != nil { isEncrypted = true }
        if !isEmpty { try read(name, from: parts) }
      default: break
      }
    }
  }

  private mutating func read(_ name: String, from parts: XMLParts) throws(XMLParts.Damage) {
    switch name {
    case "title": title = try Self.text(of: name, parts)
    case "content": content = try Self.text(of: name, parts)
    case "created": created = try Self.text(of: name, parts)
    case "updated": updated = try Self.text(of: name, parts)
    case "tag": tags.append(try Self.text(of: name, parts))
    case "resource": try readResource(parts)
    case "task": try readTask(parts)
    case "note-attributes":
      try Self.readFields(of: name, parts) { name, text in add(text, as: name) }
    default: others[name] = try Self.text(of: name, parts)
    }
  }

  /// The values of a file that follow from the file or from the text.
  private static let impliedOfResource: Set = [
    "width", "height", "duration", "recognition", "reco-type", "attachment", "client-will-index",
  ]

  private mutating func readResource(_ parts: XMLParts) throws(XMLParts.Damage) {
    var resource = Resource()
    var decoding = Base64Decoding()
    try Self.readFields(of: "resource", parts) { name, bytes in
      if name == "data" { decoding.add(bytes) }
      // In another encoding, which Evernote does not write.
      let isOther = name.hasPrefix("data in ")
      if isOther { resource.isDamaged = true }
      return name == "data" || isOther
    } _: { name, text in
      switch name {
      case "mime": resource.mediaType = text
      case "file-name": resource.fileName = text
      case _ where Self.impliedOfResource.contains(name): break
      default: add(text, as: "resource.\(name)")
      }
    }
    if !decoding.isValid { resource.isDamaged = true }
    resource.data = decoding.finish()
    resources.append(resource)
  }

  /// The values of a task that say how Evernote keeps it.
  private static let impliedOfTask: Set = [
    "created", "updated", "statusUpdated", "creator", "lastEditor", "inNote", "sortWeight",
    "noteLevelID", "taskGroupNoteLevelID", "timeZone", "dueDateUIOption", "reminderDateUIOption",
    "reminderStatus",
  ]

  private mutating func readTask(_ parts: XMLParts) throws(XMLParts.Damage) {
    var (title, isDone) = ("", false)
    try Self.readFields(of: "task", parts) { name, text in
      switch name {
      case "title": title = text
      case "taskStatus": isDone = text == "completed"
      case _ where Self.impliedOfTask.contains(name): break
      default: add(text, as: "task.\(name)")
      }
    }
    addTask(title, isDone: isDone)
  }

  mutating func addTask(_ title: String, isDone: Bool) {
    tasks.append("- [\(isDone ? "x" : " ")] \(MarkdownEscaping.escaped(title))")
  }

  /// Reads the texts of the elements in one that has begun, at any depth.
  ///
  /// `takeBytes` takes a piece of a text, unless it returns `false`. `take` takes what is left of a
  /// text, if anything is. The name of data in another encoding than Base64 ends with that.
  private static func readFields(
    of end: String,
    _ parts: XMLParts,
    _ takeBytes: (String, UnsafeBufferPointer<UInt8>) -> Bool = { _, _ in false },
    _ take: (String, String) -> Void
  ) throws(XMLParts.Damage) {
    var (name, text) = ("", "")
    while let part = try parts.next() {
      switch part {
      case .start(let found, _):
        (name, text) = (found, "")
        let encoding = parts.attribute("encoding") ?? "base64"
        if found == "data", encoding != "base64" { name = "data in \(encoding)" }
      case .text(let piece) where takeBytes(name, piece.bytes): break
      case .text, .entity: text += part.characters ?? ""
      case .end(end): return
      case .end(let found):
        if found == name, !text.isEmpty { take(name, text) }
        (name, text) = ("", "")
      }
    }
  }

  private static func text(of end: String, _ parts: XMLParts) throws(XMLParts.Damage) -> String {
    var text = ""
    while let part = try parts.next() {
      if case .end(end) = part { break }
      text += part.characters ?? ""
    }
    return text
  }
}
