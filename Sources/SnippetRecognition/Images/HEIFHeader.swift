/// The item properties of a HEIF image: HEIC and AVIF.
///
/// ISO/IEC 23008-12; the boxes are those of ISO/IEC 14496-12.
struct HEIFHeader: MediaHeader {
  private static let hevcBrands: Set<String> = ["heic", "heix", "heim", "heis", "hevc", "hevx"]
  private static let av1Brands: Set<String> = ["avif", "avis"]
  // Brands that describe the structure of the file, but not the coding of its pictures.
  private static let structuralBrands: Set<String> = ["mif1", "mif2", "msf1", "miaf"]

  let type: ContentType

  init?(in reader: inout HeaderReader) throws {
    guard let brands = try ISOBrands(in: &reader), let type = Self.contentType(of: brands) else {
      return nil
    }
    self.type = type
  }

  private static func contentType(of brands: ISOBrands) -> ContentType? {
    if hevcBrands.contains(brands.major) { return .heic }
    if av1Brands.contains(brands.major) { return .avif }
    guard structuralBrands.contains(brands.major) else { return nil }
    if !hevcBrands.isDisjoint(with: brands.compatible) { return .heic }
    if !av1Brands.isDisjoint(with: brands.compatible) { return .avif }
    return nil
  }

  func facts(in reader: inout HeaderReader) throws -> MediaFacts {
    guard let meta = try ISOBox.file(of: reader).child("meta", in: &reader)?.skippingVersion,
      let primary = try primaryItem(in: meta, &reader),
      let properties = try meta.child("iprp", in: &reader)
    else { return MediaFacts() }
    let indexes = try propertyIndexes(of: primary, in: properties, &reader)
    let boxes = try properties.child("ipco", in: &reader)?.children(in: &reader) ?? []
    var size = MediaFacts()
    // The transformations apply in the order of the list.
    for index in indexes where boxes.indices.contains(index - 1) {
      let box = boxes[index - 1]
      switch box.type {
      case "ispe":
        size = MediaFacts.image(
          width: try reader.number(UInt32.self, at: box.content.lowerBound + 4, .bigEndian),
          height: try reader.number(UInt32.self, at: box.content.lowerBound + 8, .bigEndian)
        )
      case "clap":
        size = try cleanAperture(in: box, &reader)
      case "irot":
        let quarters = try reader.number(UInt8.self, at: box.content.lowerBound, .bigEndian)
        guard quarters & 1 == 1 else { break }
        size = MediaFacts(pixelWidth: size.pixelHeight, pixelHeight: size.pixelWidth)
      default: break
      }
    }
    return size
  }

  func exifOffset(in reader: inout HeaderReader) throws -> Int64? {
    guard let meta = try ISOBox.file(of: reader).child("meta", in: &reader)?.skippingVersion,
      let item = try item("Exif", in: meta, &reader),
      let place = try place(of: item, in: meta, &reader)?.lowerBound
    else { return nil }
    // The number of bytes between here and the block.
    return place + 4 + Int64(try reader.number(UInt32.self, at: place, .bigEndian))
  }

  func xmpPlace(in reader: inout HeaderReader) throws -> Range<Int64>? {
    guard let meta = try ISOBox.file(of: reader).child("meta", in: &reader)?.skippingVersion,
      let item = try item("mime", in: meta, &reader)
    else { return nil }
    return try place(of: item, in: meta, &reader)?.clamped(to: 0..<reader.byteCount).ofPacket
  }

  /// Finds the first item of a type: `Exif` for the EXIF block, `mime` for the XMP packet.
  ///
  /// The orientation in EXIF is meant for programs that do not know HEIF; the properties already
  /// contain it.
  private func item(
    _ type: StaticString,
    in meta: ISOBox,
    _ reader: inout HeaderReader
  ) throws -> UInt64? {
    guard let list = try meta.child("iinf", in: &reader) else { return nil }
    let isWide = try reader.number(UInt8.self, at: list.content.lowerBound, .bigEndian) != 0
    for entry in try list.skipping(isWide ? 8 : 6).children(in: &reader) where entry.type == "infe"
    {
      let start = entry.content.lowerBound
      // Older versions have no type.
      switch try reader.number(UInt8.self, at: start, .bigEndian) {
      case 2 where try reader.spells(type, at: start + 8):
        return try reader.number(ofByteCount: 2, at: start + 4, .bigEndian)
      case 3 where try reader.spells(type, at: start + 10):
        return try reader.number(ofByteCount: 4, at: start + 4, .bigEndian)
      default: break
      }
    }
    return nil
  }

