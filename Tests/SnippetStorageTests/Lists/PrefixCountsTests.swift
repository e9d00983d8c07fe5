import SnippetTestSupport
import Testing

@testable import SnippetStorage

@Suite(.seeded)
struct PrefixCountsTests {
  @Test(arguments: [1, 2, 3, 7, 8, 9, 100])
  func `sums, numbers and positions are those of a plain array`(count: Int) {
    var random = SeededGenerator()
    for _ in 0..<50 {
      let array = (0..<count).map { _ in random.below(4) }
      var counts = PrefixCounts(array.map { $0 * 2 })
      for index in array.indices.shuffled(using: &random) { counts[index] = array[index] }

      #expect(counts.total == array.reduce(0, +))
      #expect(counts.values == array)
      for index in array.indices {
        #expect(counts[index] == array[index])
        #expect(counts.sum(before: index) == array[..<index].reduce(0, +))
      }
      let places = array.enumerated().flatMap { index, value in (0..<value).map { [index, $0] } }
      for (position, place) in places.enumerated() {
        let found = counts.find(position)
        #expect([found.index, found.rest] == place)
      }
    }
  }
}
