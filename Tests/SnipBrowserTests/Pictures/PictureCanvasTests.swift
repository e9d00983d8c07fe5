import SnippetMedia
import SnippetTestSupport
import TerminalKit
import Testing

@testable import SnipBrowser

/// What is drawn of pixels that are known.
@Suite(.enabled(if: TerminalAbilities.libraryVersion != nil))
struct PictureCanvasTests {
  private func lines(
    _ pixels: Pixels,
    columns: Int,
    lines: Int,
    _ colors: PictureColors
  ) throws -> [FrameLine] {
    let canvas = PictureCanvas(size: BoxSize(columns: columns, lines: lines))
    let picture = try #require(pixels.thumbnail)
    return try #require(canvas.lines(of: picture, colors: colors))
  }

  private static func direct(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> FrameStyle.Color {
    .direct(red: red, green: green, blue: blue)
  }

  @Test(
    arguments: [
      (.direct, direct(255, 0, 0), direct(0, 255, 0)), (.palette, .palette(196), .palette(46)),
      (.sixteen, .palette(9), .palette(10)),
    ] as [(PictureColors, FrameStyle.Color, FrameStyle.Color)]
  )
  func `a red half and a green one`(
    colors: PictureColors,
    red: FrameStyle.Color,
    green: FrameStyle.Color
  ) throws {
    let picture = Pixels.halves(Pixels.red, Pixels.green, width: 64, height: 32)

    let drawn = try lines(picture, columns: 6, lines: 2, colors)

    var line = FrameLine("   ", FrameStyle(background: red))
    line.append("   ", FrameStyle(background: green))
    #expect(drawn == [line, line])
  }

  @Test func `what is above and what is below share a cell`() throws {
    let picture = Pixels(width: 32, height: 32) { _, y in y < 16 ? Pixels.red : Pixels.green }

    let drawn = try lines(picture, columns: 2, lines: 1, .direct)

    let piece = try #require(drawn.first?.pieces.first)
    let isUpper = piece.text == "▀▀"
    #expect(isUpper || piece.text == "▄▄", "\(drawn)")
    #expect(piece.style.foreground == (isUpper ? Self.direct(255, 0, 0) : Self.direct(0, 255, 0)))
    #expect(piece.style.background == (isUpper ? Self.direct(0, 255, 0) : Self.direct(255, 0, 0)))
    #expect(drawn.count == 1 && drawn[0].pieces.count == 1)
  }

  @Test func `a checker board has a quarter of each colour in a corner`() throws {
    let picture = Pixels(width: 32, height: 32) { x, y in
      (x / 4 + y / 4) % 2 == 0 ? Pixels.black : Pixels.white
    }

    let drawn = try lines(picture, columns: 4, lines: 4, .direct)

    #expect(drawn.map(\.text).allSatisfy { $0 == "▚▚▚▚" || $0 == "▞▞▞▞" }, "\(drawn)")
    #expect(Set(drawn).count == 1 && drawn[0].pieces.count == 1)
  }

  @Test func `a gradient becomes lighter from cell to cell`() throws {
    let picture = Pixels(width: 256, height: 16) { x, _ in
      [UInt8(x), UInt8(x), UInt8(x), 255]
    }

    let drawn = try lines(picture, columns: 16, lines: 1, .direct)

    let greys = drawn[0].pieces.compactMap { piece -> UInt8? in
      guard case .direct(let red, _, _) = piece.style.background else { return nil }
      return red
    }
    #expect(greys.count >= 16 && greys == greys.sorted(), "\(drawn)")
    #expect(greys.first.map { $0 < 16 } == true && greys.last.map { $0 > 240 } == true)
  }

  @Test func `what is transparent has the ground of the terminal`() throws {
    let picture = Pixels.halves(Pixels.clear, Pixels.red, width: 64, height: 32)

    let drawn = try lines(picture, columns: 4, lines: 1, .direct)

    var line = FrameLine("  ")
    line.append("  ", FrameStyle(background: Self.direct(255, 0, 0)))
    #expect(drawn == [line])
  }

  @Test func `what is transparent above or below shows the terminal's own ground there`() throws {
    for isAbove in [true, false] {
      let picture = Pixels(width: 16, height: 16) { _, y in
        (y < 8) == isAbove ? Pixels.clear : Pixels.red
      }

      let drawn = try lines(picture, columns: 1, lines: 1, .direct)

      let piece = try #require(drawn.first?.pieces.first)
      // As the half of the red, or as the other half in the colour of the ground.
      let isPlain = piece.style == FrameStyle(foreground: Self.direct(255, 0, 0))
      let isReversed =
        piece.style == FrameStyle(isReversed: true, foreground: Self.direct(255, 0, 0))
      #expect(isPlain || isReversed, "\(drawn)")
      #expect(piece.text == (isPlain == isAbove ? "▄" : "▀"), "\(drawn)")
    }
  }

  @Test func `nothing is drawn in the terminal's own colours`() throws {
    // Half transparent edges around a disc, as icons have them.
    let picture = Pixels(width: 64, height: 64) { x, y in
      let distance = (x - 32) * (x - 32) + (y - 32) * (y - 32)
      return [200, 40, 40, UInt8(min(max(0, (900 - distance) / 2), 255))]
    }

    for colors in [PictureColors.direct, .palette, .sixteen] {
      for columns in 3...12 {
        let drawn = try lines(picture, columns: columns, lines: (columns + 1) / 2, colors)

        let bare = drawn.flatMap(\.pieces).filter {
          $0.style.foreground == nil && $0.text.contains { $0 != " " }
        }
        #expect(bare.isEmpty, "\(columns) \(bare)")
      }
    }
  }

  @Test func `without colours dots tell light from dark`() throws {
    let picture = Pixels.halves(Pixels.black, Pixels.white, width: 64, height: 32)

    let drawn = try lines(picture, columns: 4, lines: 2, .none)

    #expect(drawn == [FrameLine("  ⣿⣿"), FrameLine("  ⣿⣿")])
  }

  @Test(arguments: PictureColors.allCases)
  func `every line is as wide as asked for`(colors: PictureColors) throws {
    let picture = Pixels(width: 97, height: 61) { x, y in
      [UInt8(x * 2), UInt8(y * 4), UInt8((x * y) % 256), UInt8(x > y ? 255 : 40)]
    }

    let drawn = try lines(picture, columns: 23, lines: 9, colors)

    #expect(drawn.count == 9 && drawn.allSatisfy { $0.width == 23 }, "\(drawn)")
    #expect(drawn.allSatisfy { $0.text.displayWidth == 23 })
  }

  @Test func `pixels are sent by the protocol that was asked for`() throws {
    let halves = Pixels.halves(Pixels.red, Pixels.green, width: 8, height: 8)
    let picture = try #require(halves.thumbnail)
    let canvas = PictureCanvas(size: BoxSize(columns: 4, lines: 2))

    let kitty = try #require(canvas.bytes(of: picture, as: .kitty, cell: .usual))
    let sixels = try #require(canvas.bytes(of: picture, as: .sixels, cell: .usual))

    let kittyText = String(decoding: kitty, as: UTF8.self)
    let sixelText = String(decoding: sixels, as: UTF8.self)
    #expect(kittyText.hasPrefix("\u{1B}_Ga=T,f=32,s=40,v=40,c=4,r=2,m=1\u{1B}\\"), "\(kittyText)")
    #expect(kittyText.hasSuffix("\u{1B}_Gm=0\u{1B}\\"))
    #expect(sixelText.hasPrefix("\u{1B}P0;1;0q\"1;1;40;"), "\(sixelText)")
    #expect(sixelText.hasSuffix("\u{1B}\\"))
    #expect(canvas.bytes(of: picture, as: .symbols(.direct), cell: .usual) == nil)
  }

  @Test func `what is no pixels, or has no room, is not drawn`() throws {
    let file = try #require(
      Thumbnail(pixelWidth: 4, pixelHeight: 4, form: .jpeg, bytes: .init([1, 2]))
    )
    let halves = Pixels.halves(Pixels.red, Pixels.green, width: 4, height: 4)
    let pixels = try #require(halves.thumbnail)

    #expect(PictureCanvas(size: .inRow).lines(of: file, colors: .direct) == nil)
    #expect(PictureCanvas(size: .inRow).bytes(of: file, as: .kitty, cell: .usual) == nil)
    for size in [(0, 1), (1, 0), (1001, 1), (1, 501)] {
      let canvas = PictureCanvas(size: BoxSize(columns: size.0, lines: size.1))
      #expect(canvas.lines(of: pixels, colors: .direct) == nil)
    }
  }
}
