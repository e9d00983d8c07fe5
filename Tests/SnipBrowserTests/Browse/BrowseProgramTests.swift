import Foundation
import SnippetStorage
import SnippetTestSupport
import TerminalKit
import Testing

@testable import SnipBrowser

/// The user's viewers and players, and the clipboard of the terminal.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
@MainActor
struct BrowseProgramTests {
  private let store: SnippetStore
  private let programs = ScriptedPrograms()
  private let fixture: BrowseFixture

  init() async throws {
    store = try TemporaryStore.open()
    try await store.save(
      SnippetDraft(.text("first\nsecond"), title: "Note", createdAt: Samples.date)
    )
    fixture = BrowseFixture(
      store,
      size: ScreenSize(columns: 80, lines: 16),
      programs: programs
    )
  }

  private let note = SnippetID(rawValue: 1)
  private var status: String { fixture.frame.lines.last?.text ?? "" }

  @Test func `without a terminal no program is started`() async throws {
    let plain = BrowseFixture(store)
    for key in ["e", "o"] {
      try await plain.run(key, "wait")
      #expect(plain.frame.lines.last?.text.contains("from a terminal") == true)
    }
  }

  // MARK: - Opening and playing

  @Test func `a copy is opened, named for the snippet and its type, and once only`() async throws {
    let bytes = Samples.wav(frameCount: 800)
    try await store.save(SnippetDraft(.bytes(bytes), title: "../a\u{1B}[2J b"))
    fixture.list.refresh()

    try await fixture.run("g", "wait", "o", "wait", "o", "wait")

    let files = programs.files
    #expect(files.count == 2 && files[0] == files[1])
    let file = try #require(files.first)
    #expect(file.lastPathComponent == "2 .. a [2J b.wav", "\(file)")
    #expect(try Data(contentsOf: file) == bytes)
    let rights = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions]
    #expect((rights as? NSNumber)?.intValue == 0o600)
    fixture.run.screen.close()
    // A program that was just started may not have read it.
    #expect(FileManager.default.fileExists(atPath: file.path))
    var folder = file
    while !folder.lastPathComponent.hasPrefix("snip-browse-") { folder.deleteLastPathComponent() }
    try FileManager.default.removeItem(at: folder)
  }

  @Test func `why nothing was opened is told`() async throws {
    programs.openError = OtherProgramError(message: "there is no xdg-open")
    try await fixture.run("o", "wait")
    #expect(status.contains("there is no xdg-open"), "\(status)")
  }

  @Test func `a recording is played until it ends, or space stops it`() async throws {
    try await store.save(SnippetDraft(.bytes(Samples.wav(frameCount: 800)), title: "Memo"))
    fixture.list.refresh()

    try await fixture.run("g", "space", "wait")
    #expect(status == " Playing Memo  space stops it.")
    let first = try #require(programs.players.first)
    try await fixture.run("down", "space")
    #expect(first.isStopped && status.hasPrefix(" ? help"), "\(status)")
    try await fixture.run("space")
    #expect(status.hasPrefix(" Only recordings"), "\(status)")

    try await fixture.run("g", "space", "wait")
    #expect(programs.players.count == 2 && status.contains("Playing Memo"))
    programs.players[1].end(with: 0)
    try await fixture.wait { $0.lines[15].text.hasPrefix(" ? help") }

    try await fixture.run("space", "wait")
    programs.players[2].end(with: 3)
    try await fixture.wait { $0.text.contains("The player ended with status 3.") }
  }

  @Test func `an opened recording tells whether space plays or stops it`() async throws {
    try await store.save(SnippetDraft(.bytes(Samples.wav(frameCount: 800)), title: "Memo"))
    fixture.list.refresh()

    try await fixture.run("g", "wait", "enter", "wait")
    #expect(status.contains("  space play  ") && !status.contains("stop"), "\(status)")
    try await fixture.run("space", "wait")
    #expect(status.contains("  space stop  ") && !status.contains("play"), "\(status)")
    programs.players[0].end(with: 0)
    try await fixture.wait { $0.lines.last?.text.contains("  space play  ") == true }
    // Another one is not the one that plays.
    try await fixture.run("space", "wait", "q", "down", "enter", "wait")
    #expect(!status.contains("space"), "\(status)")
  }

  @Test func `a recording that is pressed twice at once is not played`() async throws {
    try await store.save(SnippetDraft(.bytes(Samples.wav(frameCount: 800)), title: "Memo"))
    fixture.list.refresh()

    try await fixture.run("g", "wait", "space", "space", "wait")

    #expect(programs.players.isEmpty && status.hasPrefix(" ? help"), "\(status)")
    try await fixture.run("space", "space", "space", "wait")
    #expect(programs.players.count == 1 && status.contains("Playing Memo"), "\(status)")
  }

  @Test func `of two recordings that are started at once, the last is played`() async throws {
    for (count, title) in [(800, "First"), (900, "Second")] {
      try await store.save(SnippetDraft(.bytes(Samples.wav(frameCount: count)), title: title))
    }
    fixture.list.refresh()

    try await fixture.run("g", "wait", "space", "down", "space", "wait")

    #expect(programs.players.count == 1 && status.contains("Playing First"), "\(status)")
  }

  @Test func `a recording that is still copied when the browser ends is not played`() async throws {
    try await store.save(SnippetDraft(.bytes(Samples.wav(frameCount: 800)), title: "Memo"))
    fixture.list.refresh()
    try await fixture.run("g", "wait", "space")

    fixture.run.screen.close()
    try await fixture.run("wait")

    #expect(programs.players.isEmpty)
  }

  @Test func `a snippet that is opened twice at once is copied once`() async throws {
    try await fixture.run("o", "o", "o", "wait")

    let files = programs.files
    #expect(files.count == 3 && Set(files).count == 1, "\(files) \(status)")
    #expect(try Data(contentsOf: #require(files.first)) == Data("first\nsecond".utf8))
  }

  @Test func `a recording stops with the browser`() async throws {
    try await store.save(SnippetDraft(.bytes(Samples.wav(frameCount: 800)), title: "Memo"))
    fixture.list.refresh()
    try await fixture.run("g", "space", "wait")

    fixture.run.screen.close()

    #expect(programs.players.first?.isStopped == true)
  }

  // MARK: - Copying

  @Test func `a text is copied whole, by what a terminal takes for its clipboard`() async throws {
    try await store.apply(SnippetEdit(text: "ESC \u{1B}]0;x\u{7} ü"), to: note)
    fixture.list.refresh()

    try await fixture.run("y", "wait")

    let code = Data("ESC \u{1B}]0;x\u{7} ü".utf8).base64EncodedString()
    let bytes = fixture.run.screen.clipboard.takeOutgoing()
    #expect(String(decoding: bytes, as: UTF8.self) == "\u{1B}]52;c;\(code)\u{1B}\\")
    #expect(
      status.hasPrefix(" Copied the text") && fixture.run.screen.clipboard.takeOutgoing().isEmpty
    )
  }

  @Test func `of anything else the title or the number is copied`() async throws {
    for title in ["Picture", ""] {
      try await store.save(
        Samples.image(Samples.bytes(100, seed: UInt64(title.count)), title: title)
      )
    }
    fixture.list.refresh()
    var copied: [String] = []
    for key in ["g", "down"] {
      try await fixture.run(key, "wait", "y", "wait")
      let text = String(decoding: fixture.run.screen.clipboard.takeOutgoing(), as: UTF8.self)
      let code = text.dropFirst("\u{1B}]52;c;".count).dropLast(2)
      copied.append(
        Data(base64Encoded: String(code)).map { String(decoding: $0, as: UTF8.self) } ?? ""
      )
    }
    #expect(copied == ["3", "Picture"])
  }

  @Test func `what is too long for a terminal is not copied`() async throws {
    try await store.apply(SnippetEdit(text: String(repeating: "x", count: 74_001)), to: note)
    fixture.list.refresh()
    try await fixture.run("y", "wait")
    #expect(
      status.contains("Too long") && fixture.run.screen.clipboard.takeOutgoing().isEmpty,
      "\(status)"
    )
  }
}
