import Foundation
import SnippetLoading
import SnippetStorage
import SnippetTestSupport
import TerminalKit
import Testing

@testable import SnipBrowser

/// What has been loaded stays, whichever list is on the screen.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
@MainActor
struct BrowseCacheTests {
  private let store: SnippetStore
  private let fixture: BrowseFixture

  init() async throws {
    store = try await BrowseFixture.store(textCount: 3)
    for number in 0..<6 {
      try await store.save(
        Samples.image(Samples.bytes(2_000, seed: UInt64(number)), title: "Picture \(number)")
      )
    }
    fixture = BrowseFixture(store)
  }

  private var counters: LoaderCounters { fixture.list.source.loader.counters }

  @Test func `a kind switched off and on again loads nothing`() async throws {
    try await fixture.run("wait", "G", "wait")
    let former = counters

    try await fixture.run("1", "dump", "wait", "1", "dump", "wait", "3", "wait", "3", "wait")

    #expect(counters.loadsStarted == former.loadsStarted && counters.loadsStarted == 6)
    #expect(counters.hits > former.hits && counters.wrongDeliveries == 0)
    // No wait: what was seen before is there in the same frame.
    for frame in fixture.frames.all { #expect(!frame.text.contains("…┘"), "\(frame.text)") }
    #expect(fixture.frames.all[0].text.contains("Picture 5"))
  }

  @Test func `a search there and back loads nothing`() async throws {
    try await fixture.run("wait", "G", "wait", "g", "wait")
    let former = counters

    try await fixture.run("/", "type Picture", "wait", "enter", "esc", "wait", "dump")

    #expect(counters.loadsStarted == former.loadsStarted && counters.wrongDeliveries == 0)
    #expect(fixture.frame.lines[0].text.hasSuffix("1/9 "))
  }

  @Test func `views are used for the next list too`() async throws {
    try await fixture.run("wait")
    let created = fixture.list.pool.createdCount

    try await fixture.run("1", "wait", "1", "wait", "/", "type Picture", "wait", "esc", "wait")

    #expect(fixture.list.pool.createdCount == created)
  }

  @Test func `the line of counters goes on with the next list`() async throws {
    try await fixture.run("#", "wait", "dump", "1", "wait", "dump")

    let lines = fixture.frames.all.map { $0.lines[14].text }
    #expect(lines[0].contains(" load 6 ") && lines[1].contains(" load 6 "), "\(lines)")
  }
}
