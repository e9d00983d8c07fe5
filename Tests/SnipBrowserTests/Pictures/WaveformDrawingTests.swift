import SnippetMedia
import TerminalKit
import Testing

@testable import SnipBrowser

/// What is drawn of peaks that are known.
struct WaveformDrawingTests {
  private func waveform(_ peaks: (Int8, Int8)...) -> Waveform {
    Waveform(
      peaks: peaks.map { Waveform.Peak(lowest: $0.0, highest: $0.1) },
      frameCount: 8_000,
      sampleRate: 8_000,
      channelCount: 1
    )
  }

  private func text(_ waveform: Waveform, columns: Int, lines: Int) -> [String]? {
    waveform.lines(BoxSize(columns: columns, lines: lines))?.map(\.text)
  }

  @Test func `silence is a line`() {
    #expect(text(waveform((0, 0)), columns: 3, lines: 2) == ["   ", "⠉⠉⠉"])
  }

  @Test func `what is loud fills the height, and a half of it a half`() {
    let drawn = text(waveform((-127, 127), (-127, 127), (0, 0), (0, 127)), columns: 2, lines: 2)

    #expect(drawn == ["⣿⢸", "⣿⠉"])
  }

  @Test func `a quiet recording is drawn louder, up to four times`() {
    let loud = text(waveform((-127, 127), (0, 0)), columns: 1, lines: 2)

    #expect(text(waveform((-32, 32), (0, 0)), columns: 1, lines: 2) == loud)
    // Noise that nobody hears stays small.
    #expect(text(waveform((-1, 1)), columns: 1, lines: 2) == ["⣀", "⠉"])
  }

  @Test func `several peaks share a column of dots, and none is lost`() {
    var peaks = [(Int8, Int8)](repeating: (0, 0), count: 100)
    peaks[57] = (-127, 127)
    let click = Waveform(
      peaks: peaks.map { Waveform.Peak(lowest: $0.0, highest: $0.1) },
      frameCount: 100,
      sampleRate: 100,
      channelCount: 1
    )

    let drawn = text(click, columns: 10, lines: 1)

    #expect(drawn == ["⠤⠤⠤⠤⠤⢼⠤⠤⠤⠤"])
  }

  @Test func `fewer peaks than dots are as wide as the rest`() {
    let drawn = text(waveform((-127, 127), (0, 0)), columns: 4, lines: 1)

    #expect(drawn == ["⣿⣿⠤⠤"])
  }

  @Test func `nothing to draw, or nowhere to, draws nothing`() {
    #expect(text(waveform(), columns: 4, lines: 1) == nil)
    #expect(text(waveform((0, 0)), columns: 0, lines: 1) == nil)
    #expect(text(waveform((0, 0)), columns: 1, lines: 0) == nil)
  }

  @Test func `peaks that make no sense are drawn all the same`() {
    for peak in [(127, -127), (-128, -128), (127, 127)] as [(Int8, Int8)] {
      #expect(text(waveform(peak), columns: 2, lines: 2)?.count == 2)
    }
  }
}
