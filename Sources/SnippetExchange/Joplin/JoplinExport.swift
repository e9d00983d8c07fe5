import Foundation
import SnippetBase
import SnippetRecognition
import SnippetStorage
import SystemPackage

/// The notes and resources of a folder that Joplin exported in its own form, "RAW", one after the
/// other.
///
/// Each item is a file named after its id, with Joplin's metadata at its end. A folder is Joplin's
/// only if most files with such a name have such an end: otherwise one file would decide over all
/// others. Those without it are damaged items.
///
/// Notebooks, tags and the assignments of tags are items too, so all ends are read first.
struct JoplinExport {
  /// A note or a resource.
  struct Item: ImportItem {
    /// The file with the bytes.
    let path: String
    let stamp: FileStamp
    fileprivate let id: UUID
    /// Joplin's metadata.
    fileprivate let fields: [String: String]
    /// The title of a resource; the title of a note is in its file.
    fileprivate let title: String?
    let tags: [String]
    /// The titles of the notebooks around it.
    let notebooks: [String]

    var identity: String? { nil }
  }

  private var items: [Item].Iterator
  /// Items that become no snippets, in reverse order.
  private var leftOut: [LeftOut]
  /// The names of all items, which are not files like others.
  let itemNames: Set<String>
  /// The paths of the files of resources, by their bytes.
  let resourcePaths: Set<[UInt8]>

  /// No real note is larger.
  fileprivate static let maximumByteCount: Int64 = 64 << 20
  /// Longer than the metadata of most items, except the recognized text of a scan.
  private static let tailByteCount: Int64 = 1 << 14

  /// Reads a folder with some names in it; `nil` if it was not made by Joplin.
  init?(in folder: String, _ names: [String]) {
    let prefix = folder.withSlash
    var found: [String: [Found]] = [:]
    var (itemNames, damaged) = (Set<String>(), [LeftOut]())
    for name in names.sorted() {
      // A file that cannot be read decides nothing; it is reported like any other.
      guard let id = Self.id(ofFile: name), let item = try? Self.end(of: prefix + name) else {
        continue
      }
      itemNames.insert(name)
      if let type = item.fields["type_"] {
        found[type, default: []].append(Found(id: id, path: prefix + name, end: item))
      } else {
        damaged.append(LeftOut(prefix + name, .damagedItem))
      }
    }
    guard itemNames.count > 2 * damaged.count else { return nil }
    var reading = Reading(folder: prefix, found)
    for (type, others) in found.sorted(by: { $0.key < $1.key }) {
      switch type {
      case "1": for note in others { reading.add(note: note) }
      case "2": for notebook in others { _ = reading.isPlain(notebook) }
      case "4": for resource in others { reading.add(resource: resource) }
      case "5": for tag in others { reading.look(atTag: tag) }
      case "6": for assignment in others { reading.look(atAssignment: assignment) }
      default: reading.leftOut += others.map { LeftOut($0.path, .itemOfJoplin) }
      }
    }
    items = reading.items.makeIterator()
    leftOut = (damaged + reading.leftOut).reversed()
    self.itemNames = itemNames
    resourcePaths = Set(
      reading.items.lazy.filter { $0.title != nil }.map { Array($0.path.utf8) }
    )
  }

  /// Returns the next note or resource.
  mutating func next() -> Item? { items.next() }

  /// Returns the next item that becomes no snippet, with the reason.
  mutating func nextLeftOut() -> LeftOut? { leftOut.popLast() }

  // MARK: - Reading items

  /// The end of an item, and its first line.
  private struct End {
    var title: String
    var fields: [String: String]
    var stamp: FileStamp
  }

  private struct Found {
    var id: UUID
    var path: String
    var end: End

    var isEncrypted: Bool { end.fields["encryption_applied"] == "1" }
  }

  /// Makes notes and resources of items, and says which become none.
  private struct Reading {
    let folder: String
    var items: [Item] = []
    var leftOut: [LeftOut] = []
    private let noteKeys: Set<String>
    private var notebooks: [String: Found] = [:]
    private var tags: [String: Found] = [:]
    private var tagsOfNotes: [String: [String]] = [:]
    private var usedTags: Set<String> = []
    /// The names of the files of resources, by the id that they begin with.
    private var resourceNames: [String: [String]] = [:]

