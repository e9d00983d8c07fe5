package import Foundation

/// A raw picture of a camera, with the JPEG that the camera put into it.
///
/// DNG, NEF, CR2 and ARW have the structure of TIFF, with directories for smaller and larger
/// versions. RAF is described at <https://libopenraw.freedesktop.org/formats/raf/>.
struct RawHeader: MediaHeader {
  let type: ContentType
  /// The largest JPEG.
  let preview: RawPreview
  private let directories: [TIFFDirectory]

  init?(in reader: inout HeaderReader) throws {
    if try reader.spells("FUJIFILMCCD-RAW", at: 0) {
      let start = Int64(try reader.number(UInt32.self, at: 84, .bigEndian))
      let count = Int64(try reader.number(UInt32.self, at: 88, .bigEndian))
      guard let preview = try RawPreview(start, count, in: &reader) else { return nil }
      (type, self.preview, directories) = (.raf, preview, [])
      return
    }
    guard let first = try TIFFDirectory(at: 0, in: &reader),
      let name = try RawPicture.format(of: first, in: &reader),
      let type = ContentType.rawTypes.first(where: { $0.name == name })
    else { return nil }
    let directories = try Self.directories(from: first, in: &reader)
    var preview: RawPreview?
    for directory in directories {
      for place in try Self.pictures(in: directory, &reader) {
        let found = try RawPreview(place.start, place.count, in: &reader)
        if let found, found.pixelCount > preview?.pixelCount ?? 0 { preview = found }
      }
    }
    guard var preview else { return nil }
    if preview.orientation == nil { preview.ownerOrientation = first.orientation }
    (self.type, self.preview, self.directories) = (type, preview, directories)
  }

  func facts(in reader: inout HeaderReader) throws -> MediaFacts {
    let size = try fullSize(in: &reader) ?? preview.size
    return MediaFacts.image(
      width: size.width,
      height: size.height,
      isTurned: (5...8).contains(preview.orientation ?? preview.ownerOrientation)
    )
  }

  func exifOffset(in reader: inout HeaderReader) -> Int64? {
    type == .raf ? preview.exifOffset : 0
  }

  func xmpPlace(in reader: inout HeaderReader) -> Range<Int64>? {
    directories.first?.places[0x02BC]?.ofPacket
  }

  func iptcPlace(in reader: inout HeaderReader) -> Range<Int64>? {
    directories.first?.iptcPlace?.ofPacket
  }

  // MARK: - Directories

  /// Returns a directory with those after and below it.
  private static func directories(
    from first: TIFFDirectory,
    in reader: inout HeaderReader
  ) throws -> [TIFFDirectory] {
    var found = [first]
    var places = try places(after: first, &reader)
    // A file may name one twice, or itself.
    var seen: Set<UInt64> = []
    while let place = places.popLast(), found.count < 16 {
      guard seen.insert(place).inserted,
        let directory = try reader.attempt({
          try TIFFDirectory(at: 0, directoryAt: place, in: &$0)
        }) ?? nil
      else { continue }
      found.append(directory)
      places += try self.places(after: directory, &reader)
    }
    return found
  }

  private static func places(
    after directory: TIFFDirectory,
    _ reader: inout HeaderReader
  ) throws -> [UInt64] {
    let below = try reader.attempt {
      try directory.numbers(RawPicture.subdirectories, limit: 16, in: &$0)
    }
    return ((below ?? []) + [directory.next]).filter { $0 > 0 }
  }

  /// Returns the places of what may be a JPEG.
  private static func pictures(
    in directory: TIFFDirectory,
    _ reader: inout HeaderReader
  ) throws -> [(start: Int64, count: Int64)] {
    var places: [(UInt64?, UInt64?)] = [(directory.values[0x0201], directory.values[0x0202])]
    if [6, 7].contains(directory.values[RawPicture.compression]),
      try directory.numbers(0x0111, limit: 2, in: &reader).count == 1
    {
      places.append((directory.values[0x0111], directory.values[0x0117]))
    }
    return places.compactMap { start, count in
      guard let start = start.flatMap(Int64.init(exactly:)),
        let count = count.flatMap(Int64.init(exactly:))
      else { return nil }
      return (start, count)
    }
  }

  // MARK: - The size of the full picture

  private func fullSize(in reader: inout HeaderReader) throws -> (width: UInt64, height: UInt64)? {
    if type == .raf { return try reader.attempt { try Self.sizeOfRAF(in: &$0) } ?? nil }
    var sizes: [(width: UInt64, height: UInt64)] = []
    for directory in directories where isRaw(directory) {
      // Without the edge that the sensor needs for itself.
      let crop = try reader.attempt { try directory.numbers(0xC620, limit: 2, in: &$0) } ?? []
      if crop.count == 2 {
        sizes.append((crop[0], crop[1]))
      } else if let width = directory.values[0x0100], let height = directory.values[0x0101] {
        sizes.append((width, height))
      }
    }
    let largest = sizes.max {
      $0.width.multipliedReportingOverflow(by: $0.height).partialValue
        < $1.width.multipliedReportingOverflow(by: $1.height).partialValue
    }
    // A Canon tells no size of the sensor's part that counts, and its JPEG is as large.
    return type == .cr2 ? nil : largest
  }

