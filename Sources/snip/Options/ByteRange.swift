import SnipCore

/// Bytes asked for with `--range`, written as in HTTP.
///
/// `0-99` are the first hundred bytes, `100-` is all but the first hundred, `-50` are the last
/// fifty. Both ends belong to the range.
enum ByteRange: Equatable, Sendable {
  /// From a first byte to a last byte, both included.
  case between(first: Int, last: Int)

  /// From a byte to the end.
  case from(Int)

  /// The last bytes, this many.
  case last(Int)

  /// Reads a range.
  ///
  /// - Parameter text: The range as typed.
  /// - Throws: ``ByteRangeError`` if the text is no range or its numbers are too great.
  init(_ text: String) throws(ByteRangeError) {
    let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts.allSatisfy({ $0.utf8.allSatisfy(Self.isDigit) }) else {
      throw .notARange(text)
    }
    let (start, end) = (try Self.number(parts[0], in: text), try Self.number(parts[1], in: text))
    switch (start, end) {
    case (let first?, let last?) where first <= last: self = .between(first: first, last: last)
    case (.some, .some): throw .reversed(text)
    case (let first?, nil): self = .from(first)
    case (nil, let count?) where count > 0: self = .last(count)
    case (nil, .some): throw .empty(text)
    case (nil, nil): throw .notARange(text)
    }
  }

  /// The offsets of this range in a number of bytes, without those beyond them.
  ///
  /// - Parameter byteCount: The number of bytes.
  /// - Returns: The offsets; empty only for the last bytes of nothing.
  /// - Throws: ``ByteRangeError/outside(first:byteCount:)`` if the range starts after the last
  ///   byte.
  func offsets(inByteCount byteCount: Int) throws(ByteRangeError) -> Range<Int> {
    // A damaged row may tell any number.
    let byteCount = max(0, byteCount)
    switch self {
    case .between(let first, let last):
      guard first < byteCount else { throw .outside(first: first, byteCount: byteCount) }
      return first..<(min(last, byteCount - 1) + 1)
    case .from(let first):
      guard first < byteCount else { throw .outside(first: first, byteCount: byteCount) }
      return first..<byteCount
    case .last(let count):
      return max(0, byteCount - count)..<byteCount
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private static func number(
    _ digits: Substring,
    in text: String
  ) throws(ByteRangeError) -> Int? {
    guard !digits.isEmpty else { return nil }
    guard let number = Int(digits) else { throw .tooGreat(text) }
    return number
  }
}

/// The reason why a range has no bytes.
enum ByteRangeError: Error, Equatable {
  /// The text does not have the form of a range.
  case notARange(String)

  /// The range ends before it starts.
  case reversed(String)

  /// The range asks for no bytes.
  case empty(String)

  /// A number of the range does not fit into 63 bits.
  case tooGreat(String)

  /// The range starts after the last byte.
  case outside(first: Int, byteCount: Int)
}

extension ByteRangeError: StatusError {
  var status: ExitStatus {
    if case .outside = self { .badInput } else { .usage }
  }

  var message: String {
    switch self {
    case .notARange(let text):
      "could not read the range ‘\(text)’: it is not of the form FIRST-LAST"
    case .reversed(let text): "could not read the range ‘\(text)’: it ends before it starts"
    case .empty(let text): "could not read the range ‘\(text)’: it asks for no bytes"
    case .tooGreat(let text): "could not read the range ‘\(text)’: a number is too great"
    case .outside(let first, let byteCount):
      "could not read from byte \(first): the snippet has only \(byteCount.counted("byte"))"
    }
  }

  var hint: String? {
    switch self {
    case .outside(_, 0): "The snippet is empty; leave the range out."
    case .outside(_, let byteCount): "The last byte is \(byteCount - 1), counted from 0."
    default: "Write 0-99 for the first 100 bytes, 100- for the rest, -50 for the last 50."
    }
  }
}
