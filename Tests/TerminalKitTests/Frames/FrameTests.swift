import SnippetTestSupport
import Testing

@testable import TerminalKit

@Suite(.seeded)
struct FrameTests {
  private static let size = ScreenSize(columns: 6, lines: 3)

  private func frame(_ lines: String..., size: ScreenSize = size) -> Frame {
    Frame(size: size, lines: lines.map { FrameLine($0) })
  }

  @Test func `a frame fits its screen`() {
    let frame = frame("1234567", "漢字漢字", "abc", "beyond")
    #expect(frame.text == "12345…\n漢字…\nabc\n")
    #expect(self.frame("a  ").text == "a\n\n\n")
  }

  @Test func `no line is wider than the screen, whatever it is made of`() {
    var texts = TroublesomeTexts()
    for _ in 0..<2000 {
      var line = FrameLine()
      for style in [FrameStyle.plain, .bold, .faint, .plain] {
        line.append(TerminalText(texts.next(), lines: .folded).description, style)
      }
      let columns = texts.number(in: 1...30)
      let frame = Frame(size: ScreenSize(columns: columns, lines: 1), lines: [line])
      #expect(frame.lines[0].text.displayWidth <= columns, "\(frame.text)")
    }
  }

  @Test(arguments: [
    ("©", "\u{FE0F}x"), ("👩", "\u{200D}👧"), ("🇩", "🇪"), ("1", "\u{FE0F}\u{20E3}"),
    ("\u{600}", "1\u{FE0F}\u{20E3}\u{1F3FD}"),
  ])
  func `pieces do not join into characters of another width`(first: String, second: String) {
    var line = FrameLine(first)
    line.append(second, .bold)
    #expect(line.text == "\(first) \(second)")
    #expect(line.width == line.text.displayWidth)
  }

  @Test func `only the lines that differ are written`() {
    let diff = FrameDiff()
    let bytes = diff.bytes(from: frame("one", "two", "three"), to: frame("one", "2", "three"))
    #expect(String(decoding: bytes, as: UTF8.self) == "\u{1B}[2;1H2\u{1B}[K")
    #expect(diff.bytes(from: frame("one"), to: frame("one")).isEmpty)
  }

  @Test func `a full line is not erased behind its end, where its last character stands`() {
    let bytes = FrameDiff().bytes(from: frame("one"), to: frame("123456"))
    #expect(String(decoding: bytes, as: UTF8.self) == "\u{1B}[1;1H123456")
  }

  @Test func `terminals that disagree about widths show nothing of the former line`() {
    let diff = FrameDiff()
    let wide = ScreenSize(columns: 12, lines: 1)
    let emoji = frame("ab🗓\u{FE0F} 09:22", size: wide)
    let plain = frame("nothing here", size: wide)

    // The line is erased first, and what follows the emoji is put into its column.
    let shown = String(decoding: diff.bytes(from: plain, to: emoji), as: UTF8.self)
    #expect(shown == "\u{1B}[1;1H\u{1B}[Kab🗓\u{FE0F}\u{1B}[5G 09:22")
    // So is what follows it.
    let erased = String(decoding: diff.bytes(from: emoji, to: plain), as: UTF8.self)
    #expect(erased == "\u{1B}[1;1H\u{1B}[Knothing here")
    // Characters of other scripts have one width everywhere.
    let text = String(
      decoding: diff.bytes(from: plain, to: frame("é漢字", size: wide)),
      as: UTF8.self
    )
    #expect(text == "\u{1B}[1;1Hé漢字\u{1B}[K")
  }

