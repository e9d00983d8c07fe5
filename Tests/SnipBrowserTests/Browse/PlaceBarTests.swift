import SnippetTestSupport
import Testing

@testable import SnipBrowser

/// The thumb that tells the place in a list or a text.
@Suite(.seeded)
struct PlaceBarTests {
  @Test(arguments: [
    (0, 10, 20, 0..<5), (10, 10, 20, 5..<10), (5, 10, 20, 3..<8), (0, 5, 1_000_000, 0..<1),
    (1, 5, 1_000_000, 1..<2), (999_994, 5, 1_000_000, 8..<9), (999_995, 5, 1_000_000, 9..<10),
    (0, 10, 10, 0..<0), (0, 10, 3, 0..<0), (0, 1, 0, 0..<0),
  ])
  func `it covers the part that is on the screen`(
    first: Int,
    shown: Int,
    count: Int,
    covered: Range<Int>
  ) {
    #expect(PlaceBar(first: first, shown: shown, of: count, lines: 10).covered == covered)
  }

  @Test func `it stays within its lines, and touches an end only there`() {
    var generator = SeededGenerator(seed: SeededGenerator.runSeed)
    for _ in 0..<2000 {
      let (shown, lines) = (1 + generator.below(40), generator.below(40))
      let count = shown + 1 + generator.below(1000)
      let first = generator.below(count - shown + 1)
      let covered = PlaceBar(first: first, shown: shown, of: count, lines: lines).covered
      let words: Comment = "\(first) \(shown) \(count) \(lines)"
      guard lines > 0 else {
        #expect(covered.isEmpty, words)
        continue
      }
      #expect(!covered.isEmpty && covered.lowerBound >= 0 && covered.upperBound <= lines, words)
      if lines - covered.count > 1 {
        #expect((covered.lowerBound == 0) == (first == 0), words)
        #expect((covered.upperBound == lines) == (first == count - shown), words)
      }
    }
  }
}
