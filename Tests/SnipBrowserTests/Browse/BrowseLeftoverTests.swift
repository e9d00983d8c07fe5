import Foundation
import SnippetBase
import SnippetStorage
import SnippetTestSupport
import SnippetTesting
import TerminalKit
import Testing

@testable import SnipBrowser

/// What editors and browsers leave that were killed, and what editors put in the place of a text.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
@MainActor
struct BrowseLeftoverTests {
  private let fixture: EditingFixture

  init() async throws { fixture = try await EditingFixture() }

  /// Makes a copy of the text as a browser does that is killed afterwards, and returns its path.
  private func copy(written text: String?) async throws -> String {
    let original = try await fixture.screen.kept.original(of: fixture.note)
    let store = try #require(fixture.store.url)
    let copy = try EditedCopy(of: original, named: "snippet-1.txt", beside: store)
    if let text { try Data(text.utf8).write(to: URL(fileURLWithPath: copy.path)) }
    return copy.path
  }

  // MARK: - Browsers

  @Test func `a text whose browser was killed is offered by the next, and saved`() async throws {
    _ = try await copy(written: "mine")
    let next = fixture.next()
    try await next.run("wait")

    #expect(next.frame.text.contains("was not saved, and was kept"), "\(next.frame.text)")
    #expect(next.frame.openedText.contains("Your text:\n\nmine"), "\(next.frame.text)")
    // What was kept is safe, however this one ends.
    #expect(fixture.files.count == 1 && fixture.files[0].contains("-unsaved-"))
    try await next.run("m", "wait")
    #expect(try await fixture.texts() == ["mine"] && fixture.files.isEmpty)
    try await next.run("u", "wait")
    #expect(try await fixture.texts() == ["first\nsecond"])
  }

  @Test func `several texts of one snippet are offered one after the other`() async throws {
    _ = try await copy(written: "mine")
    _ = try await copy(written: "another")
    let next = fixture.next()
    try await next.run("wait", "m", "wait", "m", "wait")

    // The second was made from a version that is not in the store any more.
    #expect(next.frame.text.contains("changed elsewhere"), "\(next.frame.text)")
    try await next.run("n", "wait")
    #expect(Set(try await fixture.texts()) == ["mine", "another"] && fixture.files.isEmpty)
  }

  @Test func `a text that was offered and put off is offered again`() async throws {
    _ = try await copy(written: "mine")
    do {
      let next = fixture.next()
      try await next.run("wait", "q", "wait")
      #expect(fixture.files.count == 1)
      next.run.screen.close()
    }
    let later = BrowseFixture(
      fixture.store,
      size: ScreenSize(columns: 80, lines: 24),
      programs: fixture.programs
    )
    later.run.screen.kept.offer()
    try await later.wait { $0.text.contains("Your text:\n\nmine") || $0.text.contains("Note") }
    try await later.run("D", "wait")
    #expect(try await fixture.texts() == ["first\nsecond"])
  }

  // The next letter of the line would answer: D drops a text for good.
  @Test func `a kept text is offered once no line is being typed`() async throws {
    _ = try await copy(written: "mine")
    let next = BrowseFixture(
      fixture.others,
      size: ScreenSize(columns: 80, lines: 24),
      programs: fixture.programs
    )
    try await next.run("/", "type N")
    next.run.screen.kept.offer()
    try await next.run("wait", "type D", "wait")

    #expect(next.run.screen.prompt?.text == "ND")
    #expect(fixture.files.count == 1 && fixture.files[0].contains("-unsaved-"))
    try await next.run("esc", "wait")
    #expect(next.frame.openedText.contains("Your text:\n\nmine"), "\(next.frame.text)")
    try await next.run("m", "wait")
    #expect(try await fixture.texts() == ["mine"] && fixture.files.isEmpty)
  }

  @Test func `what no editor has changed is removed`() async throws {
    _ = try await copy(written: nil)
    let empty = TemporaryDirectory.file("store.sqlite-edit-abcdef")
    try FileManager.default.createDirectory(at: empty, withIntermediateDirectories: true)
    #expect(fixture.files.count == 2)

    let next = fixture.next()
    try await next.run("wait")

    #expect(fixture.files.isEmpty && next.frame.lines.last?.text.hasPrefix(" ? help") == true)
  }

