extension TextEncoding {
  private static let byteOrderMark: Unicode.Scalar = "\u{FEFF}"

  /// Decodes a whole text.
  ///
  /// Every part that is malformed, and every character that Unicode does not have, becomes a
  /// replacement character, U+FFFD. A byte order mark at the beginning is dropped.
  ///
  /// - Parameter bytes: All bytes of the text; any bytes are allowed.
  /// - Returns: The text.
  /// - Complexity: O(*n*) in the number of bytes.
  public func decode(_ bytes: some Sequence<UInt8>) -> String {
    decode(bytes, isWhole: true)
  }

  /// Decodes the beginning of a text that may end in the middle of a character.
  ///
  /// Works like ``decode(_:)``, but leaves out a last character that is not complete.
  ///
  /// - Parameter bytes: The first bytes of the text; any bytes are allowed.
  /// - Returns: The beginning of the text.
  /// - Complexity: O(*n*) in the number of bytes given.
  public func decodePrefix(_ bytes: some Sequence<UInt8>) -> String {
    decode(bytes, isWhole: false)
  }

  private func decode(_ bytes: some Sequence<UInt8>, isWhole: Bool) -> String {
    let decoded = bytes.withContiguousStorageIfAvailable { decode(buffer: $0, isWhole: isWhole) }
    return decoded ?? Array(bytes).withUnsafeBufferPointer { decode(buffer: $0, isWhole: isWhole) }
  }

  private func decode(buffer: UnsafeBufferPointer<UInt8>, isWhole: Bool) -> String {
    switch self {
    case .utf8:
      Self.decodeUTF8(buffer, isWhole: isWhole)
    case .utf16LittleEndian, .utf16BigEndian:
      Self.decodeUTF16(buffer, isBigEndian: self == .utf16BigEndian, isWhole: isWhole)
    case .utf32LittleEndian, .utf32BigEndian:
      Self.decodeUTF32(buffer, isBigEndian: self == .utf32BigEndian, isWhole: isWhole)
    case .iso2022JP:
      Self.text(of: buffer, isWhole: isWhole, ISO2022JPDecoder())
    case .eucJP, .shiftJIS, .eucKR, .gb18030, .big5:
      Self.text(of: buffer, isWhole: isWhole, MultiByteDecoder(self))
    case .windows1252, .windows1250, .iso8859Part2, .windows1254, .windows1251, .koi8R,
      .iso8859Part5, .ibm866, .windows1253, .iso8859Part7, .windows1255:
      Self.text(of: buffer, isWhole: isWhole, SingleByteTable.table(of: self))
    }
  }

  private static func decodeUTF8(_ buffer: UnsafeBufferPointer<UInt8>, isWhole: Bool) -> String {
    var bytes = buffer[...]
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
    if !isWhole { bytes = bytes.dropLast(incompleteByteCount(atEndOf: bytes)) }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Counts the bytes at the end that begin a UTF-8 sequence and do not complete it.
  private static func incompleteByteCount(
    atEndOf bytes: Slice<UnsafeBufferPointer<UInt8>>
  ) -> Int {
    for (index, byte) in bytes.suffix(3).reversed().enumerated() where byte & 0xC0 != 0x80 {
      let sequenceByteCount = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
      return sequenceByteCount > index + 1 ? index + 1 : 0
    }
    return 0
  }

  private static func decodeUTF16(
    _ buffer: UnsafeBufferPointer<UInt8>,
    isBigEndian: Bool,
    isWhole: Bool
  ) -> String {
    var units = stride(from: 0, to: buffer.count - 1, by: 2).map { index in
      let (first, second) = (UInt16(buffer[index]), UInt16(buffer[index + 1]))
      return isBigEndian ? first << 8 | second : second << 8 | first
    }
    if units.first == 0xFEFF { units.removeFirst() }
    if isWhole, buffer.count % 2 == 1 { units.append(0xFFFD) }
    if !isWhole, let last = units.last, UTF16.isLeadSurrogate(last) { units.removeLast() }
    return String(decoding: units, as: UTF16.self)
  }

  private static func decodeUTF32(
    _ buffer: UnsafeBufferPointer<UInt8>,
    isBigEndian: Bool,
    isWhole: Bool
  ) -> String {
    var units = stride(from: 0, to: buffer.count - 3, by: 4).map { index in
      let bytes = buffer[index..<index + 4]
      return isBigEndian
        ? bytes.reduce(0) { $0 << 8 | UInt32($1) }
        : bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
    if units.first == byteOrderMark.value { units.removeFirst() }
    if isWhole, buffer.count % 4 != 0 { units.append(0xFFFD) }
    return String(decoding: units, as: UTF32.self)
  }

  private static func text(
    of buffer: UnsafeBufferPointer<UInt8>,
    isWhole: Bool,
    _ decoder: some CharacterDecoder
  ) -> String {
    var decoder = decoder
    var text: [UInt8] = []
    text.reserveCapacity(buffer.count + buffer.count / 2)
    var index = 0
    while index < buffer.count {
      switch decoder.next(in: buffer, at: index) {
      case .scalar(let scalar, let byteCount):
        text.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        index += byteCount
      case .control(let byteCount):
        index += byteCount
      case .malformed(let byteCount):
        text.append(contentsOf: UTF8.encodedReplacementCharacter)
        index += byteCount
      case .incomplete:
        guard isWhole else { return String(decoding: text, as: UTF8.self) }
        text.append(contentsOf: UTF8.encodedReplacementCharacter)
        index += 1
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