  @Test func `a picture is drawn over the lines, once, and taken away with them`() {
    let diff = FrameDiff()
    let pixels = FramePixels(Array("PIXELS".utf8), erasing: Array("ERASE".utf8))
    let box = BoxSize(columns: 2, lines: 2)
    func shown(_ text: String, _ pixels: FramePixels?) -> Frame {
      let picture = pixels.map { FramePicture(line: 1, column: 3, size: box, pixels: $0) }
      return Frame(size: Self.size, lines: [FrameLine(text)], picture: picture)
    }
    func text(_ former: Frame?, _ frame: Frame) -> String {
      String(decoding: diff.bytes(from: former, to: frame), as: UTF8.self)
    }

    #expect(text(shown("a", nil), shown("a", pixels)) == "\u{1B}[2;4HPIXELS")
    #expect(text(shown("a", pixels), shown("b", pixels)) == "\u{1B}[1;1Hb\u{1B}[K")
    let start = "\u{1B}[0m\u{1B}[2J\u{1B}[1;1H"
    #expect(text(nil, shown("a", pixels)) == start + "a\u{1B}[2;4HPIXELS")
    #expect(text(shown("a", pixels), shown("a", nil)) == "ERASE" + start + "a")
    let others = FramePixels(Array("OTHERS".utf8))
    #expect(
      text(shown("a", pixels), shown("a", others)) == "ERASE" + start + "a\u{1B}[2;4HOTHERS"
    )
  }

  @Test func `a picture that does not fit is not drawn`() {
    let pixels = FramePixels(Array("PIXELS".utf8))
    for (line, column) in [(2, 0), (0, 5), (-1, 0)] {
      let picture = FramePicture(
        line: line,
        column: column,
        size: BoxSize(columns: 2, lines: 2),
        pixels: pixels
      )
      #expect(Frame(size: Self.size, lines: [], picture: picture).picture == nil)
    }
  }

  @Test func `what is not known, or of another size, is drawn from the start`() {
    let narrow = frame("one", size: ScreenSize(columns: 5, lines: 3))
    for former in [nil, narrow] {
      let bytes = FrameDiff().bytes(from: former, to: frame("one"))
      #expect(String(decoding: bytes, as: UTF8.self) == "\u{1B}[0m\u{1B}[2J\u{1B}[1;1Hone")
    }
  }

  @Test func `a terminal that can is told where a frame ends`() {
    let bytes = FrameDiff(isSynchronized: true).bytes(from: frame("one"), to: frame("1"))
    #expect(
      String(decoding: bytes, as: UTF8.self) == "\u{1B}[?2026h\u{1B}[1;1H1\u{1B}[K\u{1B}[?2026l"
    )
  }

  @Test func `styles and colours are written where they are allowed`() {
    var style = FrameStyle(isBold: true, isReversed: true)
    style.foreground = .direct(red: 1, green: 2, blue: 3)
    style.background = .direct(red: 4, green: 5, blue: 6)
    let styled = Frame(size: Self.size, lines: [FrameLine("a", style)])

    let shown = FrameDiff().bytes(from: frame(""), to: styled)
    let plain = FrameDiff(allowsStyles: false).bytes(from: frame(""), to: styled)

    #expect(
      String(decoding: shown, as: UTF8.self)
        == "\u{1B}[1;1H\u{1B}[1;7;38;2;1;2;3;48;2;4;5;6ma\u{1B}[0m\u{1B}[K"
    )
    #expect(String(decoding: plain, as: UTF8.self) == "\u{1B}[1;1Ha\u{1B}[K")
  }

  @Test func `between two pieces only what differs is written`() {
    let red = FrameStyle(foreground: .palette(9), background: .palette(200))
    var blue = red
    blue.foreground = .palette(4)
    var line = FrameLine("a", red)
    line.append("b", blue)
    line.append("c", FrameStyle(background: .palette(12)))
    line.append("d", .bold)
    line.append("e")

    #expect(
      line.written(allowsStyles: true)
        == "\u{1B}[91;48;5;200ma\u{1B}[34mb\u{1B}[0;104mc\u{1B}[0;1md\u{1B}[0me"
    )
    #expect(line.written(allowsStyles: false) == "abcde")
  }

  @Test(arguments: ["80x24", "1x1", "1000x500"])
  func `sizes are read`(text: String) {
    #expect(ScreenSize(text) != nil)
  }

  @Test(arguments: ["", "80", "80x", "x24", "0x5", "80x24x1", "1001x5", "80x501", "-1x5", "8 x 5"])
  func `other texts are no sizes`(text: String) {
    #expect(ScreenSize(text) == nil)
  }
}
