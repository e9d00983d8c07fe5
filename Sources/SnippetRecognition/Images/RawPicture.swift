/// The formats of raw pictures, which share the structure of TIFF or MP4, but hold no picture that a
/// reader of those can show in full.
enum RawPicture {
  private static let make: UInt16 = 0x010F
  static let compression: UInt16 = 0x0103
  static let photometry: UInt16 = 0x0106
  static let kindOfPicture: UInt16 = 0x00FE
  static let subdirectories: UInt16 = 0x014A
  private static let dngVersion: UInt16 = 0xC612
  // A colour filter array, and linear raw.
  static let rawPhotometries: Set<UInt64> = [32_803, 34_892]
  // Those of Nikon, Sony, Pentax, Kodak and Samsung.
  static let rawCompressions: Set<UInt64> = [
    34_713, 32_767, 32_769, 32_770, 32_772, 65_535, 65_000,
  ]

  private static let kinds: [(maker: String, name: String)] = [
    ("NIKON", "NEF"), ("SONY", "ARW"), ("PENTAX", "PEF"), ("RICOH", "PEF"), ("CANON", "CR2"),
    ("OLYMPUS", "ORF"), ("OM DIGITAL", "ORF"), ("PANASONIC", "RW2"), ("SAMSUNG", "SRW"),
    ("FUJI", "RAF"), ("HASSELBLAD", "3FR"), ("KODAK", "DCR"), ("EPSON", "ERF"), ("LEAF", "MOS"),
    ("MAMIYA", "MEF"), ("PHASE ONE", "IIQ"), ("LEICA", "RWL"),
  ]

  /// Returns the name of the format, such as “a raw picture (NEF)”; `nil` if it is none.
  static func name(in reader: inout HeaderReader) throws -> String? {
    try format(in: &reader).map { "a raw picture (\($0))" }
  }

  private static func format(in reader: inout HeaderReader) throws -> String? {
    if try reader.spells("FUJIFILMCCD-RAW", at: 0) { return "RAF" }
    if try reader.spells("FOVb", at: 0) { return "X3F" }
    if try reader.spells("\0MRM", at: 0) { return "MRW" }
    if try reader.spells("HEAPCCDR", at: 6) { return "CRW" }
    if let brands = try ISOBrands(in: &reader), brands.major == "crx " { return "CR3" }
    // Olympus and Panasonic have marks of their own instead of the number of TIFF.
    if try reader.spells("IIRO", at: 0) || reader.spells("IIRS", at: 0)
      || reader.spells("MMOR", at: 0)
    {
      return "ORF"
    }
    if try reader.spells("IIU\0", at: 0) { return "RW2" }
    guard let directory = try TIFFDirectory(at: 0, in: &reader) else { return nil }
    return try format(of: directory, in: &reader)
  }

  /// Returns the format of a picture with the structure of TIFF; `nil` if it is a TIFF.
  static func format(
    of directory: TIFFDirectory,
    in reader: inout HeaderReader
  ) throws -> String? {
    if directory.values[dngVersion] != nil || directory.places[dngVersion] != nil { return "DNG" }
    if try reader.spells("CR", at: 8) { return "CR2" }
    let isReduced = directory.values[kindOfPicture].map { $0 & 1 == 1 } ?? false
    let isRaw =
      (isReduced && directory.values[subdirectories] != nil)
      || directory.values[photometry].map(rawPhotometries.contains) ?? false
      || directory.values[compression].map(rawCompressions.contains) ?? false
    guard isRaw else { return nil }
    guard let place = directory.places[make], place.count <= 64 else { return "of a camera" }
    let bytes = try reader.bytes(at: place.lowerBound, count: place.count)
    let maker = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self).uppercased()
    return kinds.first { maker.hasPrefix($0.maker) }?.name ?? "of a camera"
  }
}
