import SnippetTestSupport
import Testing

@testable import SnippetStorage

@Suite(.seeded, .timeLimit(.minutes(30)))
struct StoreChangeTests {
  private static let (a, b) = (SnippetID(rawValue: 1), SnippetID(rawValue: 2))

  @Test(arguments: [
    (StoreChange.inserted(a), StoreChange.updated(a), StoreChange.inserted(a)),
    (.inserted(a), .deleted(a), .deleted(a)),
    (.updated(a), .deleted(a), .deleted(a)),
    (.updated(a), .updated(a), .updated(a)),
    (.inserted(a), .inserted(b), .inserted(a, b)),
    (.deleted(a), .inserted(a), .updated(a)),
    // It has come back, and more happened to it: it went and came again.
    (.deleted(a), .updated(a), .updated(a)),
    // What only a damaged record tells.
    (.updated(a), .inserted(a), .updated(a)),
    (.inserted(a), .unknown, .unknown),
    (.unknown, .inserted(a), .unknown),
  ])
  func `changes that follow each other become one`(
    first: StoreChange,
    second: StoreChange,
    expected: StoreChange
  ) {
    var change = first

    change.merge(second)

    #expect(change == expected)
  }

  @Test func `too many changes become unknown`() {
    let ids = (0..<4096).map { SnippetID(rawValue: $0) }
    var change = StoreChange.snippets(inserted: Set(ids), updated: [], deleted: [])

    change.merge(.updated(ids[7]))
    #expect(change == .snippets(inserted: Set(ids), updated: [], deleted: []))

    change.merge(.inserted(SnippetID(rawValue: 4096)))
    #expect(change == .unknown)
  }

  // A mirror that takes the changes one by one, and one that takes them merged, end alike.
  @Test func `merged changes tell as much as the single ones`() {
    var random = SeededGenerator()
    for _ in 0..<200 {
      var (known, everKnown): (Set<SnippetID>, Set<SnippetID>) = ([], [])
      let before = known
      var changed: Set<SnippetID> = []
      var merged: StoreChange?
      for number in 0..<20 {
        let change: StoreChange
        let id = known.sorted().randomElement(using: &random)
        switch (random.below(3), id) {
        case (1, let id?):
          change = .updated(id)
          changed.insert(id)
        case (2, let id?):
          change = .deleted(id)
          known.remove(id)
        default:
          let id = SnippetID(rawValue: Int64(number))
          change = .inserted(id)
          known.insert(id)
          everKnown.insert(id)
        }
        if merged == nil { merged = change } else { merged?.merge(change) }
      }

      let expected = StoreChange.snippets(
        inserted: known.subtracting(before),
        updated: changed.intersection(before).intersection(known),
        deleted: everKnown.subtracting(known)
      )
      #expect(merged == expected)
    }
  }
}