    init(folder: String, _ found: [String: [Found]]) {
      self.folder = folder
      noteKeys = Set((found["1"] ?? []).map { JoplinExport.key($0.id) })
      // Of an encrypted one the title is unknown.
      for notebook in found["2"] ?? [] where !notebook.isEncrypted {
        notebooks[JoplinExport.key(notebook.id)] = notebook
      }
      for tag in found["5"] ?? [] where !tag.isEncrypted { tags[JoplinExport.key(tag.id)] = tag }
      for assignment in found["6"] ?? [] {
        guard let (note, tag) = Self.noteAndTag(of: assignment) else { continue }
        tagsOfNotes[note, default: []].append(tag)
        if noteKeys.contains(note) { usedTags.insert(tag) }
      }
      guard found["4"] != nil, let files = try? OpenFolder(folder + "resources").names() else {
        return
      }
      for (name, isText) in files where isText {
        let stem = name.prefix { $0 != "." }.lowercased()
        resourceNames[stem, default: []].append(name)
      }
    }

    private static func noteAndTag(of assignment: Found) -> (note: String, tag: String)? {
      guard let note = assignment.end.fields["note_id"], let tag = assignment.end.fields["tag_id"]
      else { return nil }
      return (note, tag)
    }

    mutating func add(note: Found) {
      guard isPlain(note) else { return }
      let names = (tagsOfNotes[JoplinExport.key(note.id)] ?? []).compactMap { tags[$0]?.end.title }
      items.append(
        Item(
          path: note.path,
          stamp: note.end.stamp,
          id: note.id,
          fields: note.end.fields,
          title: nil,
          tags: names.compactMap(TextRules.fittingTag),
          notebooks: titles(from: note.end.fields["parent_id"])
        )
      )
    }

    mutating func add(resource: Found) {
      guard isPlain(resource) else { return }
      guard let path = file(of: resource),
        let status = try? Stat(path, followTargetSymlink: false), status.type == .regular
      else {
        leftOut.append(LeftOut(resource.path, .resourceWithoutFile))
        return
      }
      items.append(
        Item(
          path: path,
          stamp: FileStamp(status),
          id: resource.id,
          fields: resource.end.fields,
          title: resource.end.title,
          tags: [],
          notebooks: []
        )
      )
    }

    /// Returns the file of a resource, under any extension.
    private func file(of resource: Found) -> String? {
      let key = JoplinExport.key(resource.id)
      let names = (resourceNames[key] ?? []).sorted()
      let told = resource.end.fields["file_extension"] ?? ""
      let name = names.first { $0 == (told.isEmpty ? key : "\(key).\(told)") } ?? names.first
      guard let name,
        (try? Stat("\(folder)resources", followTargetSymlink: false))?.type == .directory
      else { return nil }
      return "\(folder)resources/\(name)"
    }

    mutating func look(atTag tag: Found) {
      guard isPlain(tag) else { return }
      let isUsed = usedTags.contains(JoplinExport.key(tag.id))
      if !isUsed {
        leftOut.append(LeftOut(tag.path, .unusedTag))
      } else if TextRules.fittingTag(tag.end.title) == nil {
        leftOut.append(LeftOut(tag.path, .unfittingTag))
      }
    }

    mutating func look(atAssignment assignment: Found) {
      if let (note, tag) = Self.noteAndTag(of: assignment), noteKeys.contains(note),
        let title = tags[tag]?.end.title
      {
        if TextRules.fittingTag(title) == nil {
          leftOut.append(LeftOut(assignment.path, .unfittingTag))
        }
        return
      }
      leftOut.append(LeftOut(assignment.path, .danglingTag))
    }

    /// Whether an item can be read; one that is encrypted fails.
    mutating func isPlain(_ item: Found) -> Bool {
      guard item.isEncrypted else { return true }
      leftOut.append(LeftOut(item.path, .encryptedItem))
      return false
    }

    /// Returns the titles of a notebook and those around it, outermost first: as many as folders can
    /// be within one another.
    private func titles(from id: String?) -> [String] {
      var (titles, id, seen) = ([String](), id, Set<String>())
      while titles.count < MemberPath.maximumDepth, let current = id,
        let found = notebooks[current], seen.insert(current).inserted
      {
        titles.append(found.end.title)
        id = found.end.fields["parent_id"]
      }
      return titles.reversed()
    }
  }

  /// Returns the id in the name of a file of an item: 32 hexadecimal digits.
  private static func id(ofFile name: String) -> UUID? {
    guard name.hasSuffix(".md"), name.utf8.count == 35 else { return nil }
    return id(String(name.dropLast(3)))
  }

