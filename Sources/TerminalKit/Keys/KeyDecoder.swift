/// An event sent by a terminal.
package enum TerminalEvent: Hashable, Sendable {
  case key(Key)
  /// Text that was pasted; its line feeds are not keys.
  case paste(String)
  /// The terminal can hold back frames until they are complete.
  case offersSynchronization
  /// The terminal shows sixels.
  case offersSixels
  /// The terminal shows pictures sent by kitty's protocol.
  case offersKittyPictures
  /// An action of the mouse.
  case mouse(MouseEvent)
}

/// An action of the mouse, and the cell under it.
package struct MouseEvent: Hashable, Sendable {
  package enum Action: Hashable, Sendable {
    /// The left button was pressed.
    case press
    case wheelUp, wheelDown
    /// Anything else, such as releasing a button.
    case other
  }

  package let action: Action
  /// The column, counted from 0.
  package let column: Int
  /// The line, counted from 0.
  package let line: Int

  package init(_ action: Action, column: Int, line: Int) {
    self.action = action
    self.column = column
    self.line = line
  }

  /// Interprets the numbers that a terminal sends.
  ///
  /// - Parameters:
  ///   - code: The button and modifiers.
  ///   - column: The column, from 1.
  ///   - line: The line, from 1.
  ///   - isRelease: Whether the button was released.
  fileprivate init?(code: Int, column: Int, line: Int, isRelease: Bool) {
    guard code >= 0, (1...10_000).contains(column), (1...10_000).contains(line) else { return nil }
    // Three bits are modifiers, and one tells a movement.
    let isMovement = code & 32 != 0
    self.action =
      switch code & ~0b1_1100 {
      case 0 where !isRelease && !isMovement: .press
      case 64 where !isRelease: .wheelUp
      case 65 where !isRelease: .wheelDown
      default: .other
      }
    self.column = column - 1
    self.line = line - 1
  }
}

/// Interprets the bytes that a terminal sends, in pieces of any size.
///
/// It skips unknown sequences as a whole, so that no part of them is taken for a key.
struct KeyDecoder {
  private static let pasteEnd = Array("\u{1B}[201~".utf8)
  /// The most bytes of a paste to keep.
  private static let pasteLimit = 1 << 16
  /// The longest parameters of a key sequence, in bytes.
  private static let parameterLimit = 64
  /// The most bytes of a string to skip; the apparent beginning of one may be a key pressed with
  /// Alt.
  private static let stringLimit = 4096

  /// Something to skip, in pieces of any size.
  private enum Skipped {
    /// The rest of a sequence.
    case sequence
    /// A string that answers a query, with at most this many more bytes.
    case string(rest: Int)
  }

  /// The most bytes of a string to examine.
  private static let answerLimit = 64
  /// The answer of a terminal that supports kitty's pictures.
  private static let kittyAnswer = "Gi=\(TerminalQuestions.kittyNumber);OK"

  /// The beginning of the skipped string, if it may be an answer.
  private var answer: [UInt8]?
  private var pending: [UInt8] = []
  private var paste: [UInt8]?
  private var skipped: Skipped?

  /// The bytes that are keys of their own if nothing follows: the escape key, and two keys pressed
  /// with Alt.
  private static let beginnings: [[UInt8]] = [
    [0x1B], [0x1B, UInt8(ascii: "O")], [0x1B, UInt8(ascii: "[")],
  ]

  /// Whether a possible beginning of a sequence is waiting; if nothing follows, it is a key.
  var isWaiting: Bool { paste == nil && skipped == nil && Self.beginnings.contains(pending) }

  /// Interprets bytes.
  ///
  /// - Parameter bytes: The next bytes.
  /// - Returns: The events, including those of bytes that were waiting.
  mutating func decode(_ bytes: some Sequence<UInt8>) -> [TerminalEvent] {
    pending += bytes
    var events: [TerminalEvent] = []
    while !pending.isEmpty {
      guard let count = decodePending(&events) else { break }
      pending.removeFirst(count)
    }
    return events
  }

