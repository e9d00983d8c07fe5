/// The texts in which a movie is described.
///
/// iTunes names its items by four characters. Those of QuickTime have the numbers of their names in a
/// table of keys (QuickTime File Format, "Metadata").
struct ISOMetadata {
  /// A text of each list, by its name.
  struct Item {
    /// The name in the list of iTunes, up to four bytes of any kind.
    let type: [UInt8]
    /// The key in the list of QuickTime.
    let key: String
  }

  /// The boxes of items, each with the table of their keys if it has one.
  private var lists: [(items: ISOBox, keys: [String])] = []

  /// Finds the lists of a movie.
  init(of movie: ISOBox, in reader: inout HeaderReader) throws {
    let boxes = try movie.children(in: &reader)
    let user = boxes.first { $0.type == "udta" }
    let metas = [try user?.child("meta", in: &reader), boxes.first { $0.type == "meta" }]
    for meta in metas.compactMap(\.self) {
      // QuickTime's has no version.
      for meta in [meta.skippingVersion, meta] {
        guard let items = try meta.child("ilst", in: &reader) else { continue }
        let keys = try meta.child("keys", in: &reader)
        lists.append((items, try keys.map { try Self.keys(in: $0, &reader) } ?? []))
        break
      }
    }
  }

  /// Reads the names of a table of keys, in their order.
  private static func keys(in table: ISOBox, _ reader: inout HeaderReader) throws -> [String] {
    // Each is a box, of the kind of its name, behind a version and a count.
    let boxes = try table.skipping(8).children(in: &reader).prefix(maximumKeyCount)
    return try boxes.map { box in
      guard box.content.count <= maximumKeyByteCount else { return "" }
      let bytes = try reader.bytes(at: box.content.lowerBound, count: box.content.count)
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  // Real files have about ten, of about 30 bytes. Up to this one a number is a character too.
  private static let maximumKeyCount = 127
  private static let maximumKeyByteCount = 128

  /// Reads a text on one line; `nil` if there is none.
  func line(_ item: Item, in reader: inout HeaderReader) throws -> String? {
    try text(item, in: &reader) { EmbeddedTitle.text($0, in: $1) }
  }

  /// Reads the best description; `nil` if there is none.
  func note(in reader: inout HeaderReader) throws -> String? {
    for item in Item.descriptions {
      if let note = try text(item, in: &reader, EmbeddedNote.text(_:in:)) { return note }
    }
    return nil
  }

  /// Reads every description by its name in the list of iTunes.
  func notes(in reader: inout HeaderReader) throws -> [NamedNote] {
    try Item.descriptions.compactMap { item in
      let name = String(String.UnicodeScalarView(item.type.map { Unicode.Scalar($0) }))
      return NamedNote(name, try text(item, in: &reader, EmbeddedNote.text(_:in:)))
    }
  }

  /// Makes a result from the first item of a kind; `nil` if none gives one.
  private func text(
    _ item: Item,
    in reader: inout HeaderReader,
    _ make: ([UInt8], TextEncoding) -> String?
  ) throws -> String? {
    for (items, keys) in lists {
      var type = item.type
      if let index = keys.firstIndex(of: item.key) { type = [0, 0, 0, UInt8(index + 1)] }
      let name = String(decoding: type, as: UTF8.self)
      let found = try reader.attempt { try Self.bytes(of: name, in: items, &$0) } ?? nil
      if let found, let text = make(found.bytes, found.encoding) { return text }
    }
    return nil
  }

  /// Reads the bytes of a text item.
  private static func bytes(
    of type: String,
    in items: ISOBox,
    _ reader: inout HeaderReader
  ) throws -> (bytes: [UInt8], encoding: TextEncoding)? {
    guard let place = try items.child(type, in: &reader)?.child("data", in: &reader)?.content
    else { return nil }
    let encoding = try reader.number(UInt32.self, at: place.lowerBound, .bigEndian)
    let bytes = try reader.noteBytes(from: place.lowerBound + 8, to: place.upperBound)
    switch encoding & 0xFF_FFFF {
    case 1: return (bytes, .utf8)
    case 2: return (bytes, .utf16BigEndian)
    default: return nil
    }
  }
}

extension ISOMetadata.Item {
  // In those of iTunes the first byte may be a copyright sign of old Macs.
  static let title = Self("\u{A9}nam", "title")
  static let descriptions = [
    Self("ldes", "description"), Self("desc", "description"), Self("\u{A9}des", "comment"),
    Self("\u{A9}cmt", "comment"),
  ]
  /// The moment of the recording, which only QuickTime's list has.
  static let recorded = Self("", "creationdate")
  static let day = Self("\u{A9}day", "year")

  private init(_ type: String, _ key: String) {
    self.type = type.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    self.key = "com.apple.quicktime." + key
  }
}
