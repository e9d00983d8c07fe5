#if GTK
import Foundation

/// A picture that says a number, which a screen can be searched for: a red bar, five grey ones for
/// its digits, and a blue one.
enum NumberedPicture {
  static let digitCount = 5

  /// Makes the picture as a BMP file.
  ///
  /// - Parameters:
  ///   - number: The number.
  ///   - bandWidth: The width of each band in pixels, a seventh of the width.
  ///   - height: The height in pixels.
  /// - Returns: The file.
  static func file(_ number: Int, bandWidth: Int = 6, height: Int = 24) -> Data {
    var bands: [UInt8] = [16]
    for place in (0..<digitCount).reversed() { bands.append(UInt8(number >> (4 * place) & 15)) }
    bands.append(17)
    // Rows of pixels are whole multiples of four bytes.
    let pixels = bands.flatMap { Array(repeating: $0, count: bandWidth) }
    let row: [UInt8] = pixels + Array(repeating: 0, count: (4 - pixels.count % 4) % 4)
    var file = Data("BM".utf8)
    func add(_ value: Int, bytes: Int) {
      for place in 0..<bytes { file.append(UInt8(value >> (8 * place) & 255)) }
    }
    let start = 14 + 40 + 18 * 4
    for (value, bytes) in [
      (start + row.count * height, 4), (0, 4), (start, 4),
      (40, 4), (bandWidth * bands.count, 4), (height, 4), (1, 2), (8, 2), (0, 4),
      (row.count * height, 4), (2835, 4), (2835, 4), (18, 4), (18, 4),
    ] {
      add(value, bytes: bytes)
    }
    for digit in 0..<16 { add(digit * 17 * 0x010101, bytes: 4) }
    for color in [0xFF0000, 0x0000FF] { add(color, bytes: 4) }
    for _ in 0..<height { file.append(contentsOf: row) }
    return file
  }
}

/// What is on a screen.
struct Screen {
  /// A picture on the screen: its number, and the first and last line that say it.
  struct Found: Equatable {
    var number: Int
    var lines: ClosedRange<Int>
  }

  var width: Int
  var height: Int
  /// Red, green and blue.
  var bytes: Data

  /// The numbered pictures that can be read, from the top.
  func pictures() -> [Found] {
    bytes.withUnsafeBytes { pixels in
      var found: [Found] = []
      for line in 0..<height {
        guard let number = number(in: pixels, line) else { continue }
        if let last = found.last, last.number == number, last.lines.upperBound == line - 1 {
          found[found.count - 1].lines = last.lines.lowerBound...line
        } else {
          found.append(Found(number: number, lines: line...line))
        }
      }
      // A line or two between two pictures may blend them.
      return found.filter { $0.lines.count > 3 }
    }
  }

  /// The colors of a banner: of one that tells of a failure, and of the others.
  static let warning = (red: 245, green: 214, blue: 183)
  static let notice = (red: 216, green: 227, blue: 242)

  /// The middle line of a banner that tells of no failure; `nil` if there is none.
  var bannerMiddle: Int? {
    let lines = (48..<height).filter { isColor(Self.notice, 8, $0) }
    return lines.first.map { $0 + lines.count / 2 }
  }

  /// Whether a banner asks what to do with a text that others have changed: it has three buttons.
  var isConflictTold: Bool {
    bannerMiddle.map { isColor((red: 248, green: 247, blue: 247), 512, $0) } ?? false
  }

  /// Whether a pixel is red, as the left bar of a picture is.
  func isRed(_ x: Int, _ y: Int) -> Bool {
    bytes.withUnsafeBytes { pixels in mark(pixels, (y * width + x) * 3) == .red }
  }

  /// The first column of a range that has a dark pixel in some lines, as letters are; those of a dim
  /// label are below 150.
  func firstDark(in columns: Range<Int>, lines: Range<Int>, below limit: UInt8 = 100) -> Int? {
    bytes.withUnsafeBytes { (pixels: UnsafeRawBufferPointer) -> Int? in
      columns.first { column in
        lines.contains { line in
          (0..<3).allSatisfy { pixels[(line * width + column) * 3 + $0] < limit }
        }
      }
    }
  }

  /// The number of pixels of about a color.
  func count(of color: (red: Int, green: Int, blue: Int)) -> Int {
    bytes.withUnsafeBytes { pixels in
      stride(from: 0, to: width * height * 3, by: 3).count { isColor(color, pixels, $0) }
    }
  }

  private func isColor(_ color: (red: Int, green: Int, blue: Int), _ x: Int, _ y: Int) -> Bool {
    bytes.withUnsafeBytes { isColor(color, $0, (y * width + x) * 3) }
  }

  private func isColor(
    _ color: (red: Int, green: Int, blue: Int),
    _ pixels: UnsafeRawBufferPointer,
    _ offset: Int
  ) -> Bool {
    zip([color.red, color.green, color.blue], pixels[offset..<offset + 3]).allSatisfy {
      abs($0 - Int($1)) < 12
    }
  }

  private enum Mark { case red, blue, other }

  private func mark(_ pixels: UnsafeRawBufferPointer, _ offset: Int) -> Mark {
    let (red, green, blue) = (pixels[offset], pixels[offset + 1], pixels[offset + 2])
    if red > 200, green < 70, blue < 70 { return .red }
    return blue > 200 && red < 70 && green < 70 ? .blue : .other
  }

  private func number(in pixels: UnsafeRawBufferPointer, _ line: Int) -> Int? {
    let start = line * width * 3
    guard let left = (0..<width).first(where: { mark(pixels, start + $0 * 3) == .red }),
      let digits = (left..<width).first(where: { mark(pixels, start + $0 * 3) != .red }),
      let right = (digits..<width).first(where: { mark(pixels, start + $0 * 3) == .blue })
    else { return nil }
    var number = 0
    for place in 0..<NumberedPicture.digitCount {
      let column = digits + (right - digits) * (2 * place + 1) / (2 * NumberedPicture.digitCount)
      let offset = start + column * 3
      let values = [pixels[offset], pixels[offset + 1], pixels[offset + 2]].map(Int.init)
      guard (values.max() ?? 0) - (values.min() ?? 0) < 12 else { return nil }
      number = number << 4 | (values[1] + 8) / 17
    }
    return number
  }
}
#endif
