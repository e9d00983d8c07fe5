import SnippetStorage
import SnippetTesting
import Testing

@testable import SnippetLoading

/// How many edits can be taken back.
struct EditHistoryTests {
  private var history = EditHistory()
  private var lastNumber: UInt64 = 0

  /// Makes a step of some edits that have succeeded.
  private mutating func makeStep(of count: Int) {
    let step = history.newStep()
    var ended: [(number: UInt64, outcome: EditOutcome?)] = []
    for id in 1...Int64(count) {
      lastNumber += 1
      let row = SnippetRow.text(id, "")
      history.add(lastNumber, SnippetEdit(isPinned: true), of: row.id, to: step)
      let inverse = SnippetEdit(isPinned: false)
      ended.append((lastNumber, EditOutcome(row: row, formerRevision: 0, inverse: inverse)))
    }
    history.note(ended)
  }

  /// The sizes of the steps that can be taken back, the last one first.
  private mutating func takeBack() -> [Int] {
    var counts: [Int] = []
    while history.last != nil {
      let entries = history.removeLastStep()
      counts.append(entries.count { history.takeOutcome(of: $0) != nil })
    }
    return counts
  }

  @Test mutating func `a hundred steps can be taken back`() {
    for _ in 1...102 { makeStep(of: 1) }
    #expect(takeBack() == Array(repeating: 1, count: 100))
  }

  @Test mutating func `steps of very many edits are forgotten sooner, but never the last`() {
    for count in [20_000, 20_000, 20_000, 60_000] { makeStep(of: count) }
    #expect(takeBack() == [60_000, 20_000, 20_000])
  }

  @Test mutating func `what failed or changed nothing is not taken back`() {
    makeStep(of: 2)
    let step = history.newStep()
    let row = SnippetRow.text(7, "")
    for number in UInt64(11)...14 {
      history.add(number, SnippetEdit(isPinned: true), of: row.id, to: step)
    }
    let (nothing, some) = (SnippetEdit(), SnippetEdit(isPinned: false))
    history.note([
      (11, nil), (12, EditOutcome(row: row, formerRevision: 0, inverse: some)),
      (13, EditOutcome(row: row, formerRevision: 5, inverse: nothing)), (14, nil),
    ])
    #expect(takeBack() == [1, 2])
  }
}