  /// Reads an id: 32 hexadecimal digits.
  static func id(_ text: String) -> UUID? {
    guard let bytes = Data(hexadecimal: text), bytes.count == 16 else { return nil }
    return bytes.withUnsafeBytes(UUID.init(bytes:))
  }

  fileprivate static func key(_ id: UUID) -> String {
    id.uuidString.lowercased().filter { $0 != "-" }
  }

  /// Reads the end of a file; `nil` if it is not a regular file, or belongs to a store that is open.
  private static func end(of path: String) throws(FileError) -> End? {
    guard let (file, _) = try OpenFile.ahead(path) else { return nil }
    let status = try file.status()
    let size = status.size
    var count = tailByteCount
    while true {
      let start = max(0, size - count)
      let bytes = try file.bytes(at: start, count: Int(size - start))
      // The recognized text of a scan is one line, of megabytes.
      if start > 0, !holdsAllFields(bytes), count < maximumByteCount {
        count *= 16
        continue
      }
      let head = start == 0 ? bytes : try file.bytes(at: 0, count: 4096)
      return End(
        title: firstLine(of: head),
        fields: fields(of: bytes).fields,
        stamp: FileStamp(status)
      )
    }
  }

  /// The lines of an item without their ends, from the last that is not empty to the first.
  ///
  /// They are not kept: a file may have millions.
  private struct LinesFromEnd {
    /// The bytes before the lines that were returned; `nil` if there are no more lines.
    private(set) var rest: ArraySlice<UInt8>?

    init(_ bytes: [UInt8]) {
      let last = bytes.lastIndex { $0 != 0x0A && $0 != 0x0D }
      rest = bytes[..<(last.map { $0 + 1 } ?? 0)]
    }

    mutating func next() -> ArraySlice<UInt8>? {
      guard let bytes = rest else { return nil }
      guard let end = bytes.lastIndex(of: 0x0A) else {
        rest = nil
        return JoplinExport.withoutReturn(bytes)
      }
      rest = bytes[..<end]
      return JoplinExport.withoutReturn(bytes[(end + 1)...])
    }
  }

  private static func withoutReturn(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    line.last == 0x0D ? line.dropLast() : line
  }

  fileprivate static func firstLine(of bytes: [UInt8]) -> String {
    let line = withoutReturn(bytes.prefix { $0 != 0x0A })
    return String(decoding: withoutMark(line), as: UTF8.self)
  }

  /// Leaves out a byte order mark, which editors and synchronizing programs put before an item.
  private static func withoutMark(_ line: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    line.starts(with: ByteOrderMark.utf8) ? line.dropFirst(3) : line
  }

  /// Whether the end of a file holds the empty line before the fields.
  private static func holdsAllFields(_ bytes: [UInt8]) -> Bool {
    var lines = LinesFromEnd(bytes)
    // The first line may be a part of one.
    while let line = lines.next(), lines.rest != nil {
      if line.isEmpty { return true }
    }
    return false
  }

  /// Returns the fields after the last empty line, and the bytes before that line; without fields,
  /// all bytes.
  fileprivate static func fields(
    of bytes: [UInt8]
  ) -> (fields: [String: String], body: ArraySlice<UInt8>) {
    var lines = LinesFromEnd(bytes)
    var fields: [String: String] = [:]
    while let line = lines.next(), !line.isEmpty {
      guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return ([:], bytes[...]) }
      fields[String(decoding: withoutMark(line[..<colon]), as: UTF8.self)] =
        String(decoding: line[(colon + 1)...], as: UTF8.self).trimmingCharacters(in: .whitespaces)
    }
    return fields["type_"] == nil ? ([:], bytes[...]) : (fields, lines.rest ?? [])
  }

  /// Returns the text of a note, with line feeds alone: a body without the title and the empty line
  /// after it.
  fileprivate static func text(of body: ArraySlice<UInt8>) -> [UInt8] {
    let lines = body.split(separator: 0x0A, maxSplits: 2, omittingEmptySubsequences: false)
    guard lines.count > 2 else { return [] }
    let text = lines[2]
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    for place in text.indices {
      let next = place + 1
      guard text[place] != 0x0D || (next < text.endIndex && text[next] != 0x0A) else { continue }
      bytes.append(text[place])
    }
    return bytes
  }
}

