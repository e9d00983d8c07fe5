import Foundation
import SnipBrowser
import SnippetMedia
import SnippetStorage
import SnippetTestSupport
import TerminalKit
import Testing

/// Pictures and waveforms below what `snip show` tells.
///
/// With `SNIP_LONG_TESTS` set in every orientation; otherwise in some, which the seed draws.
@Suite(
  .enabled(if: TerminalAbilities.libraryVersion != nil),
  .temporaryDirectory,
  .seeded,
  .timeLimit(.minutes(30))
)
struct ShowPictureTests {
  let snip: SnipTool

  init() throws {
    snip = try SnipTool()
  }

  /// Saves one snippet, and returns what is shown of it below its facts.
  private func shown(
    _ bytes: Data,
    _ variables: [String: String] = [:],
    on columns: Int? = nil,
    _ options: String...
  ) async throws -> [String] {
    let store = try TemporaryStore.open()
    let id = try await store.save(SnippetDraft(.bytes(bytes), title: "It")).id
    try await store.close()
    let snip = snip.with(variables.mapValues(Optional.some))
    let arguments = ["show", "\(id)"] + options

    let output =
      if let columns {
        try await snip.onTerminal(columns: columns, arguments)
      } else {
        try await snip.run(arguments)
      }

    #expect(output.status == 0 && output.standardError.isEmpty, "\(output)")
    #expect(output.lines.suffix(2) == ["", "Its bytes: snip cat \(id) -o FILE"], "\(output)")
    return Array(output.lines.dropLast(2).drop { !$0.isEmpty }.dropFirst())
  }

  private let halves = Pixels.halves(Pixels.red, Pixels.green, width: 40, height: 20)

  @Test func `a picture is drawn in the colours of the terminal`() async throws {
    let lines = try await shown(halves.opaquePNG, ["TERM": "linux"], on: 80)

    let half = String(repeating: " ", count: 20)
    let line = "\u{1B}[101m\(half)\u{1B}[102m\(half)\u{1B}[0m"
    #expect(lines == Array(repeating: line, count: 10))
  }

  @Test func `it fits the width`() async throws {
    let lines = try await shown(halves.opaquePNG, ["TERM": "linux"], on: 20)

    let line = "\u{1B}[101m          \u{1B}[102m          \u{1B}[0m"
    #expect(lines == Array(repeating: line, count: 5))
  }

  private static let orientations = {
    var generator = SeededGenerator()
    return Array(1...8).share(3, using: &generator)
  }()

  @Test(arguments: orientations)
  func `it is shown the right way up`(orientation: Int) async throws {
    // Red to the left, of that the upper half white.
    let picture = Pixels(width: 40, height: 40) { x, y in
      x >= 20 ? Pixels.green : y < 20 ? Pixels.white : Pixels.red
    }
    let request = ThumbnailRequest(maximumPixelSize: 40, isEncoded: true)
    let input = MediaInput(picture.opaquePNG)
    let jpeg = try LibraryMedia().thumbnail(of: input, as: request) { false }
    let turned = EXIFSegment.added(to: jpeg.bytes, orientation: orientation)

    let lines = try await shown(turned, ["TERM": "linux"], on: 40)

    let expected = picture.displayed(orientation: orientation)
    let names = [Pixels.white: "107", Pixels.red: "101", Pixels.green: "102"]
    let corners = try [(5, 5), (35, 5), (5, 35), (35, 35)].map { x, y in
      try #require(names[expected[x, y]])
    }
    let grounds = try [lines.first, lines.last].flatMap { line in
      try #require(line).matches(of: /\x1B\[[0-9;]*?(\d+)m/).map { String($0.output.1) }
        .filter { $0 != "0" }
    }
    #expect(grounds.first == corners[0] && grounds.last == corners[3], "\(lines)")
    #expect(Set(grounds).isSuperset(of: corners), "\(lines)")
  }

  @Test func `a recording is drawn with its time below`() async throws {
    let lines = try await shown(Samples.wav(frameCount: 16_000), ["NO_COLOR": "1"], on: 40)

    #expect(lines.count == 7 && lines.allSatisfy { $0.displayWidth == 40 }, "\(lines)")
    #expect(lines.last?.hasPrefix("0:00 ") == true && lines.last?.hasSuffix(" 0:02") == true)
    let scalars = lines.dropLast().joined().unicodeScalars
    #expect(scalars.contains { (0x2801...0x28FF).contains($0.value) }, "\(lines)")
  }

