import Foundation
import SnippetBase
import SnippetStorage
import SystemPackage

/// The notes and resources of a folder that Joplin exported in its own form, "RAW", one after the
/// other.
///
/// Each item is a file named after its id, with Joplin's metadata at its end. A folder is Joplin's
/// only if each file with such a name has such an end: otherwise one file would decide over all
/// others.
///
/// Notebooks, tags and the assignments of tags are items too, so all ends are read first.
struct JoplinExport {
  /// A note or a resource.
  struct Item {
    let path: String
    let byteCount: Int64
    fileprivate let id: UUID
    /// Joplin's metadata.
    fileprivate let fields: [String: String]
    /// The title of a resource; the title of a note is in its file.
    fileprivate let title: String?
    let tags: [String]
    /// The titles of the notebooks around it.
    let notebooks: [String]
  }

  private var items: [Item].Iterator
  /// The paths of items that cannot become snippets, in reverse order.
  private var others: [String]
  /// The names of all items, which are not files like others.
  let itemNames: Set<String>
  /// The paths of the files of resources, by their bytes.
  let resourcePaths: Set<[UInt8]>

  /// No real note is larger.
  fileprivate static let maximumByteCount: Int64 = 64 << 20
  /// Longer than the metadata that Joplin writes at the end of an item.
  private static let tailByteCount = 1 << 14

  /// Reads a folder with some names in it; `nil` if it was not made by Joplin.
  init?(in folder: String, _ names: [String]) {
    let prefix = folder.hasSuffix("/") ? folder : folder + "/"
    var (notes, resources) = ([Found](), [Found]())
    var (notebooks, tags) = ([String: Found](), [String: Found]())
    var tagsOfNotes: [String: [String]] = [:]
    var (itemNames, others) = (Set<String>(), [String]())
    for name in names.sorted() {
      // A file that cannot be read decides nothing; it is reported like any other.
      guard let id = Self.id(ofFile: name), let item = try? Self.tail(prefix + name) else {
        continue
      }
      guard let type = item.fields["type_"] else { return nil }
      itemNames.insert(name)
      let found = Found(id: id, path: prefix + name, item: item)
      switch type {
      case "1": notes.append(found)
      case "2": notebooks[Self.key(id)] = found
      case "4": resources.append(found)
      case "5": tags[Self.key(id)] = found
      case "6":
        if let note = item.fields["note_id"], let tag = item.fields["tag_id"] {
          tagsOfNotes[note, default: []].append(tag)
        }
      default: others.append(found.path)
      }
    }
    guard !itemNames.isEmpty else { return nil }
    var items: [Item] = []
    for note in notes {
      let names = (tagsOfNotes[Self.key(note.id)] ?? []).compactMap { tags[$0]?.item.title }
      items.append(
        Item(
          path: note.path,
          byteCount: note.item.byteCount,
          id: note.id,
          fields: note.item.fields,
          title: nil,
          tags: names.compactMap(TextRules.fittingTag),
          notebooks: Self.titles(from: note.item.fields["parent_id"], in: notebooks)
        )
      )
    }
    for resource in resources {
      let suffix = resource.item.fields["file_extension"] ?? ""
      // An extension from a file must not form a path.
      guard !suffix.utf8.contains(UInt8(ascii: "/")) else { continue }
      let name = Self.key(resource.id) + (suffix.isEmpty ? "" : "." + suffix)
      let path = "\(prefix)resources/\(name)"
      guard let status = try? Stat(path, followTargetSymlink: false), status.type == .regular,
        (try? Stat("\(prefix)resources", followTargetSymlink: false))?.type == .directory
      else { continue }
      items.append(
        Item(
          path: path,
          byteCount: status.size,
          id: resource.id,
          fields: resource.item.fields,
          title: resource.item.title,
          tags: [],
          notebooks: []
        )
      )
    }
    self.items = items.makeIterator()
    self.others = others.reversed()
    self.itemNames = itemNames
    resourcePaths = Set(items.lazy.filter { $0.title != nil }.map { Array($0.path.utf8) })
  }

  /// Returns the next note or resource.
  mutating func next() -> Item? { items.next() }

