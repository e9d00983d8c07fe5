import TerminalKit

/// Prints a text of any size for a terminal, in constant memory.
///
/// On a terminal its lines are wrapped. Control characters become visible everywhere.
struct ShownText {
  /// The place to stop.
  struct Limit {
    /// Lines of the text, as `head` counts them.
    var lineCount = Int.max
    /// Bytes, to a piece of 64 KiB.
    var byteCount = Int.max

    static let none = Limit()
    /// The part that a user may scroll back to.
    static let screenfuls = Limit(lineCount: 1_000, byteCount: 256 << 10)
  }

  /// Stops a text that continues beyond the limit.
  struct LimitReached: Error {}

  private let output: ConsoleStream
  private let limit: Limit
  private let width: Int?
  private var text = TerminalTextPieces()
  /// The text still to be wrapped.
  private var line = ""
  private var lineCount = 0
  private var byteCount = 0

  /// Whether the text has more than was printed.
  private(set) var isCut = false

  /// A line is wrapped in pieces of about this size.
  private static let pieceByteCount = 64 << 10

  init(_ output: ConsoleStream, limit: Limit) {
    self.output = output
    self.limit = limit
    width = output.device.fittingWidth
  }

  /// Prints the next piece.
  ///
  /// - Parameter piece: The piece after those printed before.
  /// - Throws: ``LimitReached``; `ConsoleError`.
  mutating func write(_ piece: String) throws {
    try print(text.next(piece))
  }

  /// Prints the rest, and ends the last line.
  ///
  /// - Throws: `ConsoleError`.
  mutating func finish() throws {
    if !isCut {
      do {
        try print(text.finish())
      } catch is LimitReached {}
    }
    try endLine()
  }

  private mutating func print(_ piece: String) throws {
    if width == nil, limit.lineCount == .max, limit.byteCount == .max {
      return try output.write(piece)
    }
    var rest = piece[...]
    while !rest.isEmpty {
      guard lineCount < limit.lineCount, byteCount < limit.byteCount else {
        isCut = true
        throw LimitReached()
      }
      let end = rest.utf8.firstIndex(of: 0x0A)
      let part = rest[..<(end ?? rest.endIndex)]
      byteCount += part.utf8.count
      try append(part)
      guard let end else { return }
      try endLine()
      lineCount += 1
      rest = rest[rest.utf8.index(after: end)...]
    }
  }

  private mutating func append(_ part: Substring) throws {
    guard let width else { return try output.write(String(part)) }
    line += part
    // Spaces at the end may belong to the next line, but a text of only spaces must be cut anyway.
    let isLong = line.utf8.count > Self.pieceByteCount && line.utf8.last != 0x20
    guard isLong || line.utf8.count > 16 * Self.pieceByteCount else { return }
    var lines = line.wrapped(toWidth: width)
    line = lines.removeLast()
    // One character may go on and on in the same columns: letters of Hangul, joined emoji.
    if line.utf8.count > Self.pieceByteCount {
      lines.append(line)
      line = ""
    }
    for line in lines { try output.writeLine(line) }
  }

  private mutating func endLine() throws {
    guard let width else {
      // A limit takes effect at the end of a line, or within one.
      if !isCut || byteCount >= limit.byteCount { try output.writeLine() }
      return
    }
    if isCut, line.isEmpty { return }
    for piece in line.wrapped(toWidth: width) { try output.writeLine(piece) }
    line = ""
  }
}