  @Test(arguments: [["TERM": "dumb"], ["TERM": ""]])
  func `nothing is drawn on a terminal that cannot`(variables: [String: String]) async throws {
    #expect(try await shown(halves.opaquePNG, variables, on: 80).isEmpty)
  }

  @Test func `nothing is drawn in a pipe, unless it is asked for`() async throws {
    #expect(try await shown(halves.opaquePNG).isEmpty)
    #expect(try await shown(halves.opaquePNG, [:], on: 80, "--pixels", "none").isEmpty)

    let symbols = try await shown(halves.opaquePNG, ["TERM": "xterm"], "--pixels", "symbols")
    #expect(symbols.count == 10 && !symbols.joined().contains("\u{1B}"), "\(symbols)")
  }

  @Test func `without colours no sequence is written`() async throws {
    let lines = try await shown(halves.opaquePNG, ["NO_COLOR": "1"], on: 80)

    #expect(lines.count == 10 && !lines.joined().contains("\u{1B}"), "\(lines)")
  }

  @Test(arguments: [("kitty", "\u{1B}_G"), ("sixel", "\u{1B}P")])
  func `pixels end with their sequence and a line`(name: String, start: String) async throws {
    let lines = try await shown(halves.opaquePNG, [:], "--pixels", name)

    #expect(lines.count == 1 && lines[0].hasPrefix(start) && lines[0].hasSuffix("\u{1B}\\"))
  }

  @Test func `a damaged picture costs one line`() async throws {
    let half = try SampleFiles.demo("balloon-over-meadow.webp").prefix(500)

    let lines = try await shown(half, on: 80)

    #expect(lines.count == 1 && lines[0].hasPrefix("Not drawn: its bytes are not valid WebP"))
  }

  @Test func `a picture that is cut short, and a text with irregular bytes, are named so`()
    async throws
  {
    let store = try TemporaryStore.open()
    let picture = try SampleFiles.demo("mountain-lake.jpg")
    try await store.save(SnippetDraft(.bytes(picture.dropLast(2))))
    try await store.save(SnippetDraft(.bytes(Data("né à l’été ".utf8) + [0xFF])))
    try await store.save(SnippetDraft(.bytes(picture)))
    try await store.close()

    let cut = try await snip("show", "1", "--pixels", "none")
    let text = try await snip("show", "2")
    let whole = try await snip("show", "3", "--pixels", "none")

    #expect(cut.text.contains("cut short: its end is missing"), "\(cut)")
    #expect(text.text.contains("irregular: some bytes are no characters"), "\(text)")
    #expect(!whole.text.contains("cut short"), "\(whole)")
    let list = try await snip("list", "--json").json("irregular")
    #expect(list.compactMap { $0 } == [true, true])
    let rows = try await snip("list")
    #expect(rows.text.contains(", cut short") && rows.text.contains("irregular"), "\(rows)")
    #expect(try await snip("check").text.contains("note: the content of 2 snippets was irregular"))
    #expect(try await snip("check", "--json").json().first?["notes"]?.shape == "[string]")
  }

  @Test func `what has no decoder says what is missing`() async throws {
    let recording = try await shown(UndecodedRecording.wav, on: 80)
    // A BMP whose header says that it is coded as for print.
    var bitmap = try SampleFiles.demo("potted-cactus.bmp")
    bitmap[30] = 12
    let picture = try await shown(bitmap, on: 80)

    let start = "Not drawn: there is no decoder for"
    #expect(recording.count == 1 && picture.count == 1, "\(recording) \(picture)")
    #expect(recording.first?.hasPrefix("\(start) WAV here; its coding is one that") == true)
    #expect(picture.first?.hasPrefix("\(start) BMP here; its coding is one that") == true)
  }

  @Test func `JSON is as it was`() async throws {
    let store = try TemporaryStore.open()
    try await store.save(SnippetDraft(.bytes(halves.opaquePNG)))
    try await store.close()

    let drawn = try await snip("show", "1", "--json", "--pixels", "symbols")

    #expect(drawn == (try await snip("show", "1", "--json")))
    #expect(try drawn.json().count == 1)
  }
}