  @Test func `a text that is still being edited is left alone`() async throws {
    let files = Lock<[String]>([])
    let (others, programs) = (fixture.others, fixture.programs)
    programs.editing = { file in
      let done = Gate()
      Task { @MainActor in
        let next = BrowseFixture(others, programs: programs)
        next.run.screen.kept.offer()
        try await next.run("wait")
        #expect(!next.frame.text.contains("kept"), "\(next.frame.text)")
        done.open()
      }
      done.blockUntilOpen()
      files.withLock { $0 = [file.path] }
      try Data("mine".utf8).write(to: file)
      return 0
    }
    try await fixture.run("e", "wait")
    #expect(files.withLock(\.count) == 1)
    #expect(try await fixture.texts() == ["mine"])
  }

  // MARK: - Editors

  @Test func `what an editor that was killed has put beside the text is told, and stays`()
    async throws
  {
    fixture.programs.editing = { file in
      let swap = file.deletingLastPathComponent().appendingPathComponent(".snippet-1.txt.swp")
      try Data("typed".utf8).write(to: swap)
      return 128 + SIGHUP
    }
    try await fixture.run("e", "wait")
    #expect(fixture.shown.contains("a signal ended the editor"), "\(fixture.shown)")
    #expect(fixture.files.count == 1 && fixture.shows(fixture.files.first ?? "-"))

    let next = fixture.next()
    try await next.run("wait")
    #expect(next.frame.text.contains("has files that an editor left."), "\(next.frame.text)")
    #expect(fixture.files.count == 1)
  }

  // Editors with a window offer the folder of the text for "Save as".
  @Test(arguments: [false, true])
  func `what is saved beside the text under another name stays, and is told`(
    isTextSaved: Bool
  ) async throws {
    fixture.programs.editing = { file in
      let other = file.deletingLastPathComponent().appendingPathComponent("chapter.txt")
      try Data("typed".utf8).write(to: other)
      if isTextSaved { try Data("mine".utf8).write(to: file) }
      return 0
    }
    try await fixture.run("e", "wait")

    #expect(try await fixture.texts() == [isTextSaved ? "mine" : "first\nsecond"])
    let folder = try #require(fixture.files.first)
    if !isTextSaved {
      #expect(fixture.shows("it was saved under another name"), "\(fixture.shown)")
      #expect(fixture.shows(folder), "\(fixture.shown)")
    }
    let next = fixture.next()
    try await next.run("wait")
    #expect(next.frame.text.contains("has files that an editor left."), "\(next.frame.text)")
    let saved = TemporaryDirectory.file(folder).appendingPathComponent("chapter.txt")
    #expect(try String(contentsOf: saved, encoding: .utf8) == "typed")
  }

  private func edit(writing name: String) async throws {
    fixture.programs.editing = { file in
      let other = file.deletingLastPathComponent().appendingPathComponent(name)
      try Data("typed".utf8).write(to: other)
      try Data("mine".utf8).write(to: file)
      return 0
    }
    try await fixture.run("e", "wait")
    #expect(try await fixture.texts() == ["mine"])
  }

  @Test(arguments: [
    "snippet-1.txt.v2", "snippet-1.txt.save.old", "snippet-1.txt.~new~", "snippet-1.txt.~",
    ".snippet-1.txt.notes", ".snippet-1.txt.S12", ".draft", "#draft", "draft~", "49130",
  ])
  func `a file that no editor needs for itself stays, and the screen shows where`(
    name: String
  ) async throws {
    try await edit(writing: name)

    let folder = try #require(fixture.files.first)
    #expect(fixture.shows(folder), "\(fixture.shown)")
    let file = TemporaryDirectory.file(folder).appendingPathComponent(name)
    #expect(try String(contentsOf: file, encoding: .utf8) == "typed")
    let rights = try FileManager.default.attributesOfItem(
      atPath: TemporaryDirectory.file(folder).path
    )[.posixPermissions]
    #expect((rights as? NSNumber)?.intValue == 0o700)
  }