  /// Ends the wait after nothing has followed for a while.
  ///
  /// - Returns: The escape key, if it was that; a key pressed with Alt gives nothing. A longer
  ///   sequence keeps waiting, because over a slow link it may arrive in pieces.
  mutating func decodeRest() -> [TerminalEvent] {
    guard isWaiting else { return [] }
    defer { pending = [] }
    return pending.count == 1 ? [.key(.escape)] : []
  }

  /// Decodes the first event, and returns the number of bytes used; `nil` if it is incomplete.
  private mutating func decodePending(_ events: inout [TerminalEvent]) -> Int? {
    switch skipped {
    case .sequence: return skipSequence()
    case .string(let rest): return skipString(rest, &events)
    case nil:
      let count = paste == nil ? decodeNext(&events) : decodePaste(&events)
      return count > 0 ? count : nil
    }
  }

  /// Decodes the first event; 0 if it is incomplete.
  private mutating func decodeNext(_ events: inout [TerminalEvent]) -> Int {
    switch pending[0] {
    case 0x1B: return decodeEscape(&events)
    case 0x0D, 0x0A: events.append(.key(.enter))
    case 0x09: events.append(.key(.tab))
    case 0x7F, 0x08: events.append(.key(.backspace))
    case 0x01...0x1A:
      events.append(.key(.control(Character(Unicode.Scalar(pending[0] + 0x60)))))
    case 0x00..<0x20: break
    default: return decodeCharacter(&events)
    }
    return 1
  }

  /// Decodes a character; combining ones that follow are keys of their own.
  private func decodeCharacter(_ events: inout [TerminalEvent]) -> Int {
    let length =
      switch pending[0] {
      case 0xC2...0xDF: 2
      case 0xE0...0xEF: 3
      case 0xF0...0xF4: 4
      default: 1
      }
    let bytes = pending.prefix(length)
    // A truncated sequence ends before the first byte that does not belong to it.
    if let end = bytes.dropFirst().firstIndex(where: { $0 & 0xC0 != 0x80 }) { return end }
    guard bytes.count == length else { return 0 }
    if let text = String(validating: bytes, as: UTF8.self), let character = text.first {
      events.append(.key(.character(character)))
    }
    return length
  }

