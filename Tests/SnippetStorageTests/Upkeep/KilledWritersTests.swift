#if os(Linux)
import Foundation
import SnippetTestSupport
import SnippetTesting
import Testing

@testable import SnippetStorage

/// Two processes with two writers each, which are killed while they write.
///
/// With `SNIP_LONG_TESTS` set 2,000 processes are killed; the seed chooses the moments.
@Suite(.temporaryDirectory, .seeded, .serialized, .timeLimit(.minutes(240)))
struct KilledWritersTests {
  private static let roundCount = LongTests.isOn ? 1_000 : 4
  /// Later rounds begin with a new store, because a check reads all of it.
  private static let roundsOfStore = 10

  private let folder = TemporaryDirectory.current.url

  @Test func `what was acknowledged is there after kill -9, and nothing is torn`() async throws {
    var random = SeededGenerator()
    var kept = KeptByWriters()
    var sum = (acknowledged: 0, unfinished: 0)
    for round in 0..<Self.roundCount {
      if round % Self.roundsOfStore == 0 { kept = KeptByWriters() }
      let file = folder.appendingPathComponent("store-\(round / Self.roundsOfStore).sqlite")
      let journals = (0..<2).map { folder.appendingPathComponent("journal-\(round)-\($0)") }
      await kill(writingTo: file, journals, &random)

      let lanes = journals.flatMap(WriterJournal.lanes)
      sum.acknowledged += lanes.reduce(0) { $0 + $1.acknowledgedCount }
      sum.unfinished += lanes.count { $0.pending != nil }
      let store = try SnippetStore(at: file)
      let report = try await store.check()
      #expect(report.problems == [], "round \(round)")
      let violations = try await kept.violations(in: store, after: lanes)
      #expect(violations == [], "round \(round)")
      try await store.close()
    }
    // Processes that have written nothing, or were doing nothing, would prove nothing.
    #expect(sum.acknowledged >= 2 * Self.roundCount && sum.unfinished > Self.roundCount)
    print(
      "\(2 * Self.roundCount) processes were killed; \(sum.acknowledged) writes were acknowledged,",
      "\(sum.unfinished) were under way."
    )
  }

  @Test func `what is lost, torn or left over is noticed`() async throws {
    let store = try TemporaryStore.open()
    let (first, second) = (
      try await store.save(SnippetDraft(.text("a"), title: "a")).id.rawValue,
      try await store.save(SnippetDraft(.text("b"), title: "b")).id.rawValue
    )
    let saved = ["0 save a 0", "0 done \(first)", "1 save b 0", "1 done \(second)"]
    func violations(_ lines: [String]) async throws -> [String] {
      let journal = folder.appendingPathComponent("journal")
      let text = (["1"] + lines).map { $0.replacing(" ", with: "\t") + "\n" }.joined()
      try Data(text.utf8).write(to: journal)
      var kept = KeptByWriters()
      return try await kept.violations(in: store, after: WriterJournal.lanes(in: journal))
    }

    #expect(try await violations(saved) == [])
    #expect(try await violations(saved + ["0 save c 0"]) == [])
    #expect(try await violations(saved + ["0 save c 0", "0 done 99"]) == ["c is lost"])
    #expect(try await violations(saved + ["1 delete \(second)"]) == [])
    #expect(
      try await violations(saved + ["1 delete \(second)", "1 done"])
        == ["b is there, and was deleted or never saved"]
    )
    #expect(try await violations(saved + ["0 edit \(first) z", "0 done"]) == ["z is called a"])
    #expect(
      try await violations(["0 save a 9", "0 done \(first)"] + saved.suffix(2))
        == ["a has another content"]
    )
  }

  /// Starts both processes, and kills one after the other once both have written so much.
  private func kill(
    writingTo file: URL,
    _ journals: [URL],
    _ random: inout SeededGenerator
  ) async {
    let seeds = [random.next(), random.next()]
    let counts = [1 + random.below(30), 1 + random.below(30)]
    let times = (0..<2).map { _ in Double(random.below(5_000)) / 1_000_000 }
    let areKilled = Gate()
    // A thread of its own: waiting for two processes, Swift Testing holds the threads of Swift.
    Thread.detachNewThread {
      let deadline = ContinuousClock.now + .seconds(120)
      let haveWritten = {
        zip(journals, counts).allSatisfy { journal, count in
          WriterJournal.lanes(in: journal).reduce(0) { $0 + $1.acknowledgedCount } >= count
        }
      }
      while !haveWritten(), ContinuousClock.now < deadline {
        Thread.sleep(forTimeInterval: 0.001)
      }
      for (journal, time) in zip(journals, times) {
        Thread.sleep(forTimeInterval: time)
        if let process = WriterJournal.process(of: journal) { Glibc.kill(process, SIGKILL) }
      }
      areKilled.open()
    }
    async let first = #expect(processExitsWith: .signal(SIGKILL)) {
      [file = file as URL, journal = journals[0] as URL, seed = seeds[0] as UInt64] in
      try await WriterJournal.write(to: file, journal, seed: seed)
    }
    async let second = #expect(processExitsWith: .signal(SIGKILL)) {
      [file = file as URL, journal = journals[1] as URL, seed = seeds[1] as UInt64] in
      try await WriterJournal.write(to: file, journal, seed: seed)
    }
    _ = await (first, second)
    await areKilled.untilOpen()
  }
}

/// What is known of a store whose writers were killed.
private struct KeptByWriters {
  /// The snippets that must be there.
  private var snippets: [SnippetID: WriterJournal.Content] = [:]

  /// Returns what is wrong with a store, and takes its content for what must be there from then on.
  mutating func violations(
    in store: SnippetStore,
    after lanes: [WriterJournal.Lane]
  ) async throws -> [String] {
    var violations: [String] = []
    // Of what was under way, nothing may be there or all of it.
    var (mayBeNew, mayBeEdited, mayBeGone) = (
      [String: WriterJournal.Content](), [SnippetID: String](), Set<SnippetID>()
    )
    for lane in lanes {
      snippets.merge(lane.snippets) { $1 }
      switch lane.pending {
      case .save(let content): mayBeNew[content.title] = content
      case .edit(let id, let title): mayBeEdited[id] = title
      case .delete(let id): mayBeGone.insert(id)
      case nil: break
      }
    }
    let list = store.list()
    let rows = try list.rows(in: 0..<list.count)
    for row in rows {
      guard var content = snippets[row.id] ?? mayBeNew.removeValue(forKey: row.title) else {
        violations.append("\(row.title) is there, and was deleted or never saved")
        continue
      }
      if row.title != content.title {
        if mayBeEdited[row.id] != row.title {
          violations.append("\(content.title) is called \(row.title)")
        }
        content.title = row.title
      }
      if try await store.content(of: row.id) != content.bytes {
        violations.append("\(row.title) has another content")
      }
      snippets[row.id] = content
    }
    let there = Set(rows.map(\.id))
    for (id, content) in snippets where !there.contains(id) {
      if !mayBeGone.contains(id) { violations.append("\(content.title) is lost") }
      snippets[id] = nil
    }
    return violations
  }
}
#endif
