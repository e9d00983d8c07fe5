import Foundation
import SnippetExchange
import SnippetStorage
import SnippetTestSupport
import TerminalKit
import Testing

@testable import SnipBrowser

/// Help and the line of keys, which tell what keys do where they are shown.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
@MainActor
struct KeyHelpTests {
  // MARK: - Tables

  @Test(arguments: ListPlace.all)
  func `help of a list has each of its keys, and each of them works`(place: ListPlace) {
    let help = KeyMap.help(in: place).text.split(separator: "\n")
    let here = KeyMap.bindings.filter { $0.isHere(place) }
    for (binding, line) in zip(here, help) {
      #expect(line.hasPrefix(binding.keys.map(\.name).joined(separator: " ") + " "))
      #expect(line.hasSuffix("  " + binding.explanation))
      for key in binding.keys { #expect(KeyMap.action(for: key, in: place) == binding.action) }
    }
    let listed = Set(here.flatMap(\.keys))
    for key in KeyMap.bindings.flatMap(\.keys) where !listed.contains(key) {
      #expect(KeyMap.action(for: key, in: place) == nil)
    }
  }

  private nonisolated static let openedPlaces: [OpenedPlace] = [
    OpenedPlace(kind: .text, isPage: true),
    OpenedPlace(kind: .text, isPage: true, hasMatches: true),
    OpenedPlace(kind: .text, isPage: true, isInTrash: true),
    OpenedPlace(kind: .voice, isPage: true, showsFacts: true, isPlaying: true),
    OpenedPlace(kind: .voice), OpenedPlace(kind: .image),
    OpenedPlace(kind: .image, isPage: true, hasFailed: true), OpenedPlace(isPage: true),
  ]

  @Test(arguments: openedPlaces)
  func `help of what is opened has each of its keys, and each of them works`(
    place: OpenedPlace
  ) async throws {
    let store = try TemporaryStore.open()
    let row = try await store.save(
      place.kind == .voice
        ? SnippetDraft(.bytes(Samples.wav(frameCount: 800))) : SnippetDraft(.text("text"))
    )
    let help = KeyMap.help(in: place).text.split(separator: "\n")
    let here = KeyMap.openedBindings.filter { $0.isHere(place) }
    for (binding, line) in zip(here, help) {
      #expect(line.hasPrefix(binding.keys.map(\.name).joined(separator: " ") + " "))
      for key in binding.keys {
        var pager = Pager(title: "", text: "", row: place.kind == nil ? nil : row)
        #expect(pager.move(by: key, in: .usual) == (binding.action == .page) || !place.isPage)
        if binding.action != .page { #expect(KeyMap.openedAction(for: key) == binding.action) }
      }
    }
    // No key has two meanings.
    #expect(Set(here.flatMap(\.keys)).count == here.flatMap(\.keys).count)
  }

  @Test(arguments: [
    (
      OpenedPlace(kind: .text, isPage: true), 80,
      "←/→ next  i facts  o open  e edit  y copy  ? help  q back"
    ),
    (OpenedPlace(kind: .text, isPage: true), 30, "←/→ next  i facts  q back"),
    (OpenedPlace(kind: .text, isPage: true), 0, "q back"),
    (
      OpenedPlace(kind: .image), 80,
      "←/→ next  i facts  o open  e edit note  y copy  ? help  q back"
    ),
    (
      OpenedPlace(kind: .image, isInTrash: true), 60,
      "←/→ next  i facts  o open  y copy  ? help  q back"
    ),
    (OpenedPlace(kind: .voice), 30, "space play  ←/→ next  q back"),
    (OpenedPlace(kind: .voice, isPlaying: true), 0, "space stop  q back"),
    (OpenedPlace(kind: .image, isPage: true, hasFailed: true), 0, "R try again  q back"),
    (OpenedPlace(isPage: true), 80, "q back"),
  ])
  func `as many keys are named as fit, the most important ones anyway`(
    place: OpenedPlace,
    columns: Int,
    hints: String
  ) {
    #expect(KeyMap.hints(in: place, columns: columns) == hints)
  }

  // MARK: - On the screen

  @Test func `help tells the keys of the mode that it is called in, and leads back there`()
    async throws
  {
    let store = try TemporaryStore.open()
    let text = (0..<60).map { "line \($0)" }.joined(separator: "\n")
    try await store.save(SnippetDraft(.text(text), title: "Note"))
    let fixture = BrowseFixture(store, size: ScreenSize(columns: 80, lines: 24))
    var status: String { fixture.frame.lines.last?.text ?? "" }

    try await fixture.run("wait", "?")
    #expect(status.hasPrefix(" Keys in the list ") && !fixture.frame.text.contains("to the left"))
    try await fixture.run("?", "v", "?")
    #expect(status.hasPrefix(" Keys in the gallery ") && fixture.frame.text.contains("to the left"))
    try await fixture.run("q", "v", "T", "?")
    #expect(status.hasPrefix(" Keys in the trash "))
    try await fixture.run("esc", "T", "wait", "enter", "wait", "pagedown", "wait")
    let opened = fixture.frame
    try await fixture.run("?")
    #expect(status.hasPrefix(" Keys in an opened text "), "\(status)")
    for key in ["?", "q", "esc"] {
      if key != "?" { try await fixture.run("?") }
      try await fixture.run(key, "wait")
      #expect(fixture.frame == opened, "\(fixture.frame.text)")
    }
    try await fixture.run("q")
    #expect(status.hasPrefix(" ? help"))
  }

  @Test func `i shows the facts, and the text again`() async throws {
    let store = try TemporaryStore.open()
    try await store.save(SnippetDraft(.text("the text"), title: "Note"))
    let fixture = BrowseFixture(store, size: ScreenSize(columns: 80, lines: 24))

    try await fixture.run("wait", "enter", "wait", "i", "wait")
    #expect(fixture.frame.openedText.hasPrefix("\nNote\n\nkind     text\n"))
    try await fixture.run("i", "wait")
    #expect(fixture.openedLines.first == "the text", "\(fixture.frame.text)")
  }

  @Test func `the facts name the files that a snippet came from`() async throws {
    let file = TemporaryDirectory.file("Shop.md")
    try Data("Milk".utf8).write(to: file)
    let store = try TemporaryStore.open()
    try await store.importFiles(at: [file])
    let fixture = BrowseFixture(store, size: ScreenSize(columns: 200, lines: 24))

    try await fixture.run("wait", "enter", "wait", "i", "wait")

    #expect(fixture.frame.openedText.contains("/Shop.md\n"), "\(fixture.frame.text)")
  }

  @Test func `what is opened follows the store while help covers it`() async throws {
    let store = try TemporaryStore.open()
    let row = try await store.save(SnippetDraft(.text("the text"), title: "Note"))
    let fixture = BrowseFixture(store, size: ScreenSize(columns: 80, lines: 24))
    try await fixture.run("wait", "enter", "wait", "?", "wait")

    try await store.apply(SnippetEdit(text: "another"), to: row.id)
    try await fixture.run("resize 60x20", "wait", "?")
    try await fixture.wait { $0.openedText.contains("another") }
  }
}
