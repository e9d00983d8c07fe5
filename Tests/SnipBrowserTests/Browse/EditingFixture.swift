import Foundation
import SnipCore
import SnippetBase
import SnippetStorage
import SnippetTestSupport
import SnippetTesting
import TerminalKit

@testable import SnipBrowser

/// A browser over one text, its user's editor, and another program that writes to the same store.
@MainActor
struct EditingFixture {
  let store: SnippetStore
  let others: SnippetStore
  let programs = ScriptedPrograms()
  let browse: BrowseFixture
  let note = SnippetID(rawValue: 1)

  init() async throws {
    store = try TemporaryStore.open { $0.busyTimeout = .zero }
    others = try TemporaryStore.open()
    try await store.save(
      SnippetDraft(.text("first\nsecond"), title: "Note", createdAt: Samples.date)
    )
    browse = BrowseFixture(
      store,
      size: ScreenSize(columns: 80, lines: 24),
      programs: programs
    )
  }

  var screen: BrowseScreen { browse.run.screen }
  var shown: String { browse.frame.openedText }
  /// Whether the screen has some words, wherever they are wrapped.
  func shows(_ words: String) -> Bool {
    func solid(_ text: String) -> String { text.filter { !$0.isWhitespace } }
    return solid(shown).contains(solid(words))
  }

  var status: String { browse.frame.lines.last?.text ?? "" }

  func run(_ lines: String...) async throws {
    try await browse.run.run(
      BrowseScript(lines.joined(separator: "\n")),
      interrupts: Interrupts()
    )
  }

  /// Edits the text: the editor writes, after something else has happened.
  func edit(
    into text: String,
    status: Int32 = 0,
    after work: @escaping @Sendable (SnippetStore) async throws -> Void = { _ in }
  ) async throws {
    let others = others
    programs.editing = { file in
      try Self.wait(for: others, work)
      try Data(text.utf8).write(to: file)
      return status
    }
    try await run("e", "wait")
  }

  private nonisolated static func wait(
    for others: SnippetStore,
    _ work: @escaping @Sendable (SnippetStore) async throws -> Void
  ) throws {
    let (done, failure) = (Gate(), Lock<(any Error)?>(nil))
    Task {
      do { try await work(others) } catch { failure.withLock { $0 = error } }
      done.open()
    }
    done.blockUntilOpen()
    if let error = failure.withLock({ $0 }) { throw error }
  }

  /// All texts, also those in the trash, in the order of their snippets.
  func texts() async throws -> [String] {
    var texts: [String] = []
    for number in 1...3 {
      let id = SnippetID(rawValue: Int64(number))
      if try others.row(id) != nil { texts.append(try await others.text(of: id)) }
    }
    return texts
  }

  /// The names beside the store, without its own.
  var files: [String] {
    let names = try? FileManager.default.contentsOfDirectory(
      atPath: TemporaryDirectory.current.url.path
    )
    return (names ?? []).filter { $0.contains("-edit-") || $0.contains("-unsaved-") }.sorted()
  }

  /// A browser that is started after this one has ended.
  func next() -> BrowseFixture {
    let next = BrowseFixture(others, size: ScreenSize(columns: 80, lines: 24), programs: programs)
    next.run.screen.kept.offer()
    return next
  }
}
