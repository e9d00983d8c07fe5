internal import Foundation
internal import SnippetStorage

/// The pixels of a BMP that are written as runs.
///
/// Skipped pixels are transparent, as browsers show them.
///
/// <https://learn.microsoft.com/windows/win32/gdi/bitmap-compression>
struct BitmapRuns {
  /// Some pixels of a row.
  private struct Run {
    var x: Int
    /// Which row, as they are stored.
    var y: Int
    /// How many pixels of it are within the row.
    var count: Int
    /// Where its bytes begin.
    var place: Int
    /// Whether they are those of the first pixel, or pixels, over and over.
    var isRepeated: Bool
  }

  private let bytes: [UInt8]
  private let header: BitmapHeader
  private let colors: BitmapColors

  /// Takes the pixels out of a file.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - header: What it says of itself.
  ///   - colors: What the numbers stand for.
  init(_ file: Data, _ header: BitmapHeader, _ colors: BitmapColors) {
    bytes = [UInt8](file.dropFirst(header.pixelOffset))
    self.header = header
    self.colors = colors
  }

  /// The pixels as a TIFF, with transparency where some are skipped.
  func tiff(_ room: BitmapRoom) throws(MediaError) -> Data {
    // Read twice: what ends early, or has nothing transparent, is known before memory is taken.
    var paintedCount = 0
    try visit(room.watch) { paintedCount += $0.count }
    let isOpaque = paintedCount == header.width * header.height
    let channelCount = isOpaque ? 3 : 4
    var tiff = PlainTIFF(try room.size(of: header, channelCount: channelCount))
    let clear = [UInt8](repeating: 0, count: header.width * channelCount)
    var row = clear
    var rowPlace = 0
    func keepRow() {
      tiff.set(header.isTopDown ? rowPlace : header.height - 1 - rowPlace, to: row)
    }
    try visit(room.watch) { run in
      if run.y != rowPlace {
        keepRow()
        row = clear
        rowPlace = run.y
      }
      paint(run, &row, channelCount)
    }
    keepRow()
    return tiff.bytes
  }

  private func paint(_ run: Run, _ row: inout [UInt8], _ channelCount: Int) {
    let isOpaque = channelCount == 3
    var target = run.x * channelCount
    for index in 0..<run.count {
      let number = run.isRepeated ? (header.bitCount == 4 ? index & 1 : 0) : index
      switch colors {
      case .palette(let palette):
        let color = header.bitCount == 8 ? Int(bytes[run.place + number]) : half(run, number)
        row[target] = palette.bytes[color * 3]
        row[target + 1] = palette.bytes[color * 3 + 1]
        row[target + 2] = palette.bytes[color * 3 + 2]
      case .bytes(let layout):
        let source = run.place + number * layout.pixelByteCount
        row[target] = bytes[source + layout.red]
        row[target + 1] = bytes[source + layout.green]
        row[target + 2] = bytes[source + layout.blue]
      // No coding has both.
      case .masks: break
      }
      if !isOpaque { row[target + 3] = .max }
      target += channelCount
    }
  }

  /// The upper half of a byte, then the lower one.
  private func half(_ run: Run, _ number: Int) -> Int {
    let byte = bytes[run.place + number / 2]
    return Int(number & 1 == 0 ? byte >> 4 : byte & 15)
  }

  /// Goes through the runs, each row after the other and from the left to the right.
  ///
  /// - Parameters:
  ///   - watch: Tells when to stop.
  ///   - visitor: Is given runs of at least one pixel, whose bytes are all there.
  /// - Throws: ``MediaError/Code/undecodable`` when there is neither an end nor a last pixel.
  private func visit(
    _ watch: BitmapRoom.Watch,
    _ visitor: (Run) -> Void
  ) throws(MediaError) {
    var watch = watch
    var (x, y, place) = (0, 0, 0)
    let unitByteCount = header.bitCount == 24 ? 3 : 1
    func take(_ count: Int, _ byteCount: Int, isRepeated: Bool) throws(MediaError) {
      guard byteCount <= bytes.count - place else { throw Self.endsEarly }
      // Encoders fill rows up beyond their end.
      let shownCount = min(count, header.width - x)
      if shownCount > 0 {
        visitor(Run(x: x, y: y, count: shownCount, place: place, isRepeated: isRepeated))
      }
      x += shownCount
      place += byteCount
    }

    while y < header.height {
      try watch.passed(64)
      guard place <= bytes.count - 2 else {
        // Nothing is missing but the end.
        if y == header.height - 1, x == header.width { return }
        throw Self.endsEarly
      }
      let (count, code) = (Int(bytes[place]), Int(bytes[place + 1]))
      place += 1
      switch (count, code) {
      case (0, 0):
        place += 1
        (x, y) = (0, y + 1)
      case (0, 1): return
      case (0, 2):
        guard place <= bytes.count - 3 else { throw Self.endsEarly }
        x += Int(bytes[place + 1])
        y += Int(bytes[place + 2])
        place += 3
        guard x <= header.width, y <= header.height else {
          throw MediaError(undecodable: "its pixels are outside of it", .bmp)
        }
      case (0, _):
        place += 1
        let byteCount = (code * header.bitCount + 7) / 8
        try take(code, byteCount, isRepeated: false)
        // What is written so begins and ends at even places.
        place += byteCount & 1
      default: try take(count, unitByteCount, isRepeated: true)
      }
    }
  }

  private static var endsEarly: MediaError { MediaError(undecodable: "its pixels end early", .bmp) }
}
