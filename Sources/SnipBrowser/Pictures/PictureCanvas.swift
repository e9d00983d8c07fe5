import CMedia
import Foundation
import SnippetMedia
import TerminalKit

/// The cells of a terminal that a picture is drawn on, with libchafa.
struct PictureCanvas {
  /// The cells, at least one and at most those of the largest screen.
  let size: BoxSize

  /// Draws a picture over all cells, as characters.
  ///
  /// - Parameters:
  ///   - picture: The picture, in pixels.
  ///   - colors: The colours that the characters may have.
  /// - Returns: As many lines as the cells are high, each as wide as they are; `nil` when the
  ///   picture has no pixels, or libchafa is missing.
  func lines(of picture: Thumbnail, colors: PictureColors) -> [FrameLine]? {
    var cells = [snippet_cell](repeating: snippet_cell(), count: max(0, size.columns * size.lines))
    let status = withPicture(picture) {
      snippet_pictures_draw($0, Int32(colors.number), &cells)
    }
    guard status == 0 else { return nil }
    return (0..<size.lines).map { number in
      FrameLine(cells[number * size.columns..<(number + 1) * size.columns], colors)
    }
  }

  /// Draws a picture over all cells, as the pixels of a protocol.
  ///
  /// - Parameters:
  ///   - picture: The picture, in pixels.
  ///   - form: The protocol.
  ///   - cell: The shape of a cell.
  /// - Returns: The bytes for the terminal; `nil` for symbols, and when the picture has no pixels,
  ///   or libchafa is missing.
  func bytes(of picture: Thumbnail, as form: PictureForm, cell: CellShape) -> [UInt8]? {
    guard let number = form.protocolNumber else { return nil }
    var byteCount = 0
    let encoded = withPicture(picture) {
      snippet_pictures_encode(
        $0,
        Int32(cell.width),
        Int32(cell.height),
        Int32(number),
        &byteCount
      )
    }
    guard let encoded else { return nil }
    defer { snippet_pictures_free(encoded) }
    return Array(UnsafeRawBufferPointer(start: encoded, count: byteCount))
  }

  /// Hands a picture to libchafa, on a ground on which it can be seen; both forms use this.
  ///
  /// - Parameters:
  ///   - picture: The picture.
  ///   - body: Called with pointers that are valid only during the call.
  /// - Returns: The result of `body`; `nil` when the picture has no pixels, or there are no cells,
  ///   or too many.
  private func withPicture<Result>(
    _ picture: Thumbnail,
    _ body: (snippet_picture) -> Result?
  ) -> Result? {
    guard picture.form == .rgba, (1...ScreenSize.maximum.columns).contains(size.columns),
      (1...ScreenSize.maximum.lines).contains(size.lines)
    else { return nil }
    let picture = picture.onVisibleGround
    return picture.bytes.withUnsafeBytes { bytes in
      body(
        snippet_picture(
          pixels: bytes.bindMemory(to: UInt8.self).baseAddress,
          width: Int32(picture.pixelWidth),
          height: Int32(picture.pixelHeight),
          columns: Int32(size.columns),
          lines: Int32(size.lines)
        )
      )
    }
  }
}

extension PictureColors {
  fileprivate var number: UInt32 {
    switch self {
    case .none: UInt32(snippet_colors_none)
    case .sixteen: UInt32(snippet_colors_16)
    case .palette: UInt32(snippet_colors_256)
    case .direct: UInt32(snippet_colors_direct)
    }
  }

  fileprivate func color(_ number: Int32) -> FrameStyle.Color? {
    guard number >= 0 else { return nil }
    switch self {
    case .none: return nil
    case .sixteen, .palette: return .palette(UInt8(truncatingIfNeeded: number))
    case .direct:
      return .direct(
        red: UInt8(truncatingIfNeeded: number >> 16),
        green: UInt8(truncatingIfNeeded: number >> 8),
        blue: UInt8(truncatingIfNeeded: number)
      )
    }
  }
}

extension PictureForm {
  fileprivate var protocolNumber: UInt32? {
    switch self {
    case .kitty: UInt32(snippet_pixels_kitty)
    case .sixels: UInt32(snippet_pixels_sixels)
    case .symbols: nil
    }
  }
}

extension FrameLine {
  /// Joins neighbouring cells; those that look the same become one piece.
  fileprivate init(_ cells: ArraySlice<snippet_cell>, _ colors: PictureColors) {
    self.init()
    var (text, style) = ("", FrameStyle.plain)
    for cell in cells {
      let (character, next) = cell.shown(colors)
      if next != style {
        append(text, style)
        (text, style) = ("", next)
      }
      text.unicodeScalars.append(character)
    }
    append(text, style)
  }
}

extension snippet_cell {
  private static let space: Unicode.Scalar = " "

  /// The character to print, with its style.
  fileprivate func shown(_ colors: PictureColors) -> (Unicode.Scalar, FrameStyle) {
    let (ink, ground) = (colors.color(foreground), colors.color(background))
    switch character {
    // A space; braille without a dot; a full block, because some fonts leave a gap between two of
    // them.
    case 0x20, 0x2800: return (Self.space, FrameStyle(background: ground))
    case 0x2588 where ink != nil: return (Self.space, FrameStyle(background: ink))
    default: break
    }
    guard let scalar = Unicode.Scalar(character), scalar.value > 0x20, scalar.displayWidth == 1
    else { return (Self.space, FrameStyle(background: ground)) }
    // The cell shows nothing of the picture, whichever character stands for that.
    guard ink != nil || ground != nil || colors == .none else { return (Self.space, .plain) }
    // A character in the colour of the terminal's background, which has no number.
    if ink == nil, let ground { return (scalar, FrameStyle(isReversed: true, foreground: ground)) }
    return (scalar, FrameStyle(foreground: ink, background: ground))
  }
}
