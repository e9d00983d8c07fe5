import Foundation

/// Finds pictures whose end is missing, by the sizes in them or the mark that their format puts
/// there, and those whose head does not match its checksum.
enum PictureEnd {
  /// The most bytes that are looked at at once: 64 KiB.
  private static let pieceByteCount: Int64 = 1 << 16
  /// The most segments or boxes to walk; real pictures have a few hundred.
  private static let maximumPartCount = 4096

  /// Whether the end of a picture is missing, or the head of a PNG is damaged; `false` if its format
  /// has no such mark.
  ///
  /// It takes constant memory. Of a JPEG with more than 64 KiB behind its end, such as a film, of one
  /// without an end, and of a GIF whose end is not that of the file, all is read.
  static func isMissing(of type: ContentType, in source: any ByteSource) throws -> Bool {
    switch type {
    case .jpeg: return try isMissingInJPEG(source)
    case .png:
      return try isHeadDamagedInPNG(source)
        || !contains("IEND".utf8, in: source, from: 0, isLast: true)
    case .gif: return try lastByte(of: source) != 0x3B && isMissingInGIF(source)
    // What died before it wrote the size left a zero.
    case .webP:
      return try number(at: 4, in: source).map { $0 == 0 || source.byteCount < $0 + 8 } ?? false
    case .bmp:
      return try number(at: 2, in: source).map { $0 == 0 || source.byteCount < $0 } ?? false
    case .heic, .avif: return try isMissingInBoxes(source)
    default: return false
    }
  }

  // MARK: - JPEG

  // A scan begins behind its marker, and no scan contains the mark of the end. Pictures within the
  // segments before have one of their own.
  private static func isMissingInJPEG(_ source: any ByteSource) throws -> Bool {
    var offset: Int64 = 2
    for _ in 0..<maximumPartCount {
      let head = try source.bytes(at: offset, count: 4)
      guard head.count == 4 else { return true }
      // Not a segment; whatever it is, the end is still to come.
      guard head[0] == 0xFF else { break }
      switch head[1] {
      case 0xFF: offset += 1
      case 0x01, 0xD0...0xD7: offset += 2
      case 0xD9: return false
      default:
        offset += 2 + Int64(head[2]) << 8 + Int64(head[3])
        if head[1] == 0xDA { return try !containsEnd(source, from: offset) }
      }
    }
    return try !containsEnd(source, from: offset)
  }

  private static func containsEnd(_ source: any ByteSource, from start: Int64) throws -> Bool {
    let end: [UInt8] = [0xFF, 0xD9]
    // Cameras write little behind it, if anything.
    if try contains(end, in: source, from: start, isLast: true) { return true }
    return try contains(end, in: source, from: start, isLast: false)
  }

  // MARK: - PNG

  /// Whether the size and the colors of a PNG do not match their checksum.
  ///
  /// PNG specification, third edition, section 5.5.
  private static func isHeadDamagedInPNG(_ source: any ByteSource) throws -> Bool {
    let head = try source.bytes(at: 8, count: 25)
    guard head.starts(with: [0, 0, 0, 13] + Array("IHDR".utf8)) else { return false }
    guard head.count == 25 else { return true }
    let sum = ~head[4..<21].reduce(UInt32.max) { sum, byte in
      (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum >> 1 ^ (sum & 1 == 1 ? 0xEDB8_8320 : 0) }
    }
    return head[21...].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } != sum
  }

  // MARK: - GIF

  /// Whether the blocks of a GIF end before the mark that ends the picture.
  private static func isMissingInGIF(_ source: any ByteSource) throws -> Bool {
    var bytes = Pieces(source: source)
    guard let flags = try bytes.byte(at: 10) else { return true }
    var offset = 13 + colorTableByteCount(flags)
    while let kind = try bytes.byte(at: offset) {
      switch kind {
      case 0x3B: return false
      case 0x21: offset += 2
      case 0x2C:
        guard let flags = try bytes.byte(at: offset + 9) else { return true }
        offset += 11 + colorTableByteCount(flags)
      // Not a block; whatever it is, the end is still to come.
      default: return true
      }
      while let count = try bytes.byte(at: offset) {
        offset += 1 + Int64(count)
        if count == 0 { break }
      }
    }
    return true
  }

  private static func colorTableByteCount(_ flags: UInt8) -> Int64 {
    flags & 0x80 == 0 ? 0 : 3 << Int64(flags & 7 + 1)
  }

  /// Bytes that are read one after the other, a piece at a time.
  private struct Pieces {
    let source: any ByteSource
    private var piece: [UInt8] = []
    private var start: Int64 = 0

    init(source: any ByteSource) {
      self.source = source
    }

    mutating func byte(at offset: Int64) throws -> UInt8? {
      let index = offset - start
      if (0..<Int64(piece.count)).contains(index) { return piece[Int(index)] }
      piece = try source.bytes(at: offset, count: Int(PictureEnd.pieceByteCount))
      start = offset
      return piece.first
    }
  }

  // MARK: - Boxes

  /// Whether a box at the top, of those that pictures and recordings have, goes on behind the end of the file.
  static func isMissingInBoxes(_ source: any ByteSource) throws -> Bool {
    var offset: Int64 = 0
    for _ in 0..<maximumPartCount {
      let head = try source.bytes(at: offset, count: 16)
      guard head.count >= 8, boxes.contains(Array(head[4..<8])) else { return false }
      var size = head[..<4].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      if size == 0 { return false }
      if size == 1 {
        guard head.count == 16 else { return true }
        size = head[8...].reduce(0) { $0 << 8 | UInt64($1) }
      }
      guard size <= UInt64(source.byteCount - offset) else { return true }
      guard size >= 8 else { return false }
      offset += Int64(size)
    }
    return false
  }

  private static let boxes = Set(
    [
      "ftyp", "meta", "mdat", "idat", "moov", "free", "skip", "uuid", "mpvd", "wide", "styp",
      "sidx",
      "moof", "mfra",
    ].map { Array($0.utf8) }
  )

  // MARK: - Bytes

  /// Whether some bytes occur from a place on; with `isLast` only the last piece is looked at.
  private static func contains(
    _ sought: some Collection<UInt8>,
    in source: any ByteSource,
    from start: Int64,
    isLast: Bool
  ) throws -> Bool {
    let sought = Data(sought)
    var offset = isLast ? max(start, source.byteCount - pieceByteCount) : start
    while offset < source.byteCount {
      let piece = try source.bytes(at: offset, count: Int(pieceByteCount))
      if Data(piece).range(of: sought) != nil { return true }
      // It may begin in one piece and end in the next.
      guard piece.count > sought.count else { return false }
      offset += Int64(piece.count)
      if offset < source.byteCount { offset -= Int64(sought.count - 1) }
    }
    return false
  }

  /// Returns the last byte that is neither zero nor the end of a line; `nil` if there is none.
  private static func lastByte(of source: any ByteSource) throws -> UInt8? {
    let start = max(0, source.byteCount - 1024)
    return try source.bytes(at: start, count: 1024).last { ![0, 0x0A, 0x0D].contains($0) }
  }

  private static func number(at offset: Int64, in source: any ByteSource) throws -> Int64? {
    var reader = try HeaderReader(source)
    return try reader.attempt { Int64(try $0.number(UInt32.self, at: offset, .littleEndian)) }
  }
}
