import SnippetTestSupport
import Testing

@testable import TerminalKit

@Suite(.seeded)
struct KeyDecoderTests {
  private static let sequences: [(String, [TerminalEvent])] = [
    ("a", [.key(.character("a"))]),
    ("é漢👍", [.key(.character("é")), .key(.character("漢")), .key(.character("👍"))]),
    ("\u{1B}[A\u{1B}[B\u{1B}OC\u{1B}OD", [.key(.up), .key(.down), .key(.right), .key(.left)]),
    ("\u{1B}[5~\u{1B}[6~\u{1B}[3~", [.key(.pageUp), .key(.pageDown), .key(.delete)]),
    ("\u{1B}[H\u{1B}OF\u{1B}[1~\u{1B}[4~", [.key(.home), .key(.end), .key(.home), .key(.end)]),
    ("\u{1B}[1;5A", [.key(.up)]),
    (
      "\r\n\t\u{7F}\u{8}",
      [.key(.enter), .key(.enter), .key(.tab), .key(.backspace), .key(.backspace)]
    ),
    ("\u{3}\u{1A}", [.key(.control("c")), .key(.control("z"))]),
    ("\u{1B}[?2026;2$y", [.offersSynchronization]),
    ("\u{1B}[?2026;0$y", []),
    // What a terminal says of itself: sixels are the attribute 4.
    ("\u{1B}[?62;4;22cq", [.offersSixels, .key(.character("q"))]),
    ("\u{1B}[?62;14;40cq", [.key(.character("q"))]),
    ("\u{1B}_Gi=4031;OK\u{1B}\\q", [.offersKittyPictures, .key(.character("q"))]),
    ("\u{1B}_Gi=4031;ENOTSUPPORTED\u{1B}\\q", [.key(.character("q"))]),
    ("\u{1B}]Gi=4031;OK\u{1B}\\q", [.key(.character("q"))]),
    // The mouse: a button, held with Shift, let go, the wheel, the middle button, a movement.
    ("\u{1B}[<0;3;2M", [.mouse(MouseEvent(.press, column: 2, line: 1))]),
    ("\u{1B}[<4;300;200M", [.mouse(MouseEvent(.press, column: 299, line: 199))]),
    ("\u{1B}[<0;3;2m", [.mouse(MouseEvent(.other, column: 2, line: 1))]),
    (
      "\u{1B}[<64;1;1M\u{1B}[<65;1;1M",
      [
        .mouse(MouseEvent(.wheelUp, column: 0, line: 0)),
        .mouse(MouseEvent(.wheelDown, column: 0, line: 0)),
      ]
    ),
    (
      "\u{1B}[<1;1;1M\u{1B}[<32;1;1M",
      Array(repeating: .mouse(MouseEvent(.other, column: 0, line: 0)), count: 2)
    ),
    ("\u{1B}[<0;0;1M\u{1B}[<0;1Mq\u{1B}[<0;99999999999999999999;1M", [.key(.character("q"))]),
    // As old terminals tell it, and the last key of the block of numbers.
    (
      "\u{1B}[M !\"\u{1B}[M#!\"\u{1B}[Maq~",
      [
        .mouse(MouseEvent(.press, column: 0, line: 1)),
        .mouse(MouseEvent(.other, column: 0, line: 1)),
        .mouse(MouseEvent(.wheelDown, column: 80, line: 93)),
      ]
    ),
    ("\u{1B}OM", [.key(.enter)]),
    ("\u{1B}[200~q\nd\u{1B}[A\u{1B}[201~x", [.paste("q\nd\u{1B}[A"), .key(.character("x"))]),
    // What no key stands for is skipped whole.
    ("\u{1B}[99;1Zq", [.key(.character("q"))]),
    ("\u{1B}]11;rgb:0000/0000/0000\u{1B}\\q", [.key(.character("q"))]),
    ("\u{1B}]11;x\u{7}q\u{1B}xq", [.key(.character("q")), .key(.character("q"))]),
    ("\u{1B}\u{1B}[A", [.key(.escape), .key(.up)]),
    // However long it is.
    ("\u{1B}[\(String(repeating: "1;", count: 40))Aq", [.key(.character("q"))]),
    ("\u{1B}]\(String(repeating: "x", count: 4000))\u{1B}\\q", [.key(.character("q"))]),
    ("\u{1B}]x\u{1B}[Aq", [.key(.up), .key(.character("q"))]),
  ]

