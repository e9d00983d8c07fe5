/// One element of an EBML document, the structure of Matroska and WebM.
///
/// RFC 8794.
struct EBMLElement {
  // The most elements to read in one container; the part before the sound has a few dozen.
  private static let maximumChildCount = 1024

  /// The identifier of the head of a document.
  static let head: UInt32 = 0x1A45_DFA3

  /// The number that identifies the content.
  let id: UInt32
  /// The range of the content, without the head.
  let content: Range<Int64>
  /// Whether the content goes on behind the end of what it is in.
  let isCut: Bool

  /// Returns the whole file as if it were the content of one element; `nil` if it is not an EBML
  /// document.
  static func file(of reader: HeaderReader) -> EBMLElement? {
    guard reader.head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) else { return nil }
    return EBMLElement(id: head, content: 0..<reader.byteCount, isCut: false)
  }

  private init(id: UInt32, content: Range<Int64>, isCut: Bool) {
    self.id = id
    self.content = content
    self.isCut = isCut
  }

  /// Reads the head of an element; `nil` if none can begin there.
  private init?(
    at offset: Int64,
    within container: Range<Int64>,
    in reader: inout HeaderReader
  ) throws {
    guard let name = try Self.number(at: offset, in: &reader), name.byteCount <= 4,
      let size = try Self.number(at: offset + Int64(name.byteCount), in: &reader)
    else { return nil }
    // The length mark is part of the number that names an element.
    id = UInt32(name.bits | 1 << (7 * UInt64(name.byteCount)))
    let start = offset + Int64(name.byteCount + size.byteCount)
    // All bits are set if the file was written live; the element then extends to the end.
    let isEndless = size.bits == 1 << (7 * UInt64(size.byteCount)) - 1
    guard start <= container.upperBound else { return nil }
    let rest = container.upperBound - start
    // The beginning of a truncated file can still be recognized.
    content = start..<start + (isEndless ? rest : min(rest, Int64(size.bits)))
    isCut = !isEndless && rest < Int64(size.bits)
  }

  /// Reads a number that encodes its own length, without the length mark.
  private static func number(
    at offset: Int64,
    in reader: inout HeaderReader
  ) throws -> (bits: UInt64, byteCount: Int)? {
    let first = try reader.number(UInt8.self, at: offset, .bigEndian)
    guard first != 0 else { return nil }
    let byteCount = first.leadingZeroBitCount + 1
    let bits = try reader.number(ofByteCount: byteCount, at: offset, .bigEndian)
    return (bits & (1 << (7 * UInt64(byteCount)) - 1), byteCount)
  }

  /// Finds the first element with an identifier inside; `nil` if there is none before an invalid
  /// one.
  func child(_ id: UInt32, in reader: inout HeaderReader) throws -> EBMLElement? {
    try children(upTo: id, in: &reader).first { $0.id == id }
  }

  /// Lists the elements inside.
  ///
  /// Returns the elements in the order of the file, up to the first invalid one, or up to the first
  /// with an identifier.
  func children(
    upTo id: UInt32? = nil,
    in reader: inout HeaderReader
  ) throws -> [EBMLElement] {
    var children: [EBMLElement] = []
    var offset = content.lowerBound
    while offset < content.upperBound, children.count < Self.maximumChildCount {
      // Reading on would use up the limit of the reader.
      if let last = children.last, last.id == id { break }
      guard
        let child = try reader.attempt({
          try EBMLElement(at: offset, within: content, in: &$0)
        }) ?? nil
      else { break }
      children.append(child)
      offset = child.content.upperBound
    }
    return children
  }

  /// Visits the elements inside in the order of the file, up to the first invalid one.
  ///
  /// Each is visited before the next one is read, so that the bytes in it are read once.
  func forEachChild(
    in reader: inout HeaderReader,
    _ visit: (EBMLElement, inout HeaderReader) throws -> Void
  ) throws {
    var (offset, count) = (content.lowerBound, 0)
    while offset < content.upperBound, count < Self.maximumChildCount,
      let child = try EBMLElement(at: offset, within: content, in: &reader)
    {
      try visit(child, &reader)
      offset = child.content.upperBound
      count += 1
    }
  }

  /// Reads a whole number of up to eight bytes.
  func number(in reader: inout HeaderReader) throws -> UInt64 {
    try reader.number(ofByteCount: content.count, at: content.lowerBound, .bigEndian)
  }

  /// Reads a number in floating point.
  func float(in reader: inout HeaderReader) throws -> Double {
    switch content.count {
    case 0: return 0
    case 4: return Double(Float(bitPattern: UInt32(try number(in: &reader))))
    case 8: return Double(bitPattern: try number(in: &reader))
    default: throw HeaderReader.OutOfReach()
    }
  }

  /// Reads a word of ASCII characters.
  func word(in reader: inout HeaderReader) throws -> String {
    let bytes = try reader.bytes(at: content.lowerBound, count: min(64, content.count))
    return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
  }
}