  private func isRaw(_ directory: TIFFDirectory) -> Bool {
    directory.values[RawPicture.kindOfPicture].map { $0 & 1 == 0 } ?? false
      && (directory.values[RawPicture.photometry].map(RawPicture.rawPhotometries.contains) ?? false
        || directory.values[RawPicture.compression].map(RawPicture.rawCompressions.contains)
          ?? false)
  }

  /// Reads the size of the part that counts from the records of a RAF.
  private static func sizeOfRAF(
    in reader: inout HeaderReader
  ) throws -> (width: UInt64, height: UInt64)? {
    var place = Int64(try reader.number(UInt32.self, at: 92, .bigEndian))
    let count = try reader.number(UInt32.self, at: place, .bigEndian)
    place += 4
    for _ in 0..<min(count, 256) {
      let tag = try reader.number(UInt16.self, at: place, .bigEndian)
      let length = try reader.number(UInt16.self, at: place + 2, .bigEndian)
      if tag == 0x0111, length == 4 {
        let height = try reader.number(UInt16.self, at: place + 4, .bigEndian)
        let width = try reader.number(UInt16.self, at: place + 6, .bigEndian)
        return width > 0 && height > 0 ? (UInt64(width), UInt64(height)) : nil
      }
      place += 4 + Int64(length)
    }
    return nil
  }
}

/// A JPEG within a raw picture.
package struct RawPreview: Sendable {
  /// Its bytes.
  package let place: Range<Int64>
  let size: (width: UInt64, height: UInt64)
  /// The turn in its own EXIF block; `nil` if it has none.
  let orientation: UInt64?
  /// The turn in the raw picture around it.
  var ownerOrientation: UInt64 = 1
  /// The position of its EXIF block in the raw picture.
  let exifOffset: Int64?

  var pixelCount: UInt64 { size.width * size.height }

  /// Reads the header of a JPEG at a place; `nil` if there is none, or it is of raw pixels.
  init?(_ start: Int64, _ count: Int64, in reader: inout HeaderReader) throws {
    guard start > 0, count > 0, start < reader.byteCount else { return nil }
    place = start..<start + min(count, reader.byteCount - start)
    var part = try reader.reader(of: place)
    guard let header = try JPEGHeader(in: &part),
      let facts = try part.attempt({ part in
        try header.isLossless(in: &part) ? MediaFacts() : try header.facts(in: &part)
      }), let width = facts.pixelWidth, let height = facts.pixelHeight
    else { return nil }
    let exif = try part.attempt { try header.exifOffset(in: &$0) } ?? nil
    let orientation =
      try part.attempt { part in
        try exif.flatMap { try TIFFDirectory(inEXIFAt: $0, in: &part)?.statedOrientation }
      } ?? nil
    exifOffset = exif.map { $0 + start }
    self.orientation = orientation
    // The facts are those of the upright picture.
    let isTurned = (5...8).contains(orientation ?? 1)
    size = isTurned ? (UInt64(height), UInt64(width)) : (UInt64(width), UInt64(height))
  }

  /// Finds the preview of a raw picture; `nil` if the bytes are none.
  package init?(of source: any ByteSource) throws {
    guard source.byteCount > 0 else { return nil }
    var reader = try HeaderReader(source)
    guard let header = try reader.attempt({ try RawHeader(in: &$0) }) ?? nil else { return nil }
    self = header.preview
  }

  /// Returns the bytes as a file of their own, which says how the picture is turned.
  package func file(_ bytes: Data) -> Data {
    guard orientation == nil, (2...8).contains(ownerOrientation), bytes.count > 2 else {
      return bytes
    }
    // An EXIF block with nothing but the turn, behind the mark of the file.
    let tiff: [UInt8] =
      Array("MM\0*".utf8) + [0, 0, 0, 8, 0, 1, 0x01, 0x12, 0, 3, 0, 0, 0, 1]
      + [0, UInt8(ownerOrientation), 0, 0, 0, 0, 0, 0]
    let block = Array("Exif\0\0".utf8) + tiff
    let head: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE1, 0, UInt8(block.count + 2)] + block
    return Data(head) + bytes.dropFirst(2)
  }
}

extension ContentType {
  fileprivate static let rawTypes: [ContentType] = [.dng, .nef, .cr2, .arw, .raf]

  /// Whether a camera made it of what its sensor saw, so that it is shown by the JPEG in it.
  package var isRaw: Bool { Self.rawTypes.contains(self) }
}