  @Test(arguments: [
    ".snippet-1.txt.swp", ".snippet-1.txt.swo", ".snippet-1.txt.un~", "4913", "snippet-1.txt~",
    "snippet-1.txt.~12~", "#snippet-1.txt#", ".#snippet-1.txt", "snippet-1.txt.save",
    "snippet-1.txt.save.1", ".snippet-1.txt.kate-swp", ".~lock.snippet-1.txt#",
  ])
  func `what editors keep beside a text goes with it`(name: String) async throws {
    try await edit(writing: name)
    #expect(fixture.files.isEmpty && !fixture.shows("an editor left"), "\(fixture.shown)")
  }

  enum Replacement: CaseIterable {
    case link, linkToStore, pipe, folder, socket, huge, otherEncoding
  }

  @Test(arguments: [
    (Replacement.link, "it is a link now"), (.linkToStore, "it is the file of the store"),
    (.pipe, "it is a pipe now"), (.folder, "it is a folder now"),
    (.socket, "it is a device or a socket now"), (.huge, "it is too large (8.8 TB)"),
    (.otherEncoding, "it is not UTF-8"),
  ])
  func `what cannot be read stays where it is, and the message says where`(
    replacement: Replacement,
    reason: String
  ) async throws {
    let store = try #require(fixture.store.url?.path)
    fixture.programs.editing = { file in
      try Self.replace(file.path, by: replacement, store)
      return 0
    }
    try await fixture.run("e", "wait")

    #expect(fixture.shows(reason), "\(fixture.shown)")
    let file = try #require(fixture.programs.files.first)
    #expect(fixture.shows(file.path), "\(fixture.shown)")
    #expect(FileStatus.exists(file.path) && fixture.files.count == 1)
    #expect(try await fixture.texts() == ["first\nsecond"])

    let next = fixture.next()
    try await next.run("wait")
    #expect(next.frame.text.contains(reason) && fixture.files.count == 1, "\(next.frame.text)")
  }

  private nonisolated static func replace(
    _ path: String,
    by replacement: Replacement,
    _ store: String
  ) throws {
    if replacement != .huge { #expect(unlink(path) == 0) }
    let isDone =
      switch replacement {
      case .link: symlink("/etc/passwd", path) == 0
      case .linkToStore: link(store, path) == 0
      case .pipe: mkfifo(path, 0o600) == 0
      case .folder: mkdir(path, 0o700) == 0
      case .socket: mknod(path, S_IFSOCK | 0o600, 0) == 0
      case .huge: truncate(path, 8 << 40) == 0
      case .otherEncoding:
        FileManager.default.createFile(atPath: path, contents: Data([0x66, 0xE9, 0x66]))
      }
    #expect(isDone)
  }

  @Test func `an editor that leaves no file has changed nothing`() async throws {
    fixture.programs.editing = { file in
      try FileManager.default.removeItem(at: file)
      return 0
    }
    try await fixture.run("e", "wait")
    #expect(fixture.status == " Nothing was saved: the editor left no file." && fixture.files == [])
  }

  @Test func `an editor that removes the folder has changed nothing, and no place is shown`()
    async throws
  {
    fixture.programs.editing = { file in
      try FileManager.default.removeItem(at: file.deletingLastPathComponent())
      return 0
    }
    try await fixture.run("e", "wait")
    #expect(fixture.status.contains("the editor removed the folder of its file"))
    #expect(!fixture.shows("It is in") && fixture.files == [])
    #expect(try await fixture.texts() == ["first\nsecond"])
  }

  @Test func `an editor that writes by renaming has written`() async throws {
    fixture.programs.editing = { file in
      let new = file.path + ".new"
      try Data("renamed".utf8).write(to: URL(fileURLWithPath: new))
      #expect(link(file.path, file.path + "~") == 0 && rename(new, file.path) == 0)
      return 0
    }
    try await fixture.run("e", "wait")
    #expect(try await fixture.texts() == ["renamed"] && fixture.files.isEmpty)
  }
}
