/// Takes the bytes of a fuzzer for numbers and texts.
struct FuzzBytes {
  /// What has not been taken.
  private(set) var rest: UnsafeRawBufferPointer.SubSequence

  /// Stands before the first byte.
  ///
  /// - Parameter bytes: The bytes.
  init(_ bytes: UnsafeRawBufferPointer) {
    rest = bytes[...]
  }

  /// Whether all are taken.
  var isEmpty: Bool { rest.isEmpty }

  /// The next byte; 0 after the last.
  mutating func byte() -> UInt8 {
    rest.popFirst() ?? 0
  }

  /// The next eight bytes as a number; zeros after the last.
  mutating func number() -> UInt64 {
    (0..<8).reduce(0) { number, _ in number << 8 | UInt64(byte()) }
  }

  /// The next bytes, up to a line end, as text; what is not UTF-8 is replaced.
  mutating func line() -> String {
    let line = rest.prefix { $0 != 0x0A }
    rest = rest.dropFirst(line.count + 1)
    return String(decoding: line, as: UTF8.self)
  }

  /// All that is left as text; what is not UTF-8 is replaced.
  mutating func text() -> String {
    defer { rest = rest.dropFirst(rest.count) }
    return String(decoding: rest, as: UTF8.self)
  }
}
