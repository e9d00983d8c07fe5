import Foundation
import SnipBrowser
import SnippetStorage
import SnippetTestSupport
import TerminalKit
import Testing

/// Pictures and waveforms over the whole screen.
@Suite(
  .enabled(if: TerminalAbilities.libraryVersion != nil),
  .temporaryDirectory,
  .timeLimit(.minutes(30))
)
struct BrowseOpeningTests {
  let snip: SnipTool

  init() throws {
    snip = try SnipTool()
  }

  private func save(_ bytes: Data, title: String) async throws {
    let store = try TemporaryStore.open()
    try await store.save(
      SnippetDraft(.bytes(bytes), title: title, tags: ["x"], createdAt: Samples.date)
    )
    try await store.close()
  }

  private static let halves = Pixels.halves(Pixels.black, Pixels.white, width: 40, height: 20)

  @Test func `a picture is opened over the screen, with what is known of it below`() async throws {
    try await save(Self.halves.opaquePNG, title: "Half")

    let output = try await snip.browse(
      "wait; enter; wait; dump; i; wait; dump; q; enter; wait; resize 20x6; wait; dump; esc; dump",
      size: "40x8",
      ["--pixels", "symbols"]
    )

    let size = ByteCountText(Int64(Self.halves.opaquePNG.count))
    let summary = "PNG  40×20  \(size)  #x  2026-01-01 00:00"
    #expect(output.status == 0, "\(output)")
    let frames = output.lines
    #expect(frames.count == 28, "\(output)")
    // Twenty-four cells wide for six lines, of which the right half is light.
    #expect(frames[0..<6].allSatisfy { $0 == frames[0] }, "\(output)")
    #expect(frames[0].hasSuffix(" ⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿⣿"), "\(output)")
    #expect(frames[6].trimmingCharacters(in: .whitespaces) == summary.truncated(toWidth: 40))
    #expect(frames[7] == " Half         ←/→ next  i facts  q back")
    #expect(frames[9].hasPrefix("   Half "), "\(output)")
    #expect(frames[11].hasPrefix("   kind     image"), "\(output)")
    #expect(frames[15].hasPrefix(" Half  1–7 of "), "\(output)")
    #expect(frames[16..<20].allSatisfy { $0.hasSuffix(" ⣿⣿⣿⣿⣿⣿⣿⣿") }, "\(output)")
    #expect(frames[21] == " Ha…  i facts  q back" || frames[21].hasPrefix(" H"), "\(output)")
    #expect(frames[22].hasPrefix("▌ Half"), "\(output)")
  }

  @Test func `a picture that is left before it is drawn is not opened`() async throws {
    try await save(Self.halves.opaquePNG, title: "First")
    try await save(
      Pixels.halves(Pixels.red, Pixels.green, width: 9, height: 9).png,
      title: "Second"
    )

    let output = try await snip.browse(
      "enter; dump; down; wait; dump",
      size: "40x11",
      ["--pixels", "symbols"]
    )

    #expect(output.lines[10] == " Opening Second …" && output.lines.count == 22, "\(output)")
    #expect(output.lines[11].hasPrefix(" store.sqlite ") && output.lines[11].hasSuffix("2/2"))
  }

  @Test func `a recording is opened with its time`() async throws {
    try await save(Samples.wav(frameCount: 16_000), title: "Memo")

    let output = try await snip.browse("enter; wait; dump", size: "50x10", ["--pixels", "symbols"])

    let lines = output.lines
    #expect(lines.count == 10 && lines[7].hasPrefix("0:00 ") && lines[7].hasSuffix(" 0:02"))
    #expect(lines[0..<7].joined().unicodeScalars.contains { (0x2801...0x28FF).contains($0.value) })
    #expect(lines[9] == " Memo       space play  ←/→ next  i facts  q back", "\(output)")
  }

  @Test func `what cannot be drawn shows what is known of it, and why`() async throws {
    try await save(UndecodedRecording.wav, title: "Memo")

    let output = try await snip.browse("enter; wait; dump", size: "70x16", ["--pixels", "symbols"])

    #expect(output.lines[1].hasPrefix("   Memo "), "\(output)")
    #expect(
      output.lines[3].hasPrefix("   Not drawn: there is no decoder for WAV here;"),
      "\(output)"
    )
    #expect(output.text.contains("   kind     voice "), "\(output)")
  }

  @Test func `other pixels than terminals have are refused`() async throws {
    let output = try await snip("browse", "--pixels", "x")

    #expect(output.status == 64 && output.standardError.contains("symbols"), "\(output)")
  }

  /// Starts the browser, answers what it asks, and opens the picture.
  private func open(
    _ options: [String],
    _ variables: [String: String] = [:],
    answer: String = "",
    until text: String
  ) async throws -> TerminalSession {
    try await save(Self.halves.opaquePNG, title: "Half")
    let environment = ["TERM": "xterm-256color"].merging(variables) { $1 }
    let session = try TerminalSession(
      snip.with(environment.mapValues(Optional.some)),
      ["browse"] + options
    )
    try await session.read(until: "Half")
    try session.type(answer + "\r")
    try await session.read(until: text)
    try session.type("q")
    try await session.read(until: "\u{1B}[2J", count: 2)
    try session.type("q")
    #expect(try await session.end().status == 0)
    return session
  }

  private static let question = "\u{1B}_Gi=4031,s=1,v=1,a=q,t=d,f=24;AAAA\u{1B}\\\u{1B}[c"

  @Test func `a terminal that says that it has sixels gets them, and a screen without them after`()
    async throws
  {
    let session = try await open([], answer: "\u{1B}[?62;4c", until: "\u{1B}P")

    #expect(session.text.components(separatedBy: Self.question).count == 2)
    #expect(session.text.contains("q\"1;1;"), "no sixels")
  }

  @Test func `a terminal that has pictures as kitty does gets those, and has them taken away`()
    async throws
  {
    let answer = "\u{1B}[?62;4c\u{1B}_Gi=4031;OK\u{1B}\\"
    let session = try await open([], answer: answer, until: "\u{1B}_Ga=T")
    #expect(session.text.contains("\u{1B}_Ga=d,d=A\u{1B}\\"))
  }

  @Test func `within tmux nothing is asked, and pixels are sent if they are asked for`()
    async throws
  {
    let tmux = ["TERM": "tmux-256color", "TMUX": "/tmp/tmux-0/default,1,0"]
    let session = try await open(["--pixels", "sixel"], tmux, until: "\u{1B}P")
    #expect(!session.text.contains(Self.question))
  }

  @Test func `a terminal with colours gets pictures, and others their facts`() async throws {
    try await save(
      Pixels.halves(Pixels.red, Pixels.green, width: 40, height: 32).opaquePNG,
      title: "Half"
    )
    for (variables, isDrawn) in [
      (["TERM": "linux"], true), (["TERM": "linux", "NO_COLOR": "1"], false),
    ] {
      let tool = snip.with(variables.mapValues(Optional.some))
      let session = try TerminalSession(tool, ["browse"])
      try await session.read(until: isDrawn ? "\u{1B}[101m    \u{1B}[102m    " : "┌────────┐")
      try session.type("q")
      let output = try await session.end()

      #expect(output.status == 0)
      #expect(output.text.contains("\u{1B}[102m") == isDrawn, "\(output)")
    }
  }
}
