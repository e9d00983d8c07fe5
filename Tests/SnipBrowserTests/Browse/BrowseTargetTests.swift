import Foundation
import SnippetStorage
import SnippetTestSupport
import TerminalKit
import Testing

@testable import SnipBrowser

/// Which snippets keys act on when others change the store meanwhile.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
@MainActor
struct BrowseTargetTests {
  private let fixture: BrowseFixture
  private let folder = TemporaryDirectory.file("exported").path

  init() async throws {
    fixture = BrowseFixture(
      try await BrowseFixture.store(textCount: 4),
      size: ScreenSize(columns: 200, lines: 20)
    )
  }

  private func id(_ number: Int64) -> SnippetID { SnippetID(rawValue: number) }

  private var isExported: Bool { FileManager.default.fileExists(atPath: folder) }

  /// The message, or what stands in its place.
  private var status: String { fixture.frame.lines.last?.text ?? "" }

  private func tags(_ number: Int64) throws -> [String]? { try fixture.store.row(id(number))?.tags }

  // MARK: - Typing

  @Test func `tags go to the snippet for which they were typed, or to none`() async throws {
    try await fixture.run("t", "type x")
    _ = try await fixture.store.delete([id(4)])
    try await fixture.wait { $0.lines[0].text.contains("/3 ") }

    try await fixture.run("enter", "wait")

    #expect(try fixture.store.list(SnippetFilter(tags: ["x"])).count == 0)
    #expect(status == " It has been deleted.", "\(status)")
  }

  @Test func `a snippet that another one comes before is still the one that is tagged`()
    async throws
  {
    try await fixture.run("down", "down", "t", "type x")
    _ = try await fixture.store.delete([id(3)])
    try await fixture.wait { $0.lines[0].text.contains("/3 ") }

    try await fixture.run("enter", "wait")

    #expect(try tags(2) == ["x"] && tags(1) == [])
  }

  @Test func `no other snippet is exported than the one that was selected`() async throws {
    try await fixture.run("x", "type \(folder)")
    _ = try await fixture.store.delete([id(4)])
    try await fixture.wait { $0.lines[0].text.contains("/3 ") }

    try await fixture.run("enter", "wait")

    #expect(!isExported && status == " It has been deleted.", "\(status)")
  }

  @Test func `a click while tags are typed selects the snippet that they go to`() async throws {
    try await fixture.run("wait", "t", "type x")
    let line = try #require(fixture.frame.lines.firstIndex { $0.text.contains("Note 2") })
    fixture.run.screen.take(MouseEvent(.press, column: 5, line: line))

    try await fixture.run("enter", "wait")

    #expect(try tags(3) == ["x"] && tags(4) == [])
  }

  // MARK: - Marks

  @Test(arguments: ["p", "d", "t; type x; enter", "x; type FOLDER; enter"])
  func `a command on marks that are all gone says so`(keys: String) async throws {
    try await fixture.run("m", "m", "wait")
    _ = try await fixture.store.delete([id(3), id(4)])
    try await fixture.wait { $0.lines[0].text.contains("/2 ") }

    let script = keys.replacing("FOLDER", with: folder).replacing("; ", with: "\n")
    try await fixture.run(script, "wait")

    #expect(status == " They have been deleted.", "\(status)")
    #expect(!isExported && fixture.run.screen.lists.marks.isEmpty && fixture.list.count == 2)
  }

  @Test func `a mark that is set while a command begins stays`() async throws {
    try await fixture.run("m", "wait", "p", "m", "wait")
    #expect(fixture.run.screen.lists.marks == [id(3), id(4)])
    #expect(try fixture.store.row(id(3))?.isPinned == false)
  }
}
