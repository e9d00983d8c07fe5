import Foundation
import SnippetStorage
import Testing

@testable import SnippetLoading

/// Every interleaving of what a person, others, the store and the disk do to a text.
///
/// The search is in breadth, so the schedule that it prints is the shortest that goes wrong. Of
/// schedules that come to the same state only the first goes on; the others are counted.
///
/// The long form goes on to schedules of seven events, some minutes:
///
///     SNIP_LONG_TESTS=1 swift test -c release --no-parallel --filter TextSessionModelTests
@Suite(.timeLimit(.minutes(60)))
struct TextSessionModelTests {
  private static let isLong = ProcessInfo.processInfo.environment["SNIP_LONG_TESTS"] != nil

  // Typed, saved at a pause, taken back, and the program ends before the answer.
  @Test func `what was taken back while a save is under way is kept before a program ends`() {
    let (first, second) = (
      TextSession.Version(text: "a", revision: 1), TextSession.Version(text: "ab", revision: 2)
    )
    var session = TextSession(SnippetID(rawValue: 1), first)
    _ = session.handle(.typed("ab"))
    #expect(session.handle(.paused) == [.save("ab", over: first, bringsBack: false)])
    _ = session.handle(.typed("a"))

    let sent = TextSession.Version(text: "ab", revision: 1)
    #expect(session.handle(.close) == [.keep("a", madeFrom: sent)])
    var later = TextSession(SnippetID(rawValue: 1), sent, kept: "a")

    // Killed now, the next start goes on with it, whether or not the save has come to its end.
    _ = later.handle(.seen(.present(second)))
    #expect(later.handle(.paused) == [.save("a", over: second, bringsBack: false)])
    later = TextSession(SnippetID(rawValue: 1), sent, kept: "a")
    #expect(later.handle(.seen(.present(first))) == [.forget])
    // Otherwise it is saved.
    #expect(session.handle(.kept("a")) == [])
    #expect(session.handle(.saved(revision: 2)) == [.save("a", over: second, bringsBack: false)])
    #expect(session.handle(.saved(revision: 3)) == [.forget, .left])
  }

  /// A text on screen, and one that is being saved.
  @Test(arguments: [[TextEvent](), [.type, .pause]])
  func `no keystroke is lost or mixed, and nothing is written over, in any interleaving`(
    start: [TextEvent]
  ) {
    var worlds = [TextWorld(after: start): (schedule: start, count: 1)]
    var seen = Set(worlds.keys)
    var (transitions, interleavings) = (0, 0)
    for _ in 1...((Self.isLong ? 7 : 5) - start.count / 2) {
      var next: [TextWorld: (schedule: [TextEvent], count: Int)] = [:]
      for (world, way) in worlds {
        for event in world.events {
          var later = world
          later.happen(event)
          transitions += 1
          interleavings += way.count
          let isNew = seen.insert(later).inserted
          if isNew {
            var resting = later
            resting.rest()
            guard resting.violations.isEmpty else {
              Issue.record("\(way.schedule + [event]): \(resting.violations)")
              return
            }
          }
          next[later, default: (way.schedule + [event], 0)].count += way.count
        }
      }
      worlds = next
    }
    print("\(interleavings) interleavings of a text, \(transitions) steps, \(seen.count) states")
    // All that such short schedules lead to, and no fewer.
    #expect(seen.count > 7_000)
    #expect(interleavings > (start.isEmpty ? 100_000 : 30_000))
  }
}
