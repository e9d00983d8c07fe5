import SnippetTestSupport
import Testing

@testable import TerminalKit

struct TerminalTextTests {
  @Test func `no code point reaches a terminal if it could act there`() {
    let text = String(String.UnicodeScalarView(everyScalar))

    let shown = TerminalText(text).description.unicodeScalars

    #expect(everyScalar.count == 0x110000 - 0x800)
    #expect(Set(shown.filter(Forbidden.everywhere)).isEmpty)
  }

  @Test(arguments: [TerminalText.Lines.visible, .kept, .folded])
  func `no neighbour helps a dangerous character through`(lines: TerminalText.Lines) {
    var source = String.UnicodeScalarView()
    for scalar in everyScalar where Forbidden.alone(scalar) {
      for neighbor in ["a", "1", "👩", "ی", "क", "漢", "\u{FE0F}", "\n"] as [Unicode.Scalar] {
        source.append(contentsOf: [neighbor, scalar])
      }
    }

    let shown = TerminalText(String(source), lines: lines).description.unicodeScalars

    let kept: Set<Unicode.Scalar> = lines == .kept ? ["\n", "\t"] : []
    #expect(Set(shown.filter(Forbidden.everywhere)) == kept)
  }

  @Test func `no invisible character reaches a terminal behind a letter`() {
    var source = String.UnicodeScalarView()
    for scalar in everyScalar where Forbidden.alone(scalar) {
      source.append(contentsOf: ["a", scalar])
    }

    let shown = TerminalText(String(source)).description.unicodeScalars

    #expect(Set(shown.filter(Forbidden.alone)).isEmpty)
  }

  @Test func `surrogates encoded as bytes come out as numbers`() {
    var bytes: [UInt8] = []
    for second in 0xA0...0xBF as ClosedRange<UInt8> {
      for third in 0x80...0xBF as ClosedRange<UInt8> { bytes += [0xED, second, third] }
    }

    let shown = TerminalText(bytes: bytes).description

    #expect(shown.hasPrefix("<ED><A0><80><ED><A0><81>"))
    #expect(shown.utf8.count == bytes.count * 4)
  }

  @Test func `letters, marks, symbols and emoji of all scripts are left alone`() {
    let untouched = everyScalar.filter { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .unassigned: false
      default: !scalar.properties.isDefaultIgnorableCodePoint
      }
    }
    // No character has many marks.
    let text = untouched.map { "a\($0)" }.joined()

    let shown = scalars(TerminalText(text).description)

