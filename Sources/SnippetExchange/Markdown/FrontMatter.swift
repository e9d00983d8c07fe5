import Foundation
import SnippetBase
import Yams

/// The fields at the beginning of a note: YAML between two lines of three dashes, TOML between two
/// lines of three plus signs, or an object in JSON.
///
/// They are ignored if they are longer than ``maximumByteCount``. Where one is not valid or refers to
/// another, which can make a few lines grow without end, ``FrontMatterMend`` leaves it out.
struct FrontMatter {
  /// The language of the fields.
  let language: FrontMatterLanguage
  /// The range of the fields, without the lines around them.
  let range: Range<String.Index>
  /// The start of the text after it.
  let end: String.Index
  /// The line ending.
  let lineEnd: String

  /// No real front matter comes near it.
  static let maximumByteCount = 1 << 16

  private init(
    _ language: FrontMatterLanguage,
    _ range: Range<String.Index>,
    end: String.Index,
    lineEnd: String
  ) {
    (self.language, self.range, self.end, self.lineEnd) = (language, range, end, lineEnd)
  }

  /// Finds the front matter of a text, up to a limit of bytes; `nil` if there is none.
  init?(of text: String, upTo byteCount: Int = FrontMatter.maximumByteCount) {
    let start = Self.start(of: text)
    let isObject = text.utf8[start...].first == UInt8(ascii: "{")
    let found =
      isObject
      ? Self.object(in: text, from: start, upTo: byteCount)
      : Self.fields(in: text, from: start, upTo: byteCount)
    guard let found else { return nil }
    self = found
  }

  /// Returns the start of a text behind its byte order mark.
  static func start(of text: String) -> String.Index {
    let isMarked = text.utf8.starts(with: ByteOrderMark.utf8)
    return text.utf8.index(text.startIndex, offsetBy: isMarked ? 3 : 0)
  }

  /// Finds fields between two lines.
  private static func fields(
    in text: String,
    from start: String.Index,
    upTo byteCount: Int
  ) -> FrontMatter? {
    let utf8 = text.utf8
    guard let first = line(from: start, in: utf8), first.next != first.end,
      let language = FrontMatterLanguage.allCases.first(
        where: { isFence(utf8[start..<first.end], of: $0) }
      )
    else { return nil }
    var place = first.next
    let limit = utf8.index(place, offsetBy: byteCount, limitedBy: utf8.endIndex) ?? utf8.endIndex
    while place < limit, let line = line(from: place, in: utf8) {
      let content = utf8[place..<line.end]
      if isFence(content, of: language) || (language == .yaml && isDots(content)) {
        return FrontMatter(
          language,
          first.next..<place,
          end: line.next,
          lineEnd: String(text[first.end..<first.next])
        )
      }
      place = line.next
    }
    return nil
  }

  /// Finds an object in JSON that ends with its line.
  private static func object(
    in text: String,
    from start: String.Index,
    upTo byteCount: Int
  ) -> FrontMatter? {
    let utf8 = text.utf8
    let limit = utf8.index(start, offsetBy: byteCount, limitedBy: utf8.endIndex) ?? utf8.endIndex
    guard let end = text[start..<limit].jsonObjectEnd else { return nil }
    let rest = utf8[end...].drop { $0 == 0x20 || $0 == 0x09 }.startIndex
    guard let line = line(from: rest, in: utf8) else {
      return FrontMatter(.json, start..<end, end: utf8.endIndex, lineEnd: "\n")
    }
    guard line.end == rest else { return nil }
    let lineEnd = String(text[line.end..<line.next])
    return FrontMatter(.json, start..<end, end: line.next, lineEnd: lineEnd)
  }

  /// Returns the end of the line at a position, without and with its line ending.
  private static func line(
    from start: String.Index,
    in utf8: String.UTF8View
  ) -> (end: String.Index, next: String.Index)? {
    guard start < utf8.endIndex else { return nil }
    guard let feed = utf8[start...].firstIndex(of: UInt8(ascii: "\n")) else {
      return (utf8.endIndex, utf8.endIndex)
    }
    let isReturned = feed > start && utf8[utf8.index(before: feed)] == UInt8(ascii: "\r")
    return (isReturned ? utf8.index(before: feed) : feed, utf8.index(after: feed))
  }

