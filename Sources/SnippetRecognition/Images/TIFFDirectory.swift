/// A directory of a TIFF structure: the numbers that describe one of its images, by default the first.
///
/// TIFF revision 6.0, section 2. EXIF blocks have the same structure.
struct TIFFDirectory {
  // Real directories have a few dozen entries, sorted by tag.
  private static let maximumEntryCount: UInt64 = 1024
  private static let orientationTag: UInt16 = 0x0112

  /// The first value under each tag that holds an unsigned number within its entry.
  let values: [UInt16: UInt64]
  /// The location of the text or the bytes under each tag that has any.
  let places: [UInt16: Range<Int64>]
  /// The position of the next directory; 0 if this is the last.
  let next: UInt64
  /// The numbers under each tag that has several.
  private let lists: [UInt16: NumberList]
  /// The fractions under each tag that has several.
  private let fractionLists: [UInt16: NumberList]

  /// The turn of the image as EXIF counts it; `nil` if it is not stated.
  var statedOrientation: UInt64? { values[Self.orientationTag] }

  /// The turn of the image; 1, upright, unless it is stated.
  var orientation: UInt64 { statedOrientation ?? 1 }

  /// Whether width and height are swapped when the image is shown.
  var isTurned: Bool { (5...8).contains(orientation) }

  /// Reads the first directory, or one that it refers to; `nil` if there is no TIFF header at
  /// `base`.
  ///
  /// The position of a directory is relative to that of the header.
  init?(
    at base: Int64,
    directoryAt offset: UInt64? = nil,
    in reader: inout HeaderReader
  ) throws {
    guard let layout = try TIFFLayout(at: base, in: &reader) else { return nil }
    let start =
      try offset
      ?? reader.number(
        ofByteCount: layout.wordByteCount,
        at: base + layout.firstOffset,
        layout.order
      )
    guard let start = Int64(exactly: start), start >= 8, start < reader.byteCount else {
      throw HeaderReader.OutOfReach()
    }
    let countAt = base + start
    let count = try reader.number(ofByteCount: layout.countByteCount, at: countAt, layout.order)
    var values: [UInt16: UInt64] = [:]
    var places: [UInt16: Range<Int64>] = [:]
    var lists: [UInt16: NumberList] = [:]
    var fractionLists: [UInt16: NumberList] = [:]
    for index in 0..<Int64(min(count, Self.maximumEntryCount)) {
      let entry = countAt + Int64(layout.countByteCount) + index * layout.entryByteCount
      let tag = try reader.number(UInt16.self, at: entry, layout.order)
      let type = try reader.number(UInt16.self, at: entry + 2, layout.order)
      if Self.byteTypes.contains(type), places[tag] == nil {
        places[tag] = try Self.place(ofBytesAt: entry, base, layout, in: &reader)
      }
      if type == Self.fractionType, fractionLists[tag] == nil {
        fractionLists[tag] =
          try reader.attempt { try Self.fractions(at: entry, base, layout, in: &$0) } ?? nil
      }
      guard let width = Self.byteCount(ofType: type), width <= layout.wordByteCount,
        values[tag] == nil
      else { continue }
      let valueAt = entry + 4 + Int64(layout.wordByteCount)
      values[tag] = try reader.number(ofByteCount: width, at: valueAt, layout.order)
      let total = try reader.number(ofByteCount: layout.wordByteCount, at: entry + 4, layout.order)
      guard total > 1 else { continue }
      var listAt = valueAt
      if total > UInt64(layout.wordByteCount / width) {
        let place = try reader.number(
          ofByteCount: layout.wordByteCount,
          at: valueAt,
          layout.order
        )
        guard place <= UInt64(reader.byteCount) else { continue }
        listAt = base + Int64(place)
      }
      lists[tag] = NumberList(start: listAt, width: width, count: total, order: layout.order)
    }
    self.values = values
    self.places = places
    self.lists = lists
    self.fractionLists = fractionLists
    let entryCount = Int64(min(count, Self.maximumEntryCount))
    let end = countAt + Int64(layout.countByteCount) + entryCount * layout.entryByteCount
    next =
      try reader.attempt {
        try $0.number(ofByteCount: layout.wordByteCount, at: end, layout.order)
      } ?? 0
  }

  /// The IPTC records, which some programs count as numbers of four bytes, or else the image
  /// resources of Photoshop; `nil` if there are neither.
  var iptcPlace: Range<Int64>? {
    let (records, resources): (UInt16, UInt16) = (0x83BB, 0x8649)
    if let list = lists[records], let count = Int64(exactly: list.count), count < 1 << 32 {
      return list.start..<list.start + count * Int64(list.width)
    }
    return places[records] ?? places[resources]
  }

