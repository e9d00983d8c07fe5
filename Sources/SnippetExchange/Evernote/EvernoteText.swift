import Foundation

/// The text of a note of Evernote as Markdown.
///
/// Its form of HTML: <https://dev.evernote.com/doc/articles/enml.php>
struct EvernoteText {
  /// The text.
  private(set) var text = ""
  /// Whether a part of it is encrypted, which cannot be read.
  private(set) var hasEncryptedPart = false
  /// The hashes of files in the text that the export does not hold, or their types.
  private(set) var missingFiles: [String] = []
  /// Whether the content is cut short or damaged.
  private(set) var isDamaged = false

  /// The links to the files in the note, by their hashes.
  private let links: [String: String]
  private var usedLinks: Set<String> = []
  /// The line ends to write before the next text.
  private var lineEnds = 0
  /// Whether a blank stands for the line ends before the next text, in a cell.
  private var isBlankDue = false
  private var lists: [List] = []
  private var quoteDepth = 0
  private var encryptedDepth = 0
  private var isAfterMark = false
  private var isInCode = false
  private var cells: Int?
  private var isFirstRow = true
  /// The marks to write at the end of the elements around.
  private var open: [(name: String, mark: String)] = []
  /// The number of links among them.
  private var linkDepth = 0
  /// The number of pieces of code within a line among them.
  private var codeDepth = 0

  /// The most marks of quotations and blanks of lists before a line: each line repeats them, so that
  /// without a limit a small note would become a large one.
  private static let greatestDepth = 16

  private struct List {
    var number: Int?
    var hasBoxes: Bool
  }

  /// Converts the content of a note.
  init(_ content: String, links: [String: String]) {
    self.init(links: links)
    guard let parts = XMLParts(html: content) else { return }
    read(parts)
    // Elements are read to any depth where the content is sound.
    if parts.isTooDeep, let parts = XMLParts(Data(content.utf8)) {
      var other = Self(links: links)
      other.read(parts)
      isDamaged = true
      if !other.isDamaged || other.text.utf8.count > text.utf8.count { self = other }
    }
    for hash in links.keys.sorted() where !usedLinks.contains(hash) {
      separate(2)
      put(links[hash] ?? "")
    }
  }

  private init(links: [String: String]) {
    self.links = links
  }

  private mutating func read(_ parts: XMLParts) {
    do throws(XMLParts.Damage) {
      while let part = try parts.next() {
        switch part {
        case .start(let name, let isEmpty):
          begin(name, parts.attribute)
          if isEmpty { end(name) }
        case .end(let name): end(name)
        case .text, .entity: add(part.characters ?? "")
        }
      }
    } catch {
      isDamaged = true
    }
  }

  /// Adds tasks, which stand apart from the content.
  mutating func add(tasks: [String]) {
    guard !tasks.isEmpty else { return }
    separate(2)
    put(tasks.joined(separator: "\n"))
  }

  // MARK: - Elements

  private mutating func begin(_ name: String, _ attribute: (String) -> String?) {
    var mark = ""
    let style = attribute("style") ?? ""
    switch name {
    case "h1", "h2", "h3", "h4", "h5", "h6":
      separate(2)
      put(String(repeating: "#", count: Int(name.dropFirst()) ?? 1) + " ")
    case "p": separate(2)
    case "div":
      separate(1)
      if style.contains("-en-codeblock:true") {
        let name = #/-en-(?:syntaxLanguage|codeblockLanguage):([A-Za-z0-9+#-]+)(?:;|$)/#
        let language = style.firstMatch(of: name).map { String($0.output.1) } ?? ""
        beginCode(in: language == "plaintext" ? "" : language)
        mark = "```"
      }
    case "pre":
      beginCode()
      mark = "```"
    case "br":
      if cells == nil { lineEnds += 1 } else { put(" ") }
    case "hr":
      separate(2)
      put("---")
      separate(2)
    case "blockquote":
      separate(2)
      quoteDepth += 1
    case "ul", "ol":
      separate(lists.isEmpty ? 2 : 1)
      lists.append(
        List(number: name == "ol" ? 0 : nil, hasBoxes: style.contains("--en-todo:true"))
      )
    case "li": beginItem(isChecked: style.contains("--en-checked:true"))
    case "table":
      separate(2)
      isFirstRow = true
    case "tr":
      separate(1)
      cells = 0
      put("|")
    case "td", "th":
      cells = (cells ?? 0) + 1
      put(" ")
    case "b", "strong": mark = "**"
    case "i", "em": mark = "*"
    case "s", "strike", "del": mark = "~~"
    case "code" where !isInCode: mark = "`"
    case "span":
      if style.contains("font-weight: bold") || style.contains("font-weight:bold") { mark = "**" }
    case "a":
      if let address = attribute("href"), !address.isEmpty {
        put("[")
        linkDepth += 1
        open.append((name, "](\(Self.escaped(address)))"))
        return
      }
    case "img":
      if let address = attribute("src"), !address.isEmpty {
        let words = (attribute("alt") ?? "").filter { !"[]".contains($0) && !$0.isNewline }
        put("![\(words)](\(Self.escaped(address)))")
      }
    case "en-todo":
      // In an item it stands behind the mark of that.
      put("\(isAfterMark ? "" : "- ")[\(attribute("checked") == "true" ? "x" : " ")] ")
    case "en-media": addFile(attribute("hash")?.lowercased() ?? "", attribute("type") ?? "")
    case "en-crypt":
      hasEncryptedPart = true
      encryptedDepth += 1
      put("[encrypted]")
    default: break
    }
    if !mark.isEmpty, mark != "```" { put(mark) }
    if mark == "`" { codeDepth += 1 }
    open.append((name, mark))
  }

