/// Reads the headers of a file at any position, within limits.
///
/// It reads at most ``maximumByteCount`` bytes from the source in all. Beyond that, and beyond the
/// end of the content, reading fails with ``OutOfReach``, so no header can make its reader read
/// forever. All code that takes a reader throws this error and those of the source.
struct HeaderReader {
  /// The header refers to bytes beyond the end, or needs more bytes than allowed.
  struct OutOfReach: Error {}

  /// The order of the bytes in a number.
  enum ByteOrder {
    case bigEndian
    case littleEndian
  }

  /// The most bytes that one reader reads from the source: 1 MiB.
  static let maximumByteCount = 1 << 20
  /// The most bytes to return at once: 64 KiB.
  static let maximumPieceByteCount = 1 << 16
  // Few calls for adjacent headers, and little waste for distant ones.
  private static let windowByteCount = 2048

  /// The size of the content.
  let byteCount: Int64
  /// The first bytes of the content: 2 KiB or all.
  let head: [UInt8]
  /// The content.
  let source: any ByteSource
  private var window: [UInt8] = []
  private var windowOffset: Int64 = 0
  private var readByteCount = 0

  /// Starts reading a source.
  init(_ source: any ByteSource) throws {
    self.source = source
    byteCount = source.byteCount
    head = try source.bytes(at: 0, count: Self.windowByteCount)
    readByteCount = head.count
  }

  /// Whether no more than 128 KiB may still be read: enough for a title.
  var isNearlySpent: Bool {
    readByteCount >= Self.maximumByteCount - 2 * Self.maximumPieceByteCount
  }

  /// Returns a reader of a part, with limits of its own; the part must be within the content.
  func reader(of part: Range<Int64>) throws -> HeaderReader {
    try HeaderReader(PartOfSource(source: source, part: part))
  }

  /// Runs parsing code; `nil` if it went out of reach.
  mutating func attempt<Result>(
    _ parse: (inout HeaderReader) throws -> Result
  ) throws -> Result? {
    do {
      return try parse(&self)
    } catch is OutOfReach {
      return nil
    }
  }

  /// Reads exactly `count` bytes, at most ``maximumPieceByteCount``; any position and count is
  /// allowed.
  mutating func bytes(at offset: Int64, count: Int) throws -> [UInt8] {
    guard offset >= 0, (0...Self.maximumPieceByteCount).contains(count),
      Int64(count) <= byteCount, offset <= byteCount - Int64(count)
    else { throw OutOfReach() }
    if let piece = Self.piece(of: head, from: 0, at: offset, count: count) { return piece }
    if let piece = Self.piece(of: window, from: windowOffset, at: offset, count: count) {
      return piece
    }
    let wanted = min(max(count, Self.windowByteCount), Int(clamping: byteCount - offset))
    guard wanted <= Self.maximumByteCount - readByteCount else { throw OutOfReach() }
    window = try source.bytes(at: offset, count: wanted)
    windowOffset = offset
    readByteCount += wanted
    // The file has been shortened since its size was read.
    guard window.count >= count else { throw OutOfReach() }
    return window.count == count ? window : Array(window[..<count])
  }

  /// Checks whether the bytes at a position spell a word of ASCII characters.
  ///
  /// They do not if the content ends before the word does.
  mutating func spells(_ word: StaticString, at offset: Int64) throws -> Bool {
    let found = try attempt { try $0.bytes(at: offset, count: word.utf8CodeUnitCount) }
    return word.withUTF8Buffer { found?.elementsEqual($0) ?? false }
  }

  /// Reads an unsigned number.
  mutating func number<Number: FixedWidthInteger & UnsignedInteger>(
    _ type: Number.Type,
    at offset: Int64,
    _ order: ByteOrder
  ) throws -> Number {
    Number(try number(ofByteCount: Number.bitWidth / 8, at: offset, order))
  }

  /// Reads an unsigned number of up to eight bytes; 0 of none.
  mutating func number(
    ofByteCount byteCount: Int,
    at offset: Int64,
    _ order: ByteOrder
  ) throws -> UInt64 {
    guard byteCount <= 8 else { throw OutOfReach() }
    let bytes = try bytes(at: offset, count: byteCount)
    return (order == .littleEndian ? bytes.reversed() : bytes).reduce(0) { $0 << 8 | UInt64($1) }
  }

  private static func piece(
    of window: [UInt8],
    from start: Int64,
    at offset: Int64,
    count: Int
  ) -> [UInt8]? {
    guard offset >= start, offset - start <= Int64(window.count - count) else { return nil }
    let first = Int(offset - start)
    return Array(window[first..<first + count])
  }
}
