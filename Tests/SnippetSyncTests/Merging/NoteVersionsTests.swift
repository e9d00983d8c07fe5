import Foundation
import SnippetTestSupport
import Testing

@testable import SnippetSync

/// The laws of notes: a semilattice in which no text is lost that no edit has replaced.
@Suite(.seeded, .timeLimit(.minutes(30)))
struct NoteVersionsTests {
  private let devices = ["1", "2", "3"].map { digit in
    DeviceID(rawValue: String(repeating: digit, count: 32)) ?? DeviceID()
  }

  private func merged(_ notes: NoteVersions...) -> NoteVersions {
    notes.dropFirst().reduce(into: notes[0]) { $0.merge($1) }
  }

  @Test func `texts that were edited apart are joined in one way on all devices`() {
    var one = NoteVersions()
    one.replace(by: "The beach", at: 10, on: devices[0])
    var other = one
    one.replace(by: "The beach at noon", at: 20, on: devices[0])
    other.replace(by: "A beach", at: 30, on: devices[1])

    #expect(merged(one, other).shown == "The beach at noon\n\n---\n\nA beach")
    #expect(merged(other, one) == merged(one, other))
    var settled = merged(one, other)
    settled.replace(by: "A beach at noon", at: 5, on: devices[2])
    #expect(merged(one, settled, other).shown == "A beach at noon")
  }

  @Test func `a removed note stays away, but an edit that was not known there stays`() {
    var one = NoteVersions()
    one.replace(by: "The beach", at: 10, on: devices[0])
    var (removed, edited) = (one, one)
    removed.replace(by: "", at: 20, on: devices[0])
    edited.replace(by: "A beach", at: 15, on: devices[1])

    #expect(merged(one, removed).shown.isEmpty)
    #expect(merged(removed, edited).shown == "A beach")
  }

  @Test func `equal texts are shown once`() {
    var (one, other) = (NoteVersions(), NoteVersions())
    one.replace(by: "Same", at: 10, on: devices[0])
    other.replace(by: "Same", at: 20, on: devices[1])

    #expect(merged(one, other).shown == "Same")
  }

  @Test func `texts that a joined note has already are there once`() {
    let order = ["na", "nb", "na\n\n---\n\nnb"]
    for texts in [order, Array(order.reversed()), [order[2], order[1], order[0], "nc"]] {
      var note = NoteVersions()
      for (number, text) in texts.enumerated() {
        note.texts[Stamp(Int64(number), devices[0])] = text
      }
      let parts = note.shown.components(separatedBy: "\n\n---\n\n")
      #expect(parts.sorted() == Array(["na", "nb", "nc"].prefix(texts.count - 1)), "\(texts)")
      // The joined note of another device, which has forgotten where its parts come from.
      note.texts[Stamp(9, devices[1])] = note.shown
      #expect(note.shown.components(separatedBy: "\n\n---\n\n") == parts, "\(texts)")
    }
  }

  @Test func `the text of a twin stays where its device has edited the note since`() {
    var (kept, twin) = (NoteVersions(), NoteVersions())
    kept.replace(by: "kept", at: 10, on: devices[0])
    twin.replace(by: "of the twin", at: 20, on: devices[0])
    var folded = kept
    folded.fold(twin, on: devices[1])
    var edited = kept
    edited.replace(by: "edited", at: 30, on: devices[0])

    #expect(folded.shown == "kept\n\n---\n\nof the twin")
    #expect(merged(folded, edited).shown == "of the twin\n\n---\n\nedited")
    let once = folded
    folded.fold(twin, on: devices[1])
    #expect(folded == once)
  }

  @Test func `the dashes that a person typed stay`() {
    let typed = "x\n\n---\n\n\n\n---\n\ny\n\n---\n\nx\n\n---\n\n"
    var one = NoteVersions()
    one.replace(by: typed, at: 10, on: devices[0])
    #expect(one.shown == typed)
    var other = NoteVersions()
    other.replace(by: typed, at: 20, on: devices[1])
    #expect(merged(one, other).shown == typed)
    other.replace(by: "z", at: 30, on: devices[1])
    #expect(merged(one, other).shown == typed + "\n\n---\n\nz")
  }

  @Test func `what is too long for a store is left out`() {
    var (one, other) = (NoteVersions(), NoteVersions())
    one.replace(by: String(repeating: "a", count: 40_000), at: 10, on: devices[0])
    other.replace(by: String(repeating: "b", count: 40_000), at: 20, on: devices[1])

    let both = merged(one, other)
    #expect(both.shown.utf8.count == 40_000)
    #expect(both.leftOut.map(\.stamp) == [Stamp(20, devices[1])])
    #expect(both.leftOut.map(\.text) == other.texts.values.map { $0 })
    #expect(one.leftOut.isEmpty)
  }

  @Test func `merging depends on no order and no grouping, and again it changes nothing`() {
    var random = SeededGenerator()
    for _ in 0..<200 {
      let states = history(&random)
      for _ in 0..<50 {
        let some = (0..<3).map { _ in random.element(of: states) }
        let all = merged(some[0], some[1], some[2])
        #expect(all == merged(some[0], merged(some[1], some[2])))
        #expect(all == merged(some[2], some[0], some[1]))
        #expect(all == merged(all, some[1]))
      }
    }
  }

  /// The states of three devices that edit and merge at random.
  private func history(_ random: inout SeededGenerator) -> [NoteVersions] {
    var now = [NoteVersions](repeating: NoteVersions(), count: devices.count)
    var states = now
    for step in 0..<12 {
      let device = random.below(devices.count)
      if random.below(2) == 0 {
        let text = random.below(4) == 0 ? "" : "text \(step)"
        now[device].replace(by: text, at: Int64(random.below(6)), on: devices[device])
      } else {
        now[device].merge(now[random.below(devices.count)])
      }
      states.append(now[device])
    }
    return states
  }
}