  /// Reads the numbers under a tag, in order, up to a limit.
  func numbers(_ tag: UInt16, limit: Int, in reader: inout HeaderReader) throws -> [UInt64] {
    guard let list = lists[tag] else { return values[tag].map { [$0] } ?? [] }
    return try (0..<min(list.count, UInt64(limit))).map { index in
      let start = list.start + Int64(index) * Int64(list.width)
      return try reader.number(ofByteCount: list.width, at: start, list.order)
    }
  }

  /// Reads the first of several fractions under a tag; `nil` if there are fewer, or one divides by
  /// zero.
  func fractions(_ tag: UInt16, count: Int, in reader: inout HeaderReader) throws -> [Double]? {
    guard let list = fractionLists[tag], list.count >= UInt64(count) else { return nil }
    var fractions: [Double] = []
    for index in 0..<count {
      let start = list.start + Int64(index) * 8
      let numerator = try reader.number(UInt32.self, at: start, list.order)
      let denominator = try reader.number(UInt32.self, at: start + 4, list.order)
      guard denominator > 0 else { return nil }
      fractions.append(Double(numerator) / Double(denominator))
    }
    return fractions
  }

  /// RATIONAL.
  private static let fractionType: UInt16 = 5

  /// Returns the place of several fractions; `nil` if it is beyond the content.
  private static func fractions(
    at entry: Int64,
    _ base: Int64,
    _ layout: TIFFLayout,
    in reader: inout HeaderReader
  ) throws -> NumberList? {
    let width = layout.wordByteCount
    let count = try reader.number(ofByteCount: width, at: entry + 4, layout.order)
    let place = try reader.number(
      ofByteCount: width,
      at: entry + 4 + Int64(width),
      layout.order
    )
    // A single one may stand within its entry.
    guard count > 1, place <= UInt64(reader.byteCount) else { return nil }
    return NumberList(start: base + Int64(place), width: 8, count: count, order: layout.order)
  }

  /// BYTE, ASCII and UNDEFINED.
  private static let byteTypes: Set<UInt16> = [1, 2, 7]

  /// Returns the location of a text or of bytes; `nil` if it is beyond the content.
  private static func place(
    ofBytesAt entry: Int64,
    _ base: Int64,
    _ layout: TIFFLayout,
    in reader: inout HeaderReader
  ) throws -> Range<Int64>? {
    let width = layout.wordByteCount
    let count = try reader.number(ofByteCount: width, at: entry + 4, layout.order)
    let valueAt = entry + 4 + Int64(width)
    if count <= UInt64(width) { return valueAt..<valueAt + Int64(count) }
    let place = try reader.number(ofByteCount: width, at: valueAt, layout.order)
    guard let count = Int64(exactly: count),
      let place = Int64(exactly: place), place <= reader.byteCount - base,
      count <= reader.byteCount - base - place
    else { return nil }
    return base + place..<base + place + count
  }

  private static func byteCount(ofType type: UInt16) -> Int? {
    switch type {
    case 1: 1  // BYTE
    case 3: 2  // SHORT
    case 4, 13: 4  // LONG, IFD
    case 16: 8  // LONG8 of BigTIFF
    default: nil
    }
  }
}

/// The place of several numbers under one tag.
private struct NumberList {
  let start: Int64
  let width: Int
  let count: UInt64
  let order: HeaderReader.ByteOrder
}

/// The layout of a TIFF structure: classic TIFF uses numbers of 32 bits, BigTIFF of 64.
private struct TIFFLayout {
  let order: HeaderReader.ByteOrder
  let firstOffset: Int64
  let wordByteCount: Int
  let countByteCount: Int
  let entryByteCount: Int64

  init?(at base: Int64, in reader: inout HeaderReader) throws {
    switch try reader.bytes(at: base, count: 2) {
    case [0x49, 0x49]: order = .littleEndian
    case [0x4D, 0x4D]: order = .bigEndian
    default: return nil
    }
    switch try reader.number(UInt16.self, at: base + 2, order) {
    case 42: (firstOffset, wordByteCount, countByteCount, entryByteCount) = (4, 4, 2, 12)
    case 43: (firstOffset, wordByteCount, countByteCount, entryByteCount) = (8, 8, 8, 20)
    default: return nil
    }
  }
}
