import Foundation
import SnippetBase
import SnippetRecognition
import SnippetStorage
import SystemPackage

/// A folder that is one text with its pictures: a TextBundle, as Bear, Ulysses and iA Writer write.
struct TextBundle {
  /// The name of the file with the text.
  let textName: String
  /// The properties of the text.
  let text: FileDescription
  /// The properties of the files in its folder of assets.
  let assets: FileDescription

  /// The name of the folder of assets.
  static let assetsName = "assets"
  /// The name of the file that tells of the text.
  static let infoName = "info.json"
  /// Longer than any beginning with front matter and a heading.
  private static let headByteCount = FrontMatter.maximumByteCount + (1 << 14)

  /// Reads a folder with some names in it, and a name of its own; `nil` if it is no bundle.
  init?(in folder: String, _ names: [String], named name: String) {
    guard let textName = names.sorted().first(where: { $0.lowercased().hasPrefix("text.") }) else {
      return nil
    }
    let info = Self.bytes(of: folder.withSlash + Self.infoName, JSONFields.maximumByteCount)
    let fields = info.flatMap { JSONFields($0) }
    guard fields?.has("version") == true || Self.isName(name) else { return nil }
    self.textName = textName
    var text = Self.description(fields ?? JSONFields([:]))
    if fields == nil, names.contains(Self.infoName) {
      text.unread.append(FrontMatterFlaw(reason: "the \(Self.infoName) beside it cannot be read"))
    }
    // It is reported when it is read itself.
    let head = Self.bytes(of: folder.withSlash + textName, nil)
    if text.title == nil {
      text.set(title: head.flatMap(Self.heading) ?? TextRules.title(ofBundle: name) ?? name)
    }
    self.text = text
    var assets = FileDescription()
    assets.identity = text.identity
    assets.addedAt = text.createdAt
    assets.isTrashed = text.isTrashed
    self.assets = assets
  }

  /// Reads a file up to a limit, or the beginning of it; `nil` for a link.
  private static func bytes(of path: String, _ limit: Int64?) -> Data? {
    guard let (file, status) = try? OpenFile.ahead(path, upTo: limit ?? .max) else { return nil }
    let count = limit == nil ? headByteCount : Int(status.size)
    return (try? file.bytes(at: 0, count: count)).map { Data($0) }
  }

  /// Whether a folder has the name of a bundle.
  static func isName(_ name: String) -> Bool { name.lowercased().hasSuffix(".textbundle") }

  /// Returns the heading in the first line of a text that is not empty, below its front matter.
  static func heading(_ head: Data) -> String? {
    let encoding = try? ContentRecognizer.recognize(MemoryBytes(data: head))?.encoding
    let text = (encoding ?? .utf8).decodePrefix(head)
    let start = FrontMatter(of: text)?.end ?? text.startIndex
    let lines = text[start...].split(whereSeparator: \.isNewline)
    guard let line = lines.first(where: { !$0.allSatisfy(\.isWhitespace) }), line.hasPrefix("#")
    else { return nil }
    let rest = line.drop { $0 == "#" }
    // A word after a number sign is a tag.
    guard rest.first?.isWhitespace == true else { return nil }
    var title = rest.trimmingCharacters(in: .whitespaces)
    // The signs may be repeated at the end.
    if let end = title.lastIndex(where: { $0 != "#" }), title[end].isWhitespace {
      title = title[..<end].trimmingCharacters(in: .whitespaces)
    }
    return title.isEmpty ? nil : title
  }

  // MARK: - The information

  /// Reads the properties of a text; those of Bear tell more than the format.
  static func description(_ read: JSONFields) -> FileDescription {
    var fields = read
    fields.skip("version", "type", "transient", "creatorIdentifier", "creatorURL")
    var description = FileDescription(of: fields)
    description.set(title: fields.text("title"))
    for tag in fields.texts("tags") { description.add(tag: tag) }
    // Programs also put an address of their own there, which opens the note in them.
    let address = fields.text("sourceURL")
    if let address, !address.hasPrefix("http") {
      fields.leave("sourceURL")
    } else if let address {
      description.unread.append(
        FrontMatterFlaw(reason: "a snippet has no place for the address “\(address)” (sourceURL)")
      )
    }
    if var bear = fields.fields("net.shinyfrog.bear") {
      description.createdAt = date("creationDate", &bear, &description)
      description.modifiedAt = date("modificationDate", &bear, &description)
      description.isPinned = bear.flag("pinned")
      description.isTrashed = bear.flag("trashed")
      if bear.flag("archived") { description.add(tag: "archived") }
      bear.skip("uniqueIdentifier")
      description.identity = bear.text("uniqueIdentifier")
      description.unreadNames += bear.unreadNames.map { "net.shinyfrog.bear.\($0)" }
    }
    description.unreadNames += fields.unreadNames
    return description
  }

  private static func date(
    _ name: String,
    _ fields: inout JSONFields,
    _ description: inout FileDescription
  ) -> Date? {
    guard let text = fields.text(name) else { return nil }
    if let date = WrittenDate.date(text) { return date }
    let reason = "“\(text.prefix(100))” is not a date (\(name))"
    description.unread.append(FrontMatterFlaw(reason: reason))
    return nil
  }
}
