@testable import SnippetLoading
import SnippetStorage
import SnippetTestSupport
import SnippetTesting
import Testing

struct RowWindowTests {
  private func window(_ range: Range<Int>) -> RowWindow {
    var window = RowWindow()
    window.take(page(range))
    return window
  }

  private func page(_ range: Range<Int>, version: Int64 = 1) -> SnippetPage {
    let rows = range.map { SnippetRow.image(Int64($0)) }
    return SnippetPage(version: version, count: 100, start: range.lowerBound, rows: rows)
  }

  struct Case: CustomTestStringConvertible {
    let held: Range<Int>
    let wanted: Range<Int>
    let read: Range<Int>
    var testDescription: String { "\(held) held, \(wanted) wanted" }
  }

  @Test(arguments: [
    Case(held: 20..<40, wanted: 25..<35, read: 0..<0),
    Case(held: 20..<40, wanted: 20..<40, read: 0..<0),
    Case(held: 20..<40, wanted: 30..<41, read: 40..<46),
    Case(held: 20..<40, wanted: 40..<50, read: 40..<55),
    Case(held: 20..<40, wanted: 19..<30, read: 14..<20),
    Case(held: 20..<40, wanted: 2..<20, read: 0..<20),
    Case(held: 20..<40, wanted: 10..<50, read: 5..<55),
    Case(held: 20..<40, wanted: 60..<70, read: 55..<75),
    Case(held: 20..<40, wanted: 90..<100, read: 85..<100),
    Case(held: 0..<0, wanted: 0..<10, read: 0..<15),
    Case(held: 0..<0, wanted: 5..<5, read: 0..<0),
  ])
  func `one read covers what is missing`(_ example: Case) {
    let window = window(example.held)

    let read = window.missing(from: example.wanted, slack: 5)

    #expect(read.isEmpty == example.read.isEmpty)
    if !read.isEmpty { #expect(read == example.read) }
  }

  @Test func `after the read all that was wanted is held`() {
    var random = SeededGenerator(seed: 7)
    var window = RowWindow()
    for _ in 0..<2_000 {
      let start = random.below(100)
      let wanted = start..<min(100, start + random.below(20))
      let missing = window.missing(from: wanted, slack: random.below(10))
      if !missing.isEmpty { window.take(page(missing)) }
      if random.chance(0.3) { window.trim(to: wanted) }

      for position in wanted { #expect(window[position]?.id.rawValue == Int64(position)) }
      for position in 0..<100 where !window.range.contains(position) {
        #expect(window[position] == nil)
      }
    }
  }

  @Test func `a short read never puts a row at another position`() {
    var window = window(20..<40)

    window.take(page(10..<15))

    #expect(window.range == 10..<15)
    #expect(window[20] == nil)
  }

  @Test(arguments: [40..<50, 10..<20])
  func `rows of another version take the place of those beside them`(_ range: Range<Int>) {
    var window = window(20..<40)

    window.take(page(range, version: 2))

    #expect(window.range == range)
    #expect(window.listVersion == 2)
    #expect(window[20] == nil)
  }
}

extension RowWindow {
  /// Takes in a page that was read for the rows in memory.
  fileprivate mutating func take(_ page: SnippetPage) {
    guard let held else {
      let nothing = HeldRows(version: .min, count: 0, positions: 0..<0)
      self = RowWindow(RowUpdate(page, from: nothing))
      return
    }
    let isTaken = take(RowUpdate(page, from: held), leaves: true)
    #expect(isTaken)
  }
}