  /// Finds the first part of an item; `nil` if its location is not given or is not in the file
  /// itself.
  ///
  /// ISO/IEC 14496-12, section 8.11.3.
  private func place(
    of item: UInt64,
    in meta: ISOBox,
    _ reader: inout HeaderReader
  ) throws -> Range<Int64>? {
    guard let box = try meta.child("iloc", in: &reader) else { return nil }
    var numbers = Numbers(offset: box.content.lowerBound)
    let version = try numbers.next(1, &reader)
    _ = try numbers.next(3, &reader)
    let sizes = try numbers.next(2, &reader)
    let widths = [12, 8, 4, 0].map { Int(sizes >> $0 & 0xF) }
    let indexWidth = version == 0 ? 0 : widths[3]
    for _ in 0..<(try numbers.next(version < 2 ? 2 : 4, &reader)) {
      let number = try numbers.next(version < 2 ? 2 : 4, &reader)
      let method = version == 0 ? 0 : try numbers.next(2, &reader) & 0xF
      _ = try numbers.next(2, &reader)
      let base = try numbers.next(widths[2], &reader)
      let extentCount = Int64(try numbers.next(2, &reader))
      var extent = Numbers(offset: numbers.offset + Int64(indexWidth))
      // An extent may have no bytes at all, so that a loop over all would take minutes.
      numbers.offset += extentCount * Int64(indexWidth + widths[0] + widths[1])
      guard number == item, extentCount > 0 else { continue }
      let offset = try extent.next(widths[0], &reader)
      let byteCount = Int64(clamping: try extent.next(widths[1], &reader))
      let (place, isTooFar) = base.addingReportingOverflow(offset)
      guard method == 0, !isTooFar, let place = Int64(exactly: place), place <= reader.byteCount
      else { return nil }
      return place..<place + min(byteCount, reader.byteCount - place)
    }
    return nil
  }

  private func primaryItem(
    in meta: ISOBox,
    _ reader: inout HeaderReader
  ) throws -> UInt64? {
    guard let box = try meta.child("pitm", in: &reader) else { return nil }
    let start = box.content.lowerBound
    let isWide = try reader.number(UInt8.self, at: start, .bigEndian) != 0
    return try reader.number(ofByteCount: isWide ? 4 : 2, at: start + 4, .bigEndian)
  }

  /// Finds the properties of an item, as positions in the list of properties, counted from one.
  private func propertyIndexes(
    of item: UInt64,
    in properties: ISOBox,
    _ reader: inout HeaderReader
  ) throws -> [Int] {
    for box in try properties.children(in: &reader) where box.type == "ipma" {
      let start = box.content.lowerBound
      let versionAndFlags = try reader.number(UInt32.self, at: start, .bigEndian)
      let hasWideItems = versionAndFlags >> 24 != 0
      let hasWideIndexes = versionAndFlags & 1 != 0
      var offset = start + 8
      for _ in 0..<(try reader.number(UInt32.self, at: start + 4, .bigEndian)) {
        let width = hasWideItems ? 4 : 2
        let found = try reader.number(ofByteCount: width, at: offset, .bigEndian)
        offset += Int64(width)
        let count = Int(try reader.number(UInt8.self, at: offset, .bigEndian))
        offset += 1
        let bytes = try reader.bytes(at: offset, count: hasWideIndexes ? count * 2 : count)
        offset += Int64(bytes.count)
        guard found == item else { continue }
        // The highest bit of each tells whether a reader may ignore the property.
        guard hasWideIndexes else { return bytes.map { Int($0 & 0x7F) } }
        return (0..<count).map { Int(bytes[$0 * 2] & 0x7F) << 8 | Int(bytes[$0 * 2 + 1]) }
      }
    }
    return []
  }

  private func cleanAperture(
    in box: ISOBox,
    _ reader: inout HeaderReader
  ) throws -> MediaFacts {
    let numbers = try (0..<4 as Range<Int64>).map { index in
      try reader.number(UInt32.self, at: box.content.lowerBound + index * 4, .bigEndian)
    }
    guard numbers[1] > 0, numbers[3] > 0 else { return MediaFacts() }
    return MediaFacts.image(width: numbers[0] / numbers[1], height: numbers[2] / numbers[3])
  }
}

/// Consecutive numbers of any length in bytes.
private struct Numbers {
  var offset: Int64

  /// Reads a number of up to eight bytes; zero for a length of zero.
  mutating func next(_ byteCount: Int, _ reader: inout HeaderReader) throws -> UInt64 {
    defer { offset += Int64(byteCount) }
    return try reader.number(ofByteCount: byteCount, at: offset, .bigEndian)
  }
}
