/// The first directory of a TIFF or BigTIFF image.
struct TIFFHeader: MediaHeader {
  private static let width: UInt16 = 0x0100
  private static let height: UInt16 = 0x0101
  private static let xmp: UInt16 = 0x02BC
  private static let description: UInt16 = 0x010E
  private static let maximumPageCount = 64

  let type = ContentType.tiff
  private let directory: TIFFDirectory

  init?(in reader: inout HeaderReader) throws {
    // The mark of four bytes is too short to rely on.
    guard let directory = try TIFFDirectory(at: 0, in: &reader),
      directory.values[Self.width] != nil, directory.values[Self.height] != nil,
      try RawPicture.format(of: directory, in: &reader) == nil
    else { return nil }
    self.directory = directory
  }

  /// Whether bytes begin as a TIFF or BigTIFF image, which may be cut short before its directory.
  ///
  /// Use it only for bytes that are nothing else.
  static func hasMark(_ head: [UInt8]) -> Bool {
    let marks: [[UInt8]] = [
      [0x49, 0x49, 0x2A, 0], [0x49, 0x49, 0x2B, 0], [0x4D, 0x4D, 0, 0x2A], [0x4D, 0x4D, 0, 0x2B],
    ]
    return marks.contains { head.starts(with: $0) }
  }

  func exifOffset(in reader: inout HeaderReader) -> Int64? { 0 }

  func xmpPlace(in reader: inout HeaderReader) -> Range<Int64>? {
    directory.places[Self.xmp]?.ofPacket
  }

  func iptcPlace(in reader: inout HeaderReader) -> Range<Int64>? { directory.iptcPlace?.ofPacket }

  /// Reads the descriptions of the pages behind the first one.
  func namedNotes(in reader: inout HeaderReader) throws -> [NamedNote] {
    var notes: [NamedNote] = []
    var next = directory.next
    for _ in 0..<Self.maximumPageCount where next != 0 {
      let page = try reader.attempt { try TIFFDirectory(at: 0, directoryAt: next, in: &$0) } ?? nil
      guard let page else { break }
      next = page.next
      guard let place = page.places[Self.description] else { continue }
      let note = try reader.attempt { reader -> NamedNote? in
        let bytes = try reader.noteBytes(from: place.lowerBound, to: place.upperBound)
        return NamedNote("ImageDescription", EmbeddedNote.text(bytes))
      }
      if let note = note ?? nil { notes.append(note) }
    }
    return notes
  }

  func facts(in reader: inout HeaderReader) -> MediaFacts {
    MediaFacts.image(
      width: directory.values[Self.width] ?? 0,
      height: directory.values[Self.height] ?? 0,
      isTurned: directory.isTurned
    )
  }
}
