/// Reads the headers of one file at any position, within bounds.
///
/// At most ``maximumByteCount`` bytes are read from the source in all. Beyond that, as beyond the
/// end of the content, reading fails with ``OutOfReach``, so that no header can make its reader
/// read on for ever.
struct HeaderReader {
  /// The header asks for bytes that are not there, or for more than a header may need.
  struct OutOfReach: Error {}

  /// In which order the bytes of a number come.
  enum ByteOrder {
    case bigEndian
    case littleEndian
  }

  /// The most bytes read from the source by one reader: 1 MiB.
  static let maximumByteCount = 1 << 20
  /// The most bytes handed out at once: 64 KiB.
  static let maximumPieceByteCount = 1 << 16
  // Few calls for headers that lie together, little waste for those that lie apart.
  private static let windowByteCount = 2048

  /// The size of the content.
  let byteCount: Int64
  /// The first bytes of the content, 2 KiB of them or all.
  let head: [UInt8]
  private let source: any ByteSource
  private var window: [UInt8] = []
  private var windowOffset: Int64 = 0
  private var readByteCount = 0

  /// Starts reading a source.
  ///
  /// - Parameter source: The content.
  /// - Throws: What the source throws.
  init(_ source: any ByteSource) throws {
    self.source = source
    byteCount = source.byteCount
    head = try source.bytes(at: 0, count: Self.windowByteCount)
    readByteCount = head.count
  }

  /// Runs a piece of parsing that may ask for more than there is.
  ///
  /// - Parameter parse: What to run.
  /// - Returns: Its result, or `nil` when it went out of reach.
  /// - Throws: Any other error of `parse`.
  mutating func attempt<Result>(
    _ parse: (inout HeaderReader) throws -> Result
  ) throws -> Result? {
    do {
      return try parse(&self)
    } catch is OutOfReach {
      return nil
    }
  }

  /// Reads some bytes.
  ///
  /// - Parameters:
  ///   - offset: The position of the first one; any value is allowed.
  ///   - count: How many, at most ``maximumPieceByteCount``; any value is allowed.
  /// - Returns: Exactly that many bytes, with indices from zero.
  /// - Throws: ``OutOfReach``, and what the source throws.
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
    // The file has become shorter since its size was taken.
    guard window.count >= count else { throw OutOfReach() }
    return window.count == count ? window : Array(window[..<count])
  }

  /// Tells whether the bytes at a position spell a word.
  ///
  /// - Parameters:
  ///   - word: The ASCII characters.
  ///   - offset: The position of the first.
  /// - Returns: `false` also when the content ends before the word does.
  /// - Throws: What the source throws.
  mutating func spells(_ word: StaticString, at offset: Int64) throws -> Bool {
    let found = try attempt { try $0.bytes(at: offset, count: word.utf8CodeUnitCount) }
    return word.withUTF8Buffer { found?.elementsEqual($0) ?? false }
  }

  /// Reads an unsigned number.
  ///
  /// - Parameters:
  ///   - type: The width of the number.
  ///   - offset: The position of its first byte.
  ///   - order: The order of its bytes.
  /// - Returns: The number.
  /// - Throws: ``OutOfReach``, and what the source throws.
  mutating func number<Number: FixedWidthInteger & UnsignedInteger>(
    _ type: Number.Type,
    at offset: Int64,
    _ order: ByteOrder
  ) throws -> Number {
    let bytes = try bytes(at: offset, count: Number.bitWidth / 8)
    let littleEndian = order == .littleEndian ? bytes.reversed() : bytes
    return littleEndian.reduce(0) { Number(truncatingIfNeeded: UInt64($0) << 8) | Number($1) }
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
