import Foundation
import SnipCore
import SnippetStorage
import SnippetTestSupport
import TerminalKit
import Testing

@testable import SnipBrowser

/// The list under keys and under the changes of others.
@Suite(.temporaryDirectory, .seeded, .timeLimit(.minutes(30)))
@MainActor
struct BrowseListTests {
  @Test func `the selection follows its snippet when the shell deletes and adds above it`()
    async throws
  {
    let fixture = BrowseFixture(try await BrowseFixture.store(textCount: 40))
    try await fixture.run("down 20", "wait")
    let (selected, titles) = (try #require(fixture.selected), fixture.titles)

    let file = TemporaryDirectory.file("store.sqlite")
    let deleted = try await Shell.sqlite3(file, "DELETE FROM snippet WHERE title = 'Note 39'")
    #expect(deleted.status == 0)
    try await fixture.wait { $0.lines[0].text.contains("/39 ") }
    #expect(fixture.selected == selected && fixture.titles == titles)

    for number in 100..<103 { try await fixture.store.save(BrowseFixture.note(number)) }
    try await fixture.wait { $0.lines[0].text.contains("/42 ") }
    #expect(fixture.selected == selected && fixture.titles == titles)
  }

  @Test func `at the top what is new is seen`() async throws {
    let fixture = BrowseFixture(try await BrowseFixture.store(textCount: 40))
    try await fixture.run("wait")

    try await fixture.store.save(BrowseFixture.note(100))
    try await fixture.wait { $0.text.contains("Note 100 ") }

    #expect(fixture.titles.first == "Note 100" && fixture.selected == "Note 39")
  }

  @Test func `a title that the shell changes is shown in its place`() async throws {
    let fixture = BrowseFixture(try await BrowseFixture.store(textCount: 40))
    try await fixture.run("down 10", "wait")
    let selected = try #require(fixture.selected)

    _ = try await Shell.sqlite3(
      TemporaryDirectory.file("store.sqlite"),
      "UPDATE snippet SET title = 'Changed' WHERE title = '\(selected)'"
    )
    try await fixture.wait { $0.text.contains("Changed") }

    #expect(fixture.selected == "Changed")
  }

  @Test func `when the selected snippet goes, the next one is selected`() async throws {
    let fixture = BrowseFixture(try await BrowseFixture.store(textCount: 5))
    try await fixture.run("down", "d", "wait")
    #expect(fixture.selected == "Note 2")
    try await fixture.run("G", "d", "wait")
    #expect(fixture.selected == "Note 1" && fixture.list.count == 3)
    try await fixture.run("u", "wait")
    #expect(fixture.selected == "Note 0")
    try await fixture.run("u", "wait")
    #expect(fixture.selected == "Note 3" && fixture.list.count == 5)
    try await fixture.run("u", "wait", "dump")
    #expect(fixture.frames.all.last?.text.contains("Nothing to take back.") == true)
  }

  @Test func `a new query gives up the former one`() async throws {
    let fixture = BrowseFixture(try await BrowseFixture.store(textCount: 40))
    try await fixture.run("/", "type 7", "backspace", "type 12", "wait")
    #expect(fixture.titles == ["Note 12"])
    try await fixture.run("enter", "esc", "wait")
    #expect(fixture.selected == "Note 12" && fixture.list.count == 40)
  }

  @Test func `a search follows the store`() async throws {
    let fixture = BrowseFixture(try await BrowseFixture.store(textCount: 40))
    try await fixture.run("/", "type 39", "enter", "wait")
    #expect(fixture.titles == ["Note 39"])

    try await fixture.store.save(BrowseFixture.note(139))
    try await fixture.wait { $0.text.contains("Note 139") }

    #expect(fixture.titles == ["Note 139", "Note 39"] && fixture.selected == "Note 39")
  }

  @Test func `the last snippet is selected in a list that is not counted yet`() async throws {
    let fixture = BrowseFixture(try await BrowseFixture.store(textCount: 1_500))

    // Its count comes in a later turn of the main actor.
    fixture.list.selectLast()

    #expect(fixture.selected == "Note 0" && fixture.list.count == 1_500)
    fixture.run.screen.close()
  }

  @Test func `views are used again, however far it goes`() async throws {
    let fixture = BrowseFixture(try await BrowseFixture.store(textCount: 500))
    try await fixture.run("down 200", "wait", "pageup 30", "wait", "G", "wait", "g", "wait")
    #expect(fixture.list.pool.createdCount <= 4)
    #expect(fixture.list.pool.reusedCount > 100)
  }

  @Test func `a key that is held goes faster, and one that is pressed again does not`() async throws
  {
    let fixture = BrowseFixture(try await BrowseFixture.store(textCount: 500))
    try await fixture.run("down 60")
    #expect(fixture.list.selection > 120)
    try await fixture.run("g", "down", "down", "down", "down", "down", "down", "down", "down")
    #expect(fixture.list.selection == 8)
  }

  @Test func `the loader is told how fast the list moves`() async throws {
    let steps = Self.steps(gaps: Array(repeating: 40, count: 12))
    #expect(steps[0] == KeyRepeat.Step(rows: 1, speed: 0))
    #expect(steps[1] == KeyRepeat.Step(rows: 1, speed: 25))
    #expect(steps[12] == KeyRepeat.Step(rows: 3, speed: 75))
    var keyRepeat = KeyRepeat()
    var now = ContinuousClock.now
    for _ in 0..<9 {
      _ = keyRepeat.step(.down, at: now, unit: 1, limit: 10)
      now += .milliseconds(40)
    }
    #expect(keyRepeat.step(.up, at: now, unit: 1, limit: 10) == KeyRepeat.Step(rows: 1, speed: 0))
    now += .milliseconds(151)
    #expect(keyRepeat.step(.up, at: now, unit: 1, limit: 10).speed == 0)
  }

  @Test(arguments: [
    // Taps, however fast, of which two may come together over a slow link.
    (Array(repeating: 60, count: 19), 20),
    (Array(repeating: [100, 0], count: 9).flatMap(\.self), 19),
    // A key that is held: keyboards repeat it so often, or less often after a pause.
    (Array(repeating: 33, count: 19), 44), ([500] + Array(repeating: 90, count: 18), 41),
  ])
  func `taps move a row each, and a key that is held goes faster`(gaps: [Int], rows: Int) {
    #expect(Self.steps(gaps: gaps).map(\.rows).reduce(0, +) == rows)
  }

  /// The steps of a key that comes once, and then again after each of some milliseconds.
  private static func steps(gaps: [Int]) -> [KeyRepeat.Step] {
    var keyRepeat = KeyRepeat()
    var now = ContinuousClock.now
    return ([0] + gaps).map { gap in
      now += .milliseconds(gap)
      return keyRepeat.step(.down, at: now, unit: 1, limit: 10)
    }
  }

  @Test func `a script gives the same frames every time`() async throws {
    let store = try await BrowseFixture.store(textCount: 50)
    for number in 0..<30 {
      try await store.save(Samples.image(Samples.bytes(2_000, seed: UInt64(number))))
    }
    let script = [
      "down 40", "dump", "wait", "dump", "pageup 9", "dump", "wait", "dump", "2", "wait", "dump",
      "/", "type 4", "wait", "dump",
    ]
    var runs: [[Frame]] = []
    for _ in 0..<3 {
      let fixture = BrowseFixture(store)
      try await fixture.run.run(
        BrowseScript(script.joined(separator: "\n")),
        interrupts: Interrupts()
      )
      runs.append(fixture.frames.all)
      fixture.run.screen.close()
    }
    #expect(runs[0].count == 6 && runs[1] == runs[0] && runs[2] == runs[0])
  }
}