  private mutating func decodeEscape(_ events: inout [TerminalEvent]) -> Int {
    guard pending.count > 1 else { return 0 }
    switch pending[1] {
    case UInt8(ascii: "["): return decodeControlSequence(&events)
    case UInt8(ascii: "O"):
      guard pending.count > 2 else { return 0 }
      if let key = Self.keysByFinal[pending[2]] { events.append(.key(key)) }
      return 3
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "_"), UInt8(ascii: "^"):
      skipped = .string(rest: Self.stringLimit)
      answer = pending[1] == UInt8(ascii: "_") ? [] : nil
      return 2
    case 0x1B:
      // The escape key, then another sequence.
      events.append(.key(.escape))
      return 1
    default:
      // A key pressed with Alt.
      return 2
    }
  }

  private mutating func decodeControlSequence(_ events: inout [TerminalEvent]) -> Int {
    let end = endOfParameters(from: 2)
    guard end - 2 <= Self.parameterLimit else {
      skipped = .sequence
      return end
    }
    guard end < pending.count else { return 0 }
    // Another sequence interrupts this one.
    guard (0x40...0x7E).contains(pending[end]) else { return end }
    if pending[end] == UInt8(ascii: "M"), end == 2 { return decodeOldMouse(&events) }
    let parameters = String(decoding: pending[2..<end], as: UTF8.self)
    switch pending[end] {
    case UInt8(ascii: "~"):
      let number = parameters.split(separator: ";").first.map(String.init) ?? ""
      if number == "200" { paste = [] }
      if let key = Self.keysByNumber[number] { events.append(.key(key)) }
    case UInt8(ascii: "y"):
      // 1 is on, 2 is off; other values mean that it is not supported.
      if ["?2026;1$", "?2026;2$"].contains(parameters) { events.append(.offersSynchronization) }
    case UInt8(ascii: "c"):
      let attributes = parameters.dropFirst().split(separator: ";")
      if parameters.hasPrefix("?"), attributes.contains("4") { events.append(.offersSixels) }
    case UInt8(ascii: "M") where parameters.hasPrefix("<"),
      UInt8(ascii: "m") where parameters.hasPrefix("<"):
      let numbers = parameters.dropFirst().split(separator: ";").map { Int($0) ?? -1 }
      let isRelease = pending[end] == UInt8(ascii: "m")
      if numbers.count == 3,
        let event = MouseEvent(
          code: numbers[0],
          column: numbers[1],
          line: numbers[2],
          isRelease: isRelease
        )
      {
        events.append(.mouse(event))
      }
    default:
      if let key = Self.keysByFinal[pending[end]] { events.append(.key(key)) }
    }
    return end + 1
  }

  /// Decodes a mouse event in the old form of three bytes.
  private func decodeOldMouse(_ events: inout [TerminalEvent]) -> Int {
    guard pending.count >= 6 else { return 0 }
    let numbers = pending[3..<6].map { Int($0) - 32 }
    let isRelease = numbers[0] & 0b1100_0011 == 3
    if let event = MouseEvent(
      code: numbers[0],
      column: numbers[1],
      line: numbers[2],
      isRelease: isRelease
    ) {
      events.append(.mouse(event))
    }
    return 6
  }

  private func endOfParameters(from start: Int) -> Int {
    pending[start...].firstIndex { !(0x20...0x3F).contains($0) } ?? pending.count
  }

  /// Skips the rest of a sequence, with its last byte unless another sequence interrupts it.
  private mutating func skipSequence() -> Int {
    let end = endOfParameters(from: 0)
    guard end < pending.count else { return end }
    skipped = nil
    return (0x40...0x7E).contains(pending[end]) ? end + 1 : end
  }

  /// Skips a string, up to its end or to another sequence; `nil` if an ESC may be either.
  private mutating func skipString(_ rest: Int, _ events: inout [TerminalEvent]) -> Int? {
    let bytes = pending.prefix(rest)
    let found = bytes.firstIndex(where: { $0 == 0x07 || $0 == 0x1B })
    let room = Self.answerLimit - (answer?.count ?? 0)
    answer?.append(contentsOf: bytes[..<(found ?? bytes.count)].prefix(room))
    guard let end = found else {
      skipped = bytes.count < rest ? .string(rest: rest - bytes.count) : nil
      return bytes.count
    }
    if pending[end] == 0x1B, end + 1 == pending.count {
      guard end > 0 else { return nil }
      skipped = .string(rest: rest - end)
      return end
    }
    skipped = nil
    if let answer, String(decoding: answer, as: UTF8.self) == Self.kittyAnswer {
      events.append(.offersKittyPictures)
    }
    answer = nil
    if pending[end] == 0x07 { return end + 1 }
    return pending[end + 1] == UInt8(ascii: "\\") ? end + 2 : end
  }

  private mutating func decodePaste(_ events: inout [TerminalEvent]) -> Int {
    let end = pending.firstRange(of: Self.pasteEnd)
    // The end may arrive in pieces.
    let count = end?.lowerBound ?? max(0, pending.count - Self.pasteEnd.count + 1)
    let room = Self.pasteLimit - (paste?.count ?? 0)
    paste?.append(contentsOf: pending.prefix(min(count, max(0, room))))
    guard let end else { return count }
    events.append(.paste(String(decoding: paste ?? [], as: UTF8.self)))
    paste = nil
    return end.upperBound
  }

  private static let keysByFinal: [UInt8: Key] = [
    UInt8(ascii: "A"): .up, UInt8(ascii: "B"): .down, UInt8(ascii: "C"): .right,
    UInt8(ascii: "D"): .left, UInt8(ascii: "H"): .home, UInt8(ascii: "F"): .end,
    UInt8(ascii: "M"): .enter,
  ]
  private static let keysByNumber: [String: Key] = [
    "1": .home, "7": .home, "4": .end, "8": .end, "3": .delete, "5": .pageUp, "6": .pageDown,
  ]
}