  @Test(arguments: sequences)
  func `keys are told from their bytes`(text: String, events: [TerminalEvent]) {
    var decoder = KeyDecoder()
    #expect(decoder.decode(text.utf8) == events)
    #expect(!decoder.isWaiting)
  }

  @Test(arguments: sequences)
  func `it does not matter in what pieces they come`(text: String, events: [TerminalEvent]) {
    var decoder = KeyDecoder()
    #expect(text.utf8.flatMap { decoder.decode([$0]) } == events)
  }

  @Test func `a string without an end takes some keys only`() {
    let text = "\u{1B}]" + String(repeating: "x", count: 4097)
    var decoder = KeyDecoder()
    #expect(decoder.decode(text.utf8) == [.key(.character("x"))])
    var other = KeyDecoder()
    #expect(text.utf8.flatMap { other.decode([$0]) } == [.key(.character("x"))])
  }

  @Test func `an ESC that may end a string is no escape key`() {
    var decoder = KeyDecoder()
    #expect(decoder.decode("\u{1B}]x\u{1B}".utf8).isEmpty && !decoder.isWaiting)
    #expect(decoder.decode("\\q".utf8) == [.key(.character("q"))])
  }

  @Test func `an ESC is the escape key once nothing follows it`() {
    var decoder = KeyDecoder()
    #expect(decoder.decode([0x1B]).isEmpty && decoder.isWaiting)
    #expect(decoder.decodeRest() == [.key(.escape)])
    #expect(!decoder.isWaiting && decoder.decodeRest().isEmpty)
    #expect(decoder.decode([0x41]) == [.key(.character("A"))])
  }

  @Test(arguments: ["O", "["])
  func `a key held with Alt that could begin a sequence takes no other key with it`(key: String) {
    var decoder = KeyDecoder()
    #expect(decoder.decode("\u{1B}\(key)".utf8).isEmpty && decoder.isWaiting)
    #expect(decoder.decodeRest().isEmpty && !decoder.isWaiting)
    #expect(decoder.decode("q".utf8) == [.key(.character("q"))])
  }

  @Test func `a sequence that has begun waits for its end`() {
    var decoder = KeyDecoder()
    #expect(decoder.decode("\u{1B}[1".utf8).isEmpty && !decoder.isWaiting)
    #expect(decoder.decodeRest().isEmpty)
    #expect(decoder.decode(";2B".utf8) == [.key(.down)])
  }

  @Test(arguments: [
    [0xC3, 0x41], [0xFF, 0x41], [0xE2, 0x82, 0x41], [0x80, 0x41], [0xC0, 0x80, 0x41],
  ])
  func `bytes that are no text are skipped`(bytes: [UInt8]) {
    var decoder = KeyDecoder()
    #expect(decoder.decode(bytes) == [.key(.character("A"))])
  }

  @Test func `a paste without an end takes a bounded room`() {
    var decoder = KeyDecoder()
    _ = decoder.decode("\u{1B}[200~".utf8)
    for _ in 0..<100 { #expect(decoder.decode(Array(repeating: 0x61, count: 4096)).isEmpty) }
    #expect(decoder.decode("\u{1B}[201~".utf8) == [.paste(String(repeating: "a", count: 1 << 16))])
  }

  @Test func `no bytes bring it out of step for good`() {
    var generator = SeededGenerator()
    let pieces = Self.sequences.map { Array($0.0.utf8) }
    for _ in 0..<2000 {
      var decoder = KeyDecoder()
      for _ in 0..<generator.below(6) {
        var bytes = generator.element(of: pieces)
        if generator.chance(0.5) { bytes = Array(bytes.prefix(generator.below(bytes.count + 1))) }
        if generator.chance(0.3) { bytes.append(UInt8.random(in: 0...255, using: &generator)) }
        _ = decoder.decode(bytes)
      }
      // Ends whatever may be open: a paste, a string, a sequence, the place of the mouse.
      _ = decoder.decode("\u{1B}[201~\u{1B}\\~~~".utf8)
      _ = decoder.decodeRest()
      #expect(decoder.decode("q".utf8) == [.key(.character("q"))])
    }
  }
}
