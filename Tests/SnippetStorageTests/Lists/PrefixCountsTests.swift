import SnippetTestSupport
import Testing

@testable import SnippetStorage

@Suite(.seeded)
struct PrefixCountsTests {
  @Test(arguments: [1, 2, 3, 7, 8, 9, 100])
  func `sums, numbers and positions are those of a plain array`(count: Int) {
    var random = SeededGenerator()
    var array = (0..<count).map { _ in random.below(4) }
    var counts = PrefixCounts(array)

    for _ in 0..<50 {
      #expect(counts.total == array.reduce(0, +))
      #expect(counts.count == count)
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
      let index = random.below(count)
      let difference = random.below(6) - min(3, array[index])
      array[index] += difference
      counts.add(difference, at: index)
    }
  }
}
