/// The parts of a picture in which photo programs keep what people say of it.
///
/// They are read once for all that is taken from them.
struct PictureTexts {
  /// The XMP packet; `nil` if there is none.
  let packet: [UInt8]?
  /// The IPTC records; `nil` if there are none.
  let records: IPTCRecords?

  /// The title in XMP, or else in IPTC.
  var title: String? { packet.flatMap(XMPText.title(in:)) ?? records?.title }

  /// The keywords in XMP, or else in IPTC, which photo programs keep equal.
  var keywords: [String] {
    let keywords = packet.map(XMPText.keywords(in:)) ?? []
    return keywords.isEmpty ? records?.keywords ?? [] : keywords
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
    return PictureTexts(
      packet: try bytes { try xmpPlace(in: &$0) },
      records: try bytes { try resourcesPlace(in: &$0) }.map(IPTCRecords.init(inResources:))
    )
  }
}
