import Yams

/// A reader of [TOML 1.0](https://toml.io/en/v1.0.0), for front matter.
///
/// No text ends the process or takes more than linear time. It is the package's own, since TOMLKit
/// traps at some texts, never frees what it reads, and takes a third of a build.
struct TOMLReader {
  /// The most tables and arrays within one another.
  private static let maximumDepth = 100

  let bytes: [UInt8]
  var place = 0
  var line = 1

  private let root = TOMLTable(.heading)
  /// The table that keys are added to, and the number of parts in its name.
  private var table: TOMLTable
  private var tableDepth = 0

  init(_ text: String) {
    bytes = Array(text.utf8)
    table = root
  }

  /// Reads all lines.
  mutating func read() throws(FrontMatterFlaw) -> TOMLTable {
    while true {
      try skipEmptyLines()
      guard let byte = peek() else { return root }
      if byte == UInt8(ascii: "[") {
        try readHeading()
      } else {
        try readPair(into: table, depth: tableDepth)
      }
      try endLine()
    }
  }

  // MARK: - Tables and keys

  /// Reads `[name]` or `[[name]]`.
  private mutating func readHeading() throws(FrontMatterFlaw) {
    let isOfArray = peek(1) == UInt8(ascii: "[")
    place += isOfArray ? 2 : 1
    let key = try readKey(depth: 0)
    for _ in 0..<(isOfArray ? 2 : 1) {
      guard peek() == UInt8(ascii: "]") else { throw flaw("the name of a table has no end") }
      place += 1
    }
    var outer = root
    for name in key.dropLast() {
      switch outer[name] {
      case nil:
        let inner = TOMLTable(.inner)
        outer.set(name, to: .table(inner))
        outer = inner
      case .table(let inner): outer = inner
      case .tables(let list): outer = list.tables[list.tables.count - 1]
      case .whole: throw repeated(name)
      }
    }
    let name = key[key.count - 1]
    table = TOMLTable(.heading)
    tableDepth = key.count
    switch outer[name] {
    case nil: outer.set(name, to: isOfArray ? .tables(.init(table)) : .table(table))
    case .tables(let list) where isOfArray: list.tables.append(table)
    case .table(let inner) where !isOfArray && inner.origin == .inner:
      inner.origin = .heading
      table = inner
    default: throw repeated(name)
    }
  }

  /// Reads a key, an equals sign and a value.
  mutating func readPair(
    into table: TOMLTable,
    depth: Int
  ) throws(FrontMatterFlaw) {
    let key = try readKey(depth: depth)
    guard peek() == UInt8(ascii: "=") else { throw flaw("no = follows the name of a field") }
    place += 1
    skipBlanks()
    var outer = table
    for name in key.dropLast() {
      switch outer[name] {
      case nil:
        let inner = TOMLTable(.key)
        outer.set(name, to: .table(inner))
        outer = inner
      case .table(let inner) where inner.origin != .heading:
        inner.origin = .key
        outer = inner
      default: throw repeated(name)
      }
    }
    let name = key[key.count - 1]
    guard outer[name] == nil else { throw repeated(name) }
    outer.set(name, to: .whole(try readValue(depth: depth + key.count)))
  }

  /// Reads the parts of a key and the blanks behind it.
  private mutating func readKey(depth: Int) throws(FrontMatterFlaw) -> [String] {
    var key: [String] = []
    while true {
      skipBlanks()
      switch peek() {
      case UInt8(ascii: "\""), UInt8(ascii: "'"): key.append(try readText(isLong: false))
      default: key.append(try readBareName())
      }
      try checkDepth(depth + key.count)
      skipBlanks()
      guard peek() == UInt8(ascii: ".") else { return key }
      place += 1
    }
  }

  private mutating func readBareName() throws(FrontMatterFlaw) -> String {
    let name = bytes[place...].prefix { byte in
      switch byte {
      case UInt8(ascii: "-"), UInt8(ascii: "_"), 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
      default: false
      }
    }
    guard !name.isEmpty else {
      throw flaw("a name that is not in quotes has only letters from A to Z, digits, - and _")
    }
    place = name.endIndex
    return String(decoding: name, as: UTF8.self)
  }

  // MARK: - Flaws

  func checkDepth(_ depth: Int) throws(FrontMatterFlaw) {
    guard depth <= Self.maximumDepth else {
      throw flaw("more than \(Self.maximumDepth) tables are within one another")
    }
  }

  func flaw(_ reason: String) -> FrontMatterFlaw {
    FrontMatterFlaw(reason: reason, line: noteLine)
  }

  private func repeated(_ name: String) -> FrontMatterFlaw {
    FrontMatterFlaw(.repeated(name), line: noteLine)
  }

  /// The line of the note: the TOML begins after a line of plus signs.
  var noteLine: Int { line + 1 }

  // MARK: - Places

  func peek(_ distance: Int = 0) -> UInt8? {
    place + distance < bytes.count ? bytes[place + distance] : nil
  }

  mutating func skipBlanks() {
    while let byte = peek(), byte == 0x20 || byte == 0x09 { place += 1 }
  }

  /// Skips a line's end, of either kind; returns `false` if there is none here.
  mutating func skipLineEnd() -> Bool {
    if peek() == 0x0D, peek(1) == 0x0A { place += 1 }
    guard peek() == 0x0A else { return false }
    place += 1
    line += 1
    return true
  }

  /// Skips blanks, comments and the ends of lines.
  mutating func skipEmptyLines() throws(FrontMatterFlaw) {
    repeat {
      skipBlanks()
      try skipComment()
    } while skipLineEnd()
  }

  private mutating func skipComment() throws(FrontMatterFlaw) {
    guard peek() == UInt8(ascii: "#") else { return }
    while let byte = peek(), byte != 0x0A, byte != 0x0D || peek(1) != 0x0A {
      guard !Self.isControl(byte) else { throw flaw("a comment has a control character") }
      place += 1
    }
  }

  /// Whether a byte is a character that neither texts nor comments have.
  static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 && byte != 0x09 || byte == 0x7F }

  private mutating func endLine() throws(FrontMatterFlaw) {
    skipBlanks()
    try skipComment()
    guard peek() == nil || skipLineEnd() else { throw flaw("more follows a value in its line") }
  }
}

extension Node {
  /// Reads the fields of front matter in TOML as if they were YAML; `nil` if there are none.
  ///
  /// - Throws: The reason if it is not TOML.
  init?(toml text: String) throws(FrontMatterFlaw) {
    var reader = TOMLReader(text)
    let table = try reader.read()
    guard !table.isEmpty else { return nil }
    self = table.node
  }
}