  private static func isFence(
    _ line: Substring.UTF8View,
    of language: FrontMatterLanguage
  ) -> Bool {
    guard let fence = language.fence else { return false }
    let rest = line.drop { $0 == fence }
    return line.count - rest.count == 3 && rest.allSatisfy { $0 == 0x20 || $0 == 0x09 }
  }

  private static func isDots(_ line: Substring.UTF8View) -> Bool {
    line.elementsEqual("...".utf8)
  }
}

/// A language of front matter.
enum FrontMatterLanguage: CaseIterable {
  /// The language of most programs.
  case yaml
  /// The language of Hugo and Zola.
  case toml
  /// Another language of Hugo, whose braces are part of the fields.
  case json

  /// The byte that stands three times in the lines around; `nil` without such lines.
  var fence: UInt8? {
    switch self {
    case .yaml: UInt8(ascii: "-")
    case .toml: UInt8(ascii: "+")
    case .json: nil
    }
  }

  /// The character between a key and its value.
  var separator: Character { self == .toml ? "=" : ":" }
}

/// The values in front matter that a snippet has a place for.
struct FrontMatterValues: Equatable {
  var title: String?
  var tags: [String] = []
  /// Whether ``tags`` are all values in the field for tags, so that it can be rewritten.
  var tagsAreWhole = true
  var createdAt: Date?
  var modifiedAt: Date?
  var isPinned = false
  /// Whether it is that of a ``SideFile``.
  var isSideFile = false
  /// The values of these fields that cannot be taken over.
  var unread: [FrontMatterFlaw] = []
  /// The fields that no ``FrontMatterEdit`` changes.
  var others: [Node: Node] = [:]

  private static let titleKeys = ["title"]
  // Zettlr and many papers name them keywords.
  static let tagKeys = ["tags", "tag", "keywords"]
  private static let editedKeys = titleKeys + tagKeys + ["pinned"]
  // The names of Obsidian's plugins, Dendron, Zettlr, Joplin, Hugo, Jekyll, Quarto, Eleventy, Bear
  // and others, as ``plain(_:)`` spells them; the first that is there counts.
  private static let creationKeys = [
    "created", "createdat", "createdon", "datecreated", "createddate", "createdtime",
    "creationdate", "creationtime", "datetimecreated", "createtime", "dateadded", "added", "ctime",
    "birthtime", "date", "datetime", "timestamp", "published", "publishdate", "pubdate",
    "datepublished", "publishedat",
  ]
  private static let changeKeys = [
    "updated", "updatedat", "updatedon", "dateupdated", "updateddate", "updatedtime", "updatedate",
    "updatetime", "modified", "modifiedat", "modifiedon", "datemodified", "modifieddate",
    "modifiedtime", "modificationdate", "modificationtime", "lastmod", "lastmodified",
    "lastmodifiedat", "lastmodifiedon", "lastmodifieddate", "lastupdated", "lastupdatedat",
    "lastupdate", "lastedited", "lasteditedtime", "edited", "mtime",
  ]

  /// Returns a key as it is compared: in lower case, and for a date without what some programs put
  /// between its words.
  private static func plain(_ key: String) -> String {
    let key = key.lowercased()
    let joined = key.filter { $0 != "_" && $0 != "-" && $0 != " " && $0 != "." }
    return creationKeys.contains(joined) || changeKeys.contains(joined) ? joined : key
  }

  /// Reads the front matter of a note; `nil` if it is a text or a list, as between two horizontal
  /// rules.
  ///
  /// - Throws: The reason if it cannot be read.
  init?(_ frontMatter: FrontMatter, in text: String) throws(FrontMatterFlaw) {
    let fields = text[frontMatter.range]
    let node: Node?
    switch frontMatter.language {
    case .yaml:
      guard !Self.hasReferences(fields) else { throw FrontMatterFlaw(.alias) }
      do { node = try Yams.compose(yaml: String(fields)) } catch { throw FrontMatterFlaw(error) }
    case .toml: node = try Node(toml: String(fields))
    case .json: node = try Node(json: String(fields))
    }
    // Only comments, or nothing.
    guard let node else {
      self.init(Node.Mapping([]))
      return
    }
    guard case .mapping(let mapping) = node else { return nil }
    self.init(mapping)
    if frontMatter.language == .yaml { findComments(in: fields) }
  }

