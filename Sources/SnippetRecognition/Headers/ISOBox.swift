/// One box of an ISO base media file, the structure of MP4 and HEIF.
///
/// ISO/IEC 14496-12, section 4.2.
struct ISOBox {
  // The most boxes to read in one container; real ones have a few dozen.
  private static let maximumChildCount = 1024

  /// The four characters that identify the content.
  let type: String
  /// The range of the content, without the head.
  let content: Range<Int64>

  /// Returns the whole file as if it were the content of one box.
  static func file(of reader: HeaderReader) -> ISOBox {
    ISOBox(type: "file", content: 0..<reader.byteCount)
  }

  /// The same box without the version and flags at the beginning of its content.
  var skippingVersion: ISOBox { skipping(4) }

  /// Returns the same box without the beginning of its content; an empty box if there is none.
  func skipping(_ byteCount: Int64) -> ISOBox {
    ISOBox(
      type: type,
      content: min(content.lowerBound + byteCount, content.upperBound)..<content.upperBound
    )
  }

  /// Lists the boxes inside.
  ///
  /// Returns the boxes in the order of the file, up to the first truncated or invalid one, or up to
  /// the first of a type.
  func children(upTo type: String? = nil, in reader: inout HeaderReader) throws -> [ISOBox] {
    var children: [ISOBox] = []
    var offset = content.lowerBound
    while children.count < Self.maximumChildCount,
      let box = try reader.attempt({ try ISOBox(at: offset, within: content, in: &$0) }) ?? nil
    {
      children.append(box)
      // Reading on would use up the limit of the reader.
      if box.type == type { break }
      offset = box.content.upperBound
    }
    return children
  }

  /// Finds the first box of a type inside; `nil` if there is none before a truncated or invalid
  /// one.
  func child(_ type: String, in reader: inout HeaderReader) throws -> ISOBox? {
    try children(upTo: type, in: &reader).first { $0.type == type }
  }

  private init(type: String, content: Range<Int64>) {
    self.type = type
    self.content = content
  }

  /// Reads the head of a box; `nil` if no box can begin there or it would not fit into its
  /// container.
  private init?(
    at offset: Int64,
    within container: Range<Int64>,
    in reader: inout HeaderReader
  ) throws {
    let size = try reader.number(UInt32.self, at: offset, .bigEndian)
    type = String(decoding: try reader.bytes(at: offset + 4, count: 4), as: UTF8.self)
    var start = offset + 8
    let end: Int64
    switch size {
    case 0:
      end = container.upperBound
    case 1:
      let wide = try reader.number(UInt64.self, at: start, .bigEndian)
      start += 8
      guard let wide = Int64(exactly: wide), wide <= container.upperBound - offset else {
        return nil
      }
      end = offset + wide
    default:
      end = offset + Int64(size)
    }
    guard start <= end, end <= container.upperBound else { return nil }
    content = start..<end
  }
}

/// The brands that an ISO base media file declares.
struct ISOBrands {
  // Real files list about ten.
  private static let maximumCount = 64

  /// The brand that describes the file best.
  let major: String
  /// All brands that the file follows.
  let compatible: Set<String>

  /// Reads the brands at the beginning of a file; `nil` if it is not an ISO base media file.
  init?(in reader: inout HeaderReader) throws {
    guard try reader.spells("ftyp", at: 4) else { return nil }
    let byteCount = Int(try reader.number(UInt32.self, at: 0, .bigEndian))
    guard byteCount >= 16 else { return nil }
    major = String(decoding: try reader.bytes(at: 8, count: 4), as: UTF8.self)
    let bytes = try reader.bytes(at: 16, count: min(byteCount - 16, Self.maximumCount * 4))
    compatible = Set(
      stride(from: 0, to: bytes.count - 3, by: 4).map { start in
        String(decoding: bytes[start..<start + 4], as: UTF8.self)
      }
    )
  }
}
