import Foundation
import SnippetLoading
import SnippetStorage
import SnippetTestSupport
import SnippetTesting
import Testing

/// What a table view and a list model demand of a change, judged as strictly as UIKit and GTK do.
///
/// With `SNIP_LONG_TESTS` set: 100,000 batches.
@MainActor
@Suite(.seeded, .timeLimit(.minutes(30)))
struct HostRulesTests {
  private static let isLong = ProcessInfo.processInfo.environment["SNIP_LONG_TESTS"] != nil

  @Test func `every change can be made as one batch of updates, and as splices`() {
    var random = SeededGenerator()
    var batchCount = 0
    while batchCount < (Self.isLong ? 100_000 : 1_000) {
      let fixture = ScriptedLoader(rows: ScriptedRows(count: random.below(60)))
      let loader = fixture.loader
      var host = HostRules()
      loader.listChangeHandler = { [loader] change in
        host.update(by: change, count: loader.count)
      }
      host.reload(Array(fixture.rows.rows.map(\.id).prefix(loader.count)))
      var lastID: Int64 = 1_000
      for _ in 0..<100 {
        // Several edits may come before the loader reads, and a jump may find them first.
        for _ in 0..<1 + random.below(3) {
          fixture.rows.rows.edit(&lastID, &random)
        }
        let start = random.below(loader.count + 1)
        if random.chance(0.3) { loader.show(visible: start..<start + 8) }
        fixture.rows.announce()
        fixture.settle()

        #expect(host.violations == [])
        #expect(host.ids(in: fixture.rows.rows.map(\.id)) == fixture.rows.rows.map(\.id))
        guard host.violations.isEmpty else { return }
      }
      batchCount += host.batchCount
    }
  }
}