  /// Reads the fields of a mapping.
  init(_ mapping: Node.Mapping) {
    var values: [String: Node] = [:]
    var spellings: [String: String] = [:]
    // The values of `TAGS` beside `tags`.
    var further: [String: [Node]] = [:]
    for (name, value) in mapping {
      guard let key = name.scalar.map({ Self.plain($0.string) }) else {
        others[name] = value
        continue
      }
      if !Self.editedKeys.contains(key) { others[name] = value }
      if values[key] == nil {
        values[key] = value
        spellings[key] = name.scalar?.string
      } else if Self.tagKeys.contains(key) {
        further[key, default: []].append(value)
        tagsAreWhole = false
      } else if key == "title" || key == "pinned", value != values[key] {
        let reason = "“\(key)” is there twice, in two spellings"
        unread.append(FrontMatterFlaw(reason: reason, line: name.mark.map { $0.line + 1 }))
      }
    }
    title = Self.first(Self.titleKeys, in: values).flatMap(Self.text)
    // Zola keeps them in a table of their own, in which an edit does not look for them.
    if Self.first(Self.tagKeys, in: values) == nil,
      let tags = values["taxonomies"]?.mapping?["tags"]
    {
      values["tags"] = tags
      tagsAreWhole = false
    }
    // An edit would put both into one line.
    if values["keywords"] != nil, (values["tags"] ?? values["tag"]) != nil { tagsAreWhole = false }
    for key in Self.tagKeys {
      guard let node = values[key] else { continue }
      let nodes = [node] + further[key, default: []]
      let parts = nodes.flatMap { Self.tagParts($0, areWords: key != "keywords") }
      tags += parts.prefix(NoteMetadata.maximumTagCount).compactMap(Self.tag)
      let isList = nodes.allSatisfy { node in
        node.sequence?.allSatisfy { $0.scalar != nil } ?? (node.scalar != nil)
      }
      if !isList { unread.append(FrontMatterFlaw(reason: "not all of “\(key)” are words")) }
      if parts.count > NoteMetadata.maximumTagCount {
        let reason = "“\(key)” has more than \(NoteMetadata.maximumTagCount) tags"
        unread.append(FrontMatterFlaw(reason: reason))
      }
      if !isList || parts.count > NoteMetadata.maximumTagCount { tagsAreWhole = false }
    }
    createdAt = Self.date(Self.creationKeys, in: values)
    modifiedAt = Self.date(Self.changeKeys, in: values)
    isPinned = values["pinned"].flatMap(Self.text).flatMap(Self.truth) ?? false
    isSideFile = values[SideFile.key] != nil
    findUnread(in: values, spellings)
  }

  /// Names the values of other fields than the tags that say nothing.
  private mutating func findUnread(in values: [String: Node], _ spellings: [String: String]) {
    for key in Self.titleKeys + ["pinned"] {
      guard let node = values[key], node.scalar == nil else { continue }
      unread.append(FrontMatterFlaw(reason: "“\(key)” is not a text"))
    }
    if let text = values["pinned"].flatMap(Self.text), Self.truth(text) == nil {
      unread.append(FrontMatterFlaw(reason: "“\(text)” is neither true nor false (pinned)"))
    }
    for key in Self.creationKeys + Self.changeKeys {
      guard let node = values[key], !Self.isEmpty(node), Self.date(node) == nil else { continue }
      let shown = Self.dateText(node).map { "“\($0.prefix(40))”" } ?? "it"
      // The fields begin after the first line. TOML and JSON tell no lines.
      let line = node.mark.map { $0.line + 1 }
      let name = spellings[key] ?? key
      let reason = "\(shown) is no date that can be read in one way (\(name))"
      unread.append(FrontMatterFlaw(reason: reason, line: line))
    }
  }