  /// Returns the path of the next item that is neither.
  mutating func nextOther() -> String? { others.popLast() }

  // MARK: - Reading items

  /// The end of an item, and its first line.
  private struct End {
    var title: String
    var fields: [String: String]
    var byteCount: Int64
  }

  private struct Found {
    var id: UUID
    var path: String
    var item: End
  }

  /// Returns the id in the name of a file: 32 hexadecimal digits.
  private static func id(ofFile name: String) -> UUID? {
    guard name.hasSuffix(".md"), let bytes = Data(hexadecimal: String(name.dropLast(3))),
      bytes.count == 16
    else { return nil }
    return bytes.withUnsafeBytes(UUID.init(bytes:))
  }

  private static func key(_ id: UUID) -> String {
    id.uuidString.lowercased().filter { $0 != "-" }
  }

  /// Reads the end of a file; `nil` if it is not a regular file.
  private static func tail(_ path: String) throws(FileError) -> End? {
    guard (try? Stat(path, followTargetSymlink: false))?.type == .regular else { return nil }
    let file = try OpenFile(path, options: [.noFollow, .nonBlocking])
    let size = try file.status().size
    let start = max(0, size - Int64(tailByteCount))
    let bytes = try file.bytes(at: start, count: tailByteCount)
    let lines = lines(bytes)
    let head = start == 0 ? lines.first : Self.lines(try file.bytes(at: 0, count: 4096)).first
    return End(title: head ?? "", fields: fields(at: lines).fields, byteCount: size)
  }

  fileprivate static func lines(_ bytes: [UInt8]) -> [String] {
    bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      .map { String(decoding: $0.last == 0x0D ? $0.dropLast() : $0, as: UTF8.self) }
  }

  /// Returns the fields after the last empty line, and the number of lines before that.
  fileprivate static func fields(
    at lines: [String]
  ) -> (fields: [String: String], count: Int) {
    var rest = lines[...]
    while rest.last?.isEmpty == true { rest.removeLast() }
    var fields: [String: String] = [:]
    while let line = rest.last, !line.isEmpty {
      guard let colon = line.firstIndex(of: ":") else { return ([:], lines.count) }
      fields[String(line[..<colon])] =
        line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      rest.removeLast()
    }
    return fields["type_"] == nil ? ([:], lines.count) : (fields, max(0, rest.count - 1))
  }

  /// Returns the titles of a notebook and those around it, outermost first.
  private static func titles(from id: String?, in notebooks: [String: Found]) -> [String] {
    var (titles, id, seen) = ([String](), id, Set<String>())
    while let current = id, let found = notebooks[current], seen.insert(current).inserted {
      titles.insert(found.item.title, at: 0)
      id = found.item.fields["parent_id"]
    }
    return titles.compactMap(TextRules.fittingTag)
  }
}

extension JoplinExport.Item {
  /// Makes the snippet of a note or a resource, with the identity that Joplin gave it.
  ///
  /// So a link to it names its snippet, and importing again makes no duplicates.
  func draft() throws -> SnippetDraft {
    let createdAt = date("user_created_time") ?? date("created_time")
    let modifiedAt = date("user_updated_time") ?? date("updated_time")
    var draft: SnippetDraft
    if let title {
      draft = SnippetDraft(
        .file(at: URL(fileURLWithPath: path, isDirectory: false)),
        title: TextRules.fittingTitle(title)
      )
    } else {
      let file = try OpenFile(path, options: [.noFollow, .nonBlocking])
      let size = try file.status().size
      guard size <= JoplinExport.maximumByteCount else { throw BlobTooLarge() }
      let lines = JoplinExport.lines(try file.bytes(at: 0, count: Int(size)))
      let body = lines.prefix(JoplinExport.fields(at: lines).count).dropFirst(2)
      draft = SnippetDraft(
        .text(body.joined(separator: "\n")),
        title: TextRules.fittingTitle(lines.first)
      )
    }
    draft.uuid = id
    draft.tags = tags
    draft.createdAt = createdAt
    draft.modifiedAt = modifiedAt ?? createdAt
    return draft
  }

  private func date(_ field: String) -> Date? {
    fields[field].flatMap(Date.init(iso8601Milliseconds:))
  }
}