extension JoplinExport.Item {
  /// Reads a note or a resource, with the identity that Joplin gave it.
  ///
  /// So a link to it names its snippet, and importing again makes no duplicates.
  func read() throws -> ItemReading {
    var reading: ItemReading
    if let title {
      reading = ItemReading(
        draft: SnippetDraft(
          .file(at: URL(fileURLWithPath: path, isDirectory: false)),
          title: TextRules.fittingTitle(title)
        )
      )
      if let flaw = FrontMatterFlaw(ofTitle: title) { reading.unread.append(flaw) }
    } else {
      reading = try readNote()
    }
    let createdAt =
      date("user_created_time", &reading.unread) ?? date("created_time", &reading.unread)
    let modifiedAt =
      date("user_updated_time", &reading.unread) ?? date("updated_time", &reading.unread)
    reading.draft.uuid = id
    reading.draft.tags = tags
    // The bytes of a resource may tell more than its file.
    let isNote = title == nil
    reading.draft.createdAt = createdAt ?? (isNote ? modifiedAt ?? stamp.modifiedAt : nil)
    reading.draft.modifiedAt = modifiedAt ?? reading.draft.createdAt
    reading.isTrashed = saysSomething("deleted_time")
    reading.editedAt = modifiedAt
    reading.unreadNames = Self.fieldsWithoutPlace.filter(saysSomething)
    // HTML is 2.
    if let markup = fields["markup_language"], !["", "1"].contains(markup) {
      reading.unreadNames.append("markup_language")
    }
    return reading
  }

  /// The fields that a snippet has no place for, and that a person has filled.
  private static let fieldsWithoutPlace = [
    "source_url", "author", "latitude", "longitude", "altitude", "is_todo", "todo_due",
    "todo_completed", "is_conflict",
  ]

  /// Whether a field is not what Joplin writes for nothing.
  private func saysSomething(_ field: String) -> Bool {
    guard let text = fields[field], !text.isEmpty else { return false }
    return Double(text) != 0
  }

  private func readNote() throws -> ItemReading {
    let file = try OpenFile(path, options: [.noFollow, .nonBlocking])
    let size = try file.status().size
    guard size <= JoplinExport.maximumByteCount else { throw BlobTooLarge() }
    let bytes = try file.bytes(at: 0, count: Int(size))
    let title = JoplinExport.firstLine(of: bytes)
    let body = JoplinExport.fields(of: bytes).body
    let text = JoplinExport.text(of: body)
    let irregular = Self.irregularContent(of: text)
    var reading = ItemReading(
      draft: SnippetDraft(
        irregular ?? .text(String(decoding: text, as: UTF8.self)),
        title: TextRules.fittingTitle(title)
      ),
      sha256: ContentHash.of(Data(bytes))
    )
    if let flaw = FrontMatterFlaw(ofTitle: title) { reading.unread.append(flaw) }
    // Irregular content keeps every byte; the title and the fields are no content.
    let decoded: ArraySlice<UInt8> =
      irregular == nil
      ? bytes[...] : bytes.prefix(while: { $0 != 0x0A }) + bytes[body.endIndex...]
    if String(validating: decoded, as: UTF8.self) == nil {
      reading.unread.append(FrontMatterFlaw(reason: "bytes that are not UTF-8 were replaced"))
    }
    return reading
  }

  /// Returns the content of a text with bytes that are no characters, which is stored as it is;
  /// `nil` for others, and for bytes that are no text at all.
  private static func irregularContent(of text: [UInt8]) -> SnippetContent? {
    let isUTF8 = String(validating: text, as: UTF8.self) != nil
    // Bytes in memory can always be read.
    guard let content = try? ContentRecognizer.recognize(MemoryBytes(text)),
      content.type.kind == .text, content.isIrregular || !isUTF8
    else { return nil }
    return .bytes(Data(text))
  }

  private func date(_ field: String, _ unread: inout [FrontMatterFlaw]) -> Date? {
    guard let text = fields[field], !text.isEmpty else { return nil }
    if let date = Date(iso8601Milliseconds: text) { return date }
    // Its interface and its database have milliseconds; a smaller number is a year or nonsense.
    if let milliseconds = Int64(text), milliseconds >= 100_000_000_000,
      let date = Date(storeSeconds: Double(milliseconds) / 1000)
    {
      return date
    }
    unread.append(FrontMatterFlaw(reason: "“\(text)” is not a date (\(field))"))
    return nil
  }
}
