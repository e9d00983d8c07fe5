import Foundation
import SnippetLoading
import SnippetMedia
import SnippetStorage
import SnippetTestSupport
import Testing

@testable import TerminalKit
@testable import SnipBrowser

/// Pictures and waveforms in the rows of the browser.
@Suite(
  .enabled(if: TerminalAbilities.libraryVersion != nil),
  .temporaryDirectory,
  .timeLimit(.minutes(30))
)
@MainActor
struct BrowsePictureTests {
  private let store: SnippetStore
  private let fixture: BrowseFixture

  init() throws {
    store = try TemporaryStore.open()
    let media = WorkerMedia(.init(executable: SnipTool.executable, arguments: ["decode-media"]))
    fixture = BrowseFixture(
      store,
      size: ScreenSize(columns: 60, lines: 11),
      drawing: RowPictures(media: media, colors: .sixteen)
    )
  }

  private static let halves = Pixels.halves(Pixels.red, Pixels.green, width: 40, height: 32)

  private func save(_ bytes: Data, title: String = "It") async throws -> SnippetRow {
    let row = try await store.save(
      SnippetDraft(.bytes(bytes), title: title, createdAt: Samples.date)
    )
    fixture.list.refresh()
    return row
  }

  private let red = FrameStyle(background: .palette(9))
  private let green = FrameStyle(background: .palette(10))

  @Test func `a row shows its picture, and before it a box of the same size`() async throws {
    _ = try await save(Self.halves.opaquePNG)

    try await fixture.run("dump", "wait", "dump")

    #expect(
      fixture.frames.all[0].lines[2...4].map { $0.text.prefix(12) } == [
        "▌ ┌────────┐", "▌ │  PNG   │", "▌ └───────…┘",
      ]
    )
    let shown = fixture.frames.all[1].lines[2...4]
    for line in shown {
      #expect(Array(line.pieces[2...3].map(\.style)) == [red, green], "\(line)")
      #expect(line.pieces[2...3].map(\.text) == ["    ", "    "], "\(line)")
    }
    #expect(shown.map(\.text.displayWidth).allSatisfy { $0 <= 60 })
    #expect(shown.first?.text.contains("It") == true)
    #expect(shown.dropFirst().first?.text.contains("40×32 pixels") == true)
  }

  @Test func `a high picture stands in the middle of its box`() async throws {
    let picture = Pixels(width: 16, height: 64) { _, _ in Pixels.red }
    _ = try await save(picture.opaquePNG)

    try await fixture.run("wait", "dump")

    for line in fixture.frame.lines[2...4] {
      #expect(line.pieces[2] == FrameLine.Piece(text: "  ", style: red), "\(line)")
      #expect(line.pieces[1].text.displayWidth == 5 && line.pieces[3].text.hasPrefix("    "))
    }
  }

  @Test func `a recording shows its waveform`() async throws {
    _ = try await save(Samples.wav(frameCount: 8_000))

    try await fixture.run("wait", "dump")

    let pieces = fixture.frame.lines[2...4].map { $0.pieces[2] }
    #expect(pieces.allSatisfy { $0.style == .waveform(.sixteen) }, "\(pieces)")
    #expect(pieces.allSatisfy { $0.text.displayWidth == 10 }, "\(pieces)")
  }

  @Test func `what was made is kept in the store`() async throws {
    let picture = try await save(Self.halves.opaquePNG)
    let sound = try await save(Samples.wav(frameCount: 8_000))

    try await fixture.run("wait")

    let pictureID = try #require(picture.blobID)
    let soundID = try #require(sound.blobID)
    #expect(try await store.derivative(of: pictureID, by: .encodedThumbnail()) != nil)
    #expect(try await store.derivative(of: soundID, by: .encodedWaveform()) != nil)
  }

  @Test func `what is damaged, or has no decoder, shows a sign and why`() async throws {
    _ = try await save(try SampleFiles.demo("balloon-over-meadow.webp").prefix(500))
    _ = try await save(UndecodedRecording.wav)

    try await fixture.run("wait", "dump")

    let text = fixture.frame.text
    #expect(text.components(separatedBy: "└───────!┘").count == 3, "\(text)")
    #expect(text.contains("there is no decoder"), "\(text)")
  }

  @Test func `a picture that claims to be enormous shows a sign`() async throws {
    var bytes = Self.halves.opaquePNG
    // The width and the height in the header, as 2³⁰ each, and the header's checksum.
    let header: [UInt8] = [0x40, 0, 0, 0, 0x40, 0, 0, 0, 8, 2, 0, 0, 0]
    bytes.replaceSubrange(8..<33, with: Pixels.chunk("IHDR", header))
    _ = try await save(bytes)

    try await fixture.run("wait", "dump")

    #expect(fixture.frame.text.contains("└───────!┘"), "\(fixture.frame.text)")
  }

  @Test func `drawing is done when a picture is loaded, not for each frame`() async throws {
    for number in 0..<30 {
      let tone = UInt8(number * 8)
      let picture = Pixels(width: 20, height: 20) { x, _ in [tone, UInt8(x), 0, 255] }
      _ = try await save(picture.opaquePNG, title: "Note \(number)")
    }
    try await fixture.run("wait", "G", "wait", "g", "wait")
    let loads = fixture.list.source.loader.counters.loadsStarted

    // No wait: what was seen before is there in the same frame.
    try await fixture.run("down", "G", "dump", "g", "dump")

    #expect(fixture.list.source.loader.counters.loadsStarted == loads)
    for frame in fixture.frames.all { #expect(!frame.text.contains("┌"), "\(frame.text)") }
  }
}
