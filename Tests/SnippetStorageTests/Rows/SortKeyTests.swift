import SnippetTestSupport
import Testing

@testable import SnippetStorage

@Suite(.seeded)
struct SortKeyTests {
  private static let letters = ["a", "A", "b", "é", "É", "牛", "👩‍👩‍👧", "[", "z"]

  @Test(arguments: [false, true])
  func `a fence stands behind one row and not behind the next`(isDescending: Bool) {
    var random = SeededGenerator()
    let precedes = { (lhs: SortKey, rhs: SortKey) in
      isDescending ? SortKey.precedes(rhs, lhs) : SortKey.precedes(lhs, rhs)
    }
    for _ in 0..<2000 {
      let isText = random.below(2) == 0
      let keys = (1...2).map { number in
        let title = (0..<random.below(5)).map { _ in random.element(of: Self.letters) }.joined()
        let value = isText ? SortKey.Value.text(title) : .number(Int64(random.below(5)))
        return SortKey(value: value, id: Int64(random.below(3) * 2 + number))
      }.sorted(by: precedes)

      let fence = SortKey.fence(after: keys[0], before: keys[1], isDescending: isDescending)

      #expect(precedes(keys[0], fence), "\(keys), \(fence)")
      #expect(!precedes(keys[1], fence), "\(keys), \(fence)")
    }
  }

  @Test(arguments: [false, true])
  func `long titles make short fences`(isDescending: Bool) {
    let titles = ["A", "C"].map { "The " + $0 + String(repeating: " long title", count: 90) }
    let keys = titles.enumerated().map { SortKey(value: .text($1), id: Int64($0)) }
    let (first, second) = isDescending ? (keys[1], keys[0]) : (keys[0], keys[1])

    let fence = SortKey.fence(after: first, before: second, isDescending: isDescending)

    #expect(fence.value == .text("The C"))
  }

  @Test(arguments: [false, true])
  func `a walk from a fence between numbers looks for no equal rows`(isDescending: Bool) {
    let keys = [1, 2].map { SortKey(value: .number($0), id: $0) }
    let (first, second) = isDescending ? (keys[1], keys[0]) : (keys[0], keys[1])
    let order = SnippetOrder(by: .created, isDescending: isDescending)
    let walk = ListSource(filter: SnippetFilter(), tags: [], order: order).walk(selecting: "id")

    let fence = SortKey.fence(after: first, before: second, isDescending: isDescending)

    #expect(walk.statements(from: fence).count == 1)
    #expect(walk.statements(from: second).count == 2)
  }

  @Test(arguments: [false, true])
  func `a fence within equal numbers is the second row`(isDescending: Bool) {
    let keys = [1, 2].map { SortKey(value: .number(1), id: $0) }
    let (first, second) = isDescending ? (keys[1], keys[0]) : (keys[0], keys[1])

    #expect(SortKey.fence(after: first, before: second, isDescending: isDescending) == second)
  }
}
