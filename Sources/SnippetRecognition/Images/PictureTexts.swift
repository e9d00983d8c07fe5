/// The parts of a picture in which programs keep what people say of it.
///
/// They are read once for all that is taken from them.
struct PictureTexts {
  /// The XMP packet, with what extends it; `nil` if there is none.
  let packet: [UInt8]?
  /// The IPTC records; `nil` if there are none.
  let records: IPTCRecords?
  /// The texts of the EXIF block; `nil` if there is none.
  let exif: EXIFTexts?
  /// The EXIF block that a text holds in digits; `nil` if there is none.
  let writtenEXIF: [UInt8]?

  /// The title in XMP, or else in IPTC, or else in EXIF.
  var title: String? { titles.first ?? records?.title ?? exif?.title }

  /// The title in XMP in the languages that do not count, by the name of its field.
  var furtherTitles: [NamedNote] {
    titles.dropFirst().compactMap { NamedNote("dc:title", $0) }
  }

  /// The descriptions in XMP, in EXIF and in IPTC by the names of their fields; the first one counts.
  var notes: [NamedNote] {
    let descriptions = packet.map(XMPText.descriptions(in:)) ?? []
    let caption = NamedNote("Caption-Abstract", records?.caption)
    return descriptions.compactMap { NamedNote("dc:description", $0) } + (exif?.notes ?? [])
      + [caption].compactMap(\.self)
  }

  private var titles: [String] { packet.map(XMPText.titles(in:)) ?? [] }

  /// The keywords in XMP, or else in IPTC, or else in EXIF, which programs keep equal, or else those
  /// of a hierarchy in XMP as paths.
  var keywords: [String] {
    let lists = [
      packet.map(XMPText.keywords(in:)), records?.keywords, exif?.keywords,
      packet.map(XMPText.keywordPaths(in:)),
    ]
    return lists.compactMap(\.self).first { !$0.isEmpty } ?? []
  }
}

extension MediaHeader {
  /// Reads the texts that photo programs write; none from a recording.
  func texts(in reader: inout HeaderReader) throws -> PictureTexts {
    func bytes(
      _ place: (inout HeaderReader) throws -> Range<Int64>?
    ) throws -> [UInt8]? {
      try reader.attempt { reader -> [UInt8]? in
        guard let place = try place(&reader), !place.isEmpty else { return nil }
        return try reader.bytes(at: place.lowerBound, count: place.count)
      } ?? nil
    }
    func written(_ kind: WrittenBlock) throws -> [UInt8]? {
      try reader.attempt { try writtenBlock(kind, in: &$0) } ?? nil
    }
    var packet = try bytes { try xmpPlace(in: &$0) }
    if packet == nil { packet = try written(.xmp) }
    var records = try bytes { try iptcPlace(in: &$0) }
    if records == nil { records = try written(.iptc) }
    let block = try written(.exif)
    return PictureTexts(
      packet: try packet.map(XMPText.utf8).map {
        XMPSpelling.usual(try $0 + extendedPacket(of: $0, in: &reader))
      },
      records: records.map(IPTCRecords.init(in:)),
      exif: try readEXIF(orWritten: block, in: &reader) { try EXIFTexts(exifAt: $0, in: &$1) },
      writtenEXIF: block
    )
  }

  /// Reads the EXIF block of the picture, or else one that a text holds in digits.
  func readEXIF<Value>(
    orWritten block: [UInt8]?,
    in reader: inout HeaderReader,
    _ read: (Int64, inout HeaderReader) throws -> Value?
  ) throws -> Value? {
    if let offset = try reader.attempt({ try exifOffset(in: &$0) }) ?? nil {
      return try reader.attempt { try read(offset, &$0) } ?? nil
    }
    guard let block else { return nil }
    var own = try HeaderReader(MemoryBytes(block))
    return try own.attempt { try read(0, &$0) } ?? nil
  }
}