    #expect(untouched.count > 280_000)
    let isSame = shown == untouched.flatMap { ["a", $0] }
    #expect(isSame)
  }

  @Test(arguments: [
    ("plain ASCII ~", "plain ASCII ~"),
    ("", ""),
    ("\u{0}\u{7}\u{8}\t\n\r\u{1B}\u{1F}\u{7F}", "␀␇␈␉␊␍␛␟␡"),
    ("\u{1B}]52;c;aGk=\u{7}", "␛]52;c;aGk=␇"),
    ("\u{1B}[2J", "␛[2J"),
    ("\u{80}\u{9B}31m\u{9F}", "<U+0080><U+009B>31m<U+009F>"),
    ("gpj.\u{202E}exe\u{202C}", "gpj.<U+202E>exe<U+202C>"),
    ("\u{2066}a\u{2069}\u{200E}\u{200F}\u{61C}", "<U+2066>a<U+2069><U+200E><U+200F><U+061C>"),
    ("\u{FEFF}a\u{200B}b\u{2060}\u{AD}", "<U+FEFF>a<U+200B>b<U+2060><U+00AD>"),
    ("a\u{2028}b\u{2029}", "a<U+2028>b<U+2029>"),
    ("🏴\u{E0067}\u{E007F}", "🏴<U+E0067><U+E007F>"),
    ("\u{FFFE}\u{10FFFF}", "<U+FFFE><U+10FFFF>"),
    ("\u{3164}\u{115F}", "<U+3164><U+115F>"),
    ("\u{600}1", "\u{600}1"),
  ])
  func `what would act on a terminal is shown`(text: String, shown: String) {
    #expect(scalars(TerminalText(text).description) == scalars(shown))
  }

  @Test(arguments: [
    ("👩\u{200D}👩\u{200D}👧", "👩\u{200D}👩\u{200D}👧"),
    ("❤\u{FE0F}\u{200D}🔥", "❤\u{FE0F}\u{200D}🔥"),
    ("👍\u{1F3FD}", "👍\u{1F3FD}"),
    ("می\u{200C}خواهم", "می\u{200C}خواهم"),
    ("क\u{94D}\u{200D}ष", "क\u{94D}\u{200D}ष"),
    ("a\u{200D}b\u{200C}", "a<U+200D>b<U+200C>"),
    ("👩\u{200C}👩", "👩<U+200C>👩"),
    ("\u{200D}👩\u{200D}", "<U+200D>👩<U+200D>"),
    ("👩\u{200D}\u{200D}👩", "👩<U+200D><U+200D>👩"),
    ("1\u{200D}2", "1<U+200D>2"),
    ("ی\u{202E}\u{200C}ی", "ی<U+202E><U+200C>ی"),
  ])
  func `joiners stay where they join`(text: String, shown: String) {
    #expect(scalars(TerminalText(text).description) == scalars(shown))
  }

  @Test(arguments: [
    ("❤\u{FE0F}", "❤\u{FE0F}"),
    ("1\u{FE0F}\u{20E3}", "1\u{FE0F}\u{20E3}"),
    ("葛\u{E0100}", "葛\u{E0100}"),
    ("a\u{FE0F}", "a<U+FE0F>"),
    ("1\u{FE00}", "1<U+FE00>"),
    ("\u{FE0F}", "<U+FE0F>"),
    (" \u{FE0F}", " <U+FE0F>"),
    ("😀\u{FE0F}\u{FE0F}", "😀\u{FE0F}<U+FE0F>"),
    ("😀\u{E0100}\u{E0101}\u{E0102}", "😀\u{E0100}<U+E0101><U+E0102>"),
  ])
  func `a variation selector stays behind what can vary`(text: String, shown: String) {
    #expect(scalars(TerminalText(text).description) == scalars(shown))
  }

  @Test(arguments: [
    ("one\ntwo\tthree", "one\ntwo\tthree"),
    ("one\r\ntwo\r\n", "one\ntwo\n"),
    ("over\rwritten", "over␍\nwritten"), ("one\rtwo\r", "one␍\ntwo␍"),
    ("\r\r\n", "␍\n"),
    ("\u{B}\u{C}\u{85}\u{2028}\u{1B}", "␋␌<U+0085><U+2028>␛"),
  ])
  func `the lines of a body are kept, and nothing else is`(text: String, shown: String) {
    #expect(TerminalText(text, lines: .kept).description == shown)
  }

  @Test(arguments: [
    ("one\ntwo", "one two"),
    ("one \r\n\t two\n\n", "one two"),
    ("\n\n  one", "one"),
    ("one  two", "one  two"),
    (" one ", " one "),
    ("one\u{2028}two\u{85}three", "one two three"),
    ("\n", ""),
    ("one\n\u{1B}", "one ␛"),
  ])
  func `line ends fold into one space`(text: String, shown: String) {
    #expect(TerminalText(text, lines: .folded).description == shown)
  }

  @Test(arguments: [TerminalText.Lines.visible, .kept, .folded])
  func `making a text visible twice changes nothing`(lines: TerminalText.Lines) {
    var texts = TroublesomeTexts()
    for _ in 0..<2000 {
      let text = texts.next()

      let once = TerminalText(text, lines: lines).description
      let twice = TerminalText(once, lines: lines).description

      #expect(scalars(once) == scalars(twice), "seed \(SeededGenerator.runSeed)")
    }
  }

  // They take no columns, so a line of a terminal would hold any number of them.
  @Test(arguments: [TerminalText.Lines.visible, .kept, .folded])
  func `a character has no more marks than any script needs`(lines: TerminalText.Lines) {
    func marks(_ count: Int) -> String { String(repeating: "\u{301}", count: count) }

    let shown = TerminalText("a\(marks(30)) e\(marks(31))o\(marks(1))", lines: lines).description
    #expect(shown == "a\(marks(30)) e\(marks(30))…o\(marks(1))")
    let long = TerminalText("a" + marks(400_000) + "b", lines: lines).description
    #expect(long == "a\(marks(30))…b")
    let mixed = String(repeating: "\u{301}\u{20DD}", count: 40)
    #expect(TerminalText("a" + mixed, lines: lines).description.unicodeScalars.count == 32)
  }

  @Test func `bytes that are UTF-8 read like the text they are`() {
    var texts = TroublesomeTexts()
    for _ in 0..<2000 {
      let text = texts.next()

      #expect(
        TerminalText(bytes: text.utf8) == TerminalText(text),
        "seed \(SeededGenerator.runSeed)"
      )
    }
  }

  @Test(
    arguments: [
      ([0x61, 0xE9, 0x62], "a<E9>b"),
      ([0xC0, 0x80], "<C0><80>"),
      ([0xC3, 0xA9, 0xE2, 0x82, 0xAC, 0xFF, 0x62], "é€<FF>b"),
      ([0xF0, 0x9F, 0x98], "<F0><9F><98>"),
      ([0xF0, 0x9F, 0x98, 0x80], "😀"),
      ([0xF4, 0x90, 0x80, 0x80], "<F4><90><80><80>"),
      ([0x9B, 0x33, 0x31, 0x6D], "<9B>31m"),
      ([0xE2, 0x80, 0x0A, 0xFF], "<E2><80>␊<FF>"),
    ] as [([UInt8], String)]
  )
  func `bytes that are not UTF-8 are shown by their value`(bytes: [UInt8], shown: String) {
    #expect(TerminalText(bytes: bytes).description == shown)
  }

  @Test func `any bytes at all come out printable and none is lost`() {
    var generator = SeededGenerator()
    for _ in 0..<500 {
      let bytes = (0..<64).map { _ in UInt8.random(in: 0...255, using: &generator) }

      let shown = TerminalText(bytes: bytes).description

      let forbidden = shown.unicodeScalars.filter(Forbidden.everywhere)
      let unreadable = bytes.count { $0 >= 0x80 }
      #expect(forbidden.isEmpty, "seed \(SeededGenerator.runSeed)")
      #expect(shown.utf8.count >= bytes.count - unreadable, "seed \(SeededGenerator.runSeed)")
    }
  }
}

/// The scalars a terminal must never be sent, in plain numbers, apart from what the code under test
/// asks Unicode.
private enum Forbidden {
  /// What is dangerous in any surroundings.
  static func everywhere(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00...0x1F, 0x7F...0x9F: true
    case 0x61C, 0x200B, 0x200E...0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF: true
    case 0xAD, 0x34F, 0x180E, 0xFFF0...0xFFFB, 0xFFFE...0xFFFF: true
    case 0xE0000...0xE00FF, 0xE01F0...0xE0FFF, 0x1D173...0x1D17A: true
    default: false
    }
  }

  /// What cannot be seen without the right neighbours.
  static func alone(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x200C...0x200D, 0xFE00...0xFE0F, 0x180B...0x180F, 0xE0100...0xE01EF: true
    default: everywhere(scalar)
    }
  }
}

/// Every scalar there is, ascending.
private let everyScalar: [Unicode.Scalar] = (0...0x10FFFF).compactMap { Unicode.Scalar($0) }

/// The scalars of a text, to compare texts that are only canonically equal.
private func scalars(_ text: String) -> [Unicode.Scalar] { Array(text.unicodeScalars) }