  private mutating func end(_ name: String) {
    guard let index = open.lastIndex(where: { $0.name == name }) else { return }
    let mark = open[index].mark
    for element in open[index...] {
      if element.mark == "`" { codeDepth -= 1 }
      if element.mark.hasPrefix("](") { linkDepth -= 1 }
    }
    open.removeSubrange(index...)
    if mark == "```" {
      isInCode = false
      separate(1)
      put("```")
      separate(2)
    } else if !mark.isEmpty {
      close(mark)
    }
    switch name {
    case "h1", "h2", "h3", "h4", "h5", "h6", "p", "table": separate(2)
    case "div": separate(1)
    case "blockquote":
      quoteDepth = max(0, quoteDepth - 1)
      separate(2)
    case "en-crypt": encryptedDepth -= 1
    case "ul", "ol":
      _ = lists.popLast()
      separate(lists.isEmpty ? 2 : 1)
    case "li":
      isAfterMark = false
      separate(1)
    case "td", "th": put(" |")
    case "tr": endRow()
    default: break
    }
  }

  private mutating func beginCode(in language: String = "") {
    separate(2)
    put("```" + language)
    separate(1)
    isInCode = true
  }

  private mutating func beginItem(isChecked: Bool) {
    separate(1)
    var mark = "- "
    if let last = lists.indices.last {
      if let number = lists[last].number {
        lists[last].number = number + 1
        mark = "\(number + 1). "
      }
      if lists[last].hasBoxes { mark = "- [\(isChecked ? "x" : " ")] " }
    }
    let depth = min(max(0, lists.count - 1), Self.greatestDepth)
    put(String(repeating: "  ", count: depth) + mark)
    isAfterMark = true
  }

  private mutating func endRow() {
    let count = cells ?? 0
    cells = nil
    if isFirstRow {
      separate(1)
      put("|" + String(repeating: " --- |", count: count))
      isFirstRow = false
    }
    separate(1)
  }

  private mutating func addFile(_ hash: String, _ type: String) {
    guard let link = links[hash] else {
      let name = hash.isEmpty ? type : hash
      if !missingFiles.contains(name), missingFiles.count < Self.maximumMissingCount {
        missingFiles.append(name)
      }
      return
    }
    usedLinks.insert(hash)
    put(link)
  }

  /// Of more missing files one word is enough.
  private static let maximumMissingCount = 100

  /// Returns an address as it may stand in parentheses.
  private static func escaped(_ address: String) -> String {
    address.filter { !$0.isNewline }.replacing(" ", with: "%20").replacing("(", with: "%28")
      .replacing(")", with: "%29").replacing("<", with: "%3C").replacing(">", with: "%3E")
  }

  // MARK: - Texts

  /// The most blanks that a mark is put before; thousands of marks may end behind thousands of them.
  private static let movedBlankLimit = 80

  /// The last scalar of the text: its last character could be made of all scalars before it.
  private var last: Unicode.Scalar? { text.unicodeScalars.last }

  /// Asks for at least so many line ends before the next text.
  private mutating func separate(_ count: Int) {
    // An item begins beside its mark, and a cell is one line.
    if isAfterMark { return }
    if cells == nil { lineEnds = max(lineEnds, count) } else { isBlankDue = true }
  }

  private mutating func add(_ words: String) {
    if encryptedDepth > 0 { return }
    if isInCode { return put(words) }
    let folded = words.split(omittingEmptySubsequences: false) {
      $0 == " " || $0 == "\n" || $0 == "\t" || $0 == "\r" || $0 == "\r\n"
    }
    let isAtStart = lineEnds > 0 || text.isEmpty || last == "\n" || isAfterMark
    let kept = folded.filter { !$0.isEmpty }.joined(separator: " ")
    guard !kept.isEmpty else {
      if !isAtStart, !isAfterMark, !words.isEmpty, last != " " { text += " " }
      return
    }
    // In code a backslash would be one.
    var line =
      codeDepth > 0 ? kept : MarkdownEscaping.escaped(kept, isInLink: linkDepth > 0)
    if cells != nil { line = line.replacing("|", with: "\\|") }
    if isAtStart, codeDepth == 0 { line = MarkdownEscaping.escapedStart(of: line) }
    let before = !isAtStart && folded.first?.isEmpty == true && last != " " ? " " : ""
    put(before + line + (folded.last?.isEmpty == true ? " " : ""))
  }

  private mutating func put(_ words: String) {
    if lineEnds > 0 {
      while last == " " { text.unicodeScalars.removeLast() }
      // A note does not begin with empty lines, and has no more than two in a row.
      if !text.isEmpty { text += String(repeating: "\n", count: min(3, lineEnds)) }
      text += String(repeating: "> ", count: min(quoteDepth, Self.greatestDepth))
    } else if isBlankDue, last != " ", !words.hasPrefix(" ") {
      text += " "
    }
    (lineEnds, isBlankDue) = (0, false)
    isAfterMark = false
    text += words
  }

  /// Writes the mark at the end of an element before the blanks that stand there.
  private mutating func close(_ mark: String) {
    var blanks = ""
    while last == " ", blanks.utf8.count < Self.movedBlankLimit {
      text.unicodeScalars.removeLast()
      blanks += " "
    }
    // Nothing is between the marks.
    if !mark.hasPrefix("]"), lineEnds == 0,
      text.utf8.suffix(mark.utf8.count).elementsEqual(mark.utf8)
    {
      text.unicodeScalars.removeLast(mark.unicodeScalars.count)
    } else {
      text += mark
    }
    text += blanks
  }
}
