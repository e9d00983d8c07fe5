import SnippetMedia
import TerminalKit

extension Waveform {
  /// The most by which a quiet recording is amplified for drawing.
  private static let maximumGain = 4.0

  /// Draws the waveform in dots, two by four in each cell.
  ///
  /// A recording that is quiet throughout is amplified, up to four times; silence is a line.
  ///
  /// - Parameters:
  ///   - size: The cells.
  ///   - style: The style of the dots. The default is the plain one.
  /// - Returns: The lines, as many and as wide as requested; `nil` when there is nothing to draw.
  func lines(_ size: BoxSize, _ style: FrameStyle = .plain) -> [FrameLine]? {
    guard !peaks.isEmpty, size.columns > 0, size.lines > 0 else { return nil }
    let dots = columns(2 * size.columns, height: 4 * size.lines)
    return (0..<size.lines).map { line in
      let scalars = (0..<size.columns).map { column in
        Self.character { x, y in dots[2 * column + x].contains(4 * line + y) }
      }
      return FrameLine(String(String.UnicodeScalarView(scalars)), style)
    }
  }

  /// The dots of each column that are set, counted from above.
  private func columns(_ count: Int, height: Int) -> [ClosedRange<Int>] {
    let loudest = peaks.reduce(1) { max($0, abs(Int($1.lowest)), abs(Int($1.highest))) }
    let gain = min(Self.maximumGain, 127 / Double(loudest))
    func place(_ sample: Int8) -> Int {
      let share = 0.5 - Double(sample) * gain / 254
      return min(max(0, Int((share * Double(height - 1)).rounded())), height - 1)
    }
    return (0..<count).map { column in
      let first = column * peaks.count / count
      let last = max(first, (column + 1) * peaks.count / count - 1)
      let part = peaks[first...last]
      let highest = part.reduce(Int8.min) { max($0, $1.highest) }
      let lowest = part.reduce(Int8.max) { min($0, $1.lowest) }
      let (top, bottom) = (place(highest), place(min(lowest, highest)))
      return top...max(top, bottom)
    }
  }

  /// The braille character of two by four dots; a space for none.
  private static func character(_ isSet: (_ x: Int, _ y: Int) -> Bool) -> Unicode.Scalar {
    let order = [[0, 1, 2, 6], [3, 4, 5, 7]]
    var number: UInt32 = 0
    for x in 0..<2 {
      for y in 0..<4 where isSet(x, y) { number |= 1 << order[x][y] }
    }
    return number == 0 ? " " : Unicode.Scalar(0x2800 + number) ?? " "
  }
}

extension FrameStyle {
  /// The style of waveforms: the user's own cyan, where there are colours.
  static func waveform(_ colors: PictureColors) -> FrameStyle {
    colors == .none ? .plain : FrameStyle(foreground: .palette(6))
  }
}