  /// Reads a truth, also in the other words that YAML had for both.
  private static func truth(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "true", "yes", "on", "y": true
    case "false", "no", "off", "n": false
    default: nil
    }
  }

  /// Whether a snippet has a place for a field.
  static func hasPlace(_ key: String) -> Bool {
    let key = plain(key)
    return editedKeys.contains(key) || creationKeys.contains(key) || changeKeys.contains(key)
  }

  /// Whether a node has a name and another refers to it: `&a` and `*a`.
  ///
  /// Both marks count only where a node can begin (at the beginning of a line or after a mark that
  /// introduces a node) and before a letter of a name. Elsewhere they are ordinary characters.
  /// Doubtful ones count.
  static func hasReferences(_ yaml: Substring) -> Bool {
    var (isNamed, isReferred) = (false, false)
    var (canBegin, isInProperty, isInBrackets) = (true, false, false)
    var mark: Unicode.Scalar?
    for scalar in yaml.unicodeScalars {
      if let mark, isOfName(scalar) {
        if mark == "&" { isNamed = true } else { isReferred = true }
      }
      mark = nil
      switch scalar {
      // Everything that ends a line in YAML.
      case "\n", "\r", "\u{85}", "\u{2028}", "\u{2029}": (canBegin, isInProperty) = (true, false)
      case " ", "\t", "\u{FEFF}":
        // After its name or tag, the node is still to come.
        if isInProperty { (canBegin, isInProperty) = (true, false) }
      case ":": canBegin = true
      case "-": break
      case "?": canBegin = canBegin || isInBrackets
      case ",": canBegin = isInBrackets
      case "[", "{":
        // The ends are not tracked, because a quoted text may contain them.
        isInBrackets = isInBrackets || canBegin
        canBegin = isInBrackets
      case "&" where canBegin, "*" where canBegin, "!" where canBegin:
        if scalar != "!" { mark = scalar }
        (canBegin, isInProperty) = (false, true)
      default: canBegin = false
      }
    }
    return isNamed && isReferred
  }

  private static func isOfName(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "0"..."9", "A"..."Z", "a"..."z", "_", "-": true
    default: false
    }
  }

  private static func first(_ keys: [String], in values: [String: Node]) -> Node? {
    keys.lazy.compactMap { values[$0] }.first
  }

  private static func text(_ node: Node) -> String? {
    guard case .scalar(let scalar) = node else { return nil }
    let text = scalar.string.trimmingCharacters(in: .whitespacesAndNewlines)
    if text.isEmpty || (scalar.style == .plain && (text == "~" || text.lowercased() == "null")) {
      return nil
    }
    return text
  }

  /// Returns the parts of a list, or of a text with commas or, between words, blanks between them.
  private static func tagParts(_ node: Node, areWords: Bool) -> [String] {
    switch node {
    case .sequence(let sequence): return sequence.compactMap(text)
    case .scalar:
      let words = text(node) ?? ""
      let hasCommas = words.contains(",") || !areWords
      return words.split(whereSeparator: hasCommas ? { $0 == "," } : \.isWhitespace)
        .map(String.init)
    default: return []
    }
  }

  private static func tag(_ part: String) -> String? {
    let tag = part.trimmingCharacters(in: .whitespacesAndNewlines)
    let name = tag.hasPrefix("#") ? String(tag.dropFirst()) : tag
    return name.isEmpty ? nil : name
  }

  /// Reads the first date that is written under some keys, in the zone of this machine if it names
  /// none.
  private static func date(_ keys: [String], in values: [String: Node]) -> Date? {
    keys.lazy.compactMap { values[$0] }.compactMap(date).first
  }

  private static func date(_ node: Node) -> Date? {
    dateText(node).flatMap { WrittenDate.date($0) }
  }

  private static func isEmpty(_ node: Node) -> Bool {
    switch node {
    case .scalar: text(node) == nil
    case .sequence(let sequence): sequence.isEmpty
    default: false
    }
  }

  /// Returns the text of a date; YAML takes the brackets of a link for lists.
  private static func dateText(_ node: Node) -> String? {
    switch node {
    case .scalar: text(node)
    case .sequence(let sequence) where sequence.count == 1: dateText(sequence[0])
    default: nil
    }
  }
}
