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
    let packet = try reader.attempt { reader -> [UInt8]? in
      guard let place = try xmpPlace(in: &reader), !place.isEmpty else { return nil }
      return try reader.bytes(at: place.lowerBound, count: place.count)
    }
    return PictureTexts(packet: packet ?? nil, records: try iptcRecords(in: &reader))
  }

  /// Reads the IPTC records; `nil` if there are none.
  func iptcRecords(in reader: inout HeaderReader) throws -> IPTCRecords? {
    try reader.attempt { reader -> IPTCRecords? in
      guard let place = try resourcesPlace(in: &reader) else { return nil }
      return IPTCRecords(
        inResources: try reader.bytes(at: place.lowerBound, count: place.count)
      )
    } ?? nil
  }
}
