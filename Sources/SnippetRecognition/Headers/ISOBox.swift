/// One box of an ISO base media file, the structure that MP4 and HEIF share.
///
/// ISO/IEC 14496-12, section 4.2.
struct ISOBox {
  // The most boxes looked at in one container; real ones hold a few dozen.
  private static let maximumChildCount = 1024

  /// The four characters that say what the box holds.
  let type: String
  /// Where the content lies, without the head.
  let content: Range<Int64>

  /// The whole file, as if it were the content of one box.
  ///
  /// - Parameter reader: The bytes.
  /// - Returns: A box that no file holds.
  static func file(of reader: HeaderReader) -> ISOBox {
    ISOBox(type: "file", content: 0..<reader.byteCount)
  }

  /// The same box without the version and the flags at the beginning of its content.
  var skippingVersion: ISOBox { skipping(4) }

  /// The same box without what its content begins with.
  ///
  /// - Parameter byteCount: How much to leave out.
  /// - Returns: The rest; an empty box for one that holds less.
  func skipping(_ byteCount: Int64) -> ISOBox {
    ISOBox(
      type: type,
      content: min(content.lowerBound + byteCount, content.upperBound)..<content.upperBound
    )
  }

  /// Lists the boxes inside.
  ///
  /// - Parameter reader: The bytes.
  /// - Returns: The boxes in the order of the file, up to one that is cut short or senseless.
  /// - Throws: What the source throws.
  func children(in reader: inout HeaderReader) throws -> [ISOBox] {
    var children: [ISOBox] = []
    try visitChildren(in: &reader) { children.append($0) }
    return children
  }

  /// Finds the first box of a type inside.
  ///
  /// - Parameters:
  ///   - type: The four characters.
  ///   - reader: The bytes.
  /// - Returns: `nil` when there is none before one that is cut short or senseless.
  /// - Throws: What the source throws.
  func child(_ type: String, in reader: inout HeaderReader) throws -> ISOBox? {
    try children(in: &reader).first { $0.type == type }
  }

  private func visitChildren(
    in reader: inout HeaderReader,
    _ visit: (ISOBox) -> Void
  ) throws {
    var offset = content.lowerBound
    for _ in 0..<Self.maximumChildCount {
      guard
        let box = try reader.attempt({ try ISOBox(at: offset, within: content, in: &$0) }) ?? nil
      else { return }
      visit(box)
      offset = box.content.upperBound
    }
  }

  private init(type: String, content: Range<Int64>) {
    self.type = type
    self.content = content
  }

  /// Reads the head of a box; `nil` when no box can begin there or it would not fit into its
  /// container.
  ///
  /// - Parameters:
  ///   - offset: Where it begins.
  ///   - container: The content of the box around it.
  ///   - reader: The bytes.
  /// - Throws: ``HeaderReader/OutOfReach``, and what the source throws.
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

/// What an ISO base media file says it is.
struct ISOBrands {
  // Real files list about ten.
  private static let maximumCount = 64

  /// The brand that describes the file best.
  let major: String
  /// All brands that the file follows.
  let compatible: Set<String>

  /// Reads the brands at the beginning of a file; `nil` when it is no ISO base media file.
  ///
  /// - Parameter reader: The bytes.
  /// - Throws: ``HeaderReader/OutOfReach``, and what the source throws.
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
