@testable import SnippetLoading
import SnippetStorage
import SnippetTestSupport
import Testing

struct SlotIndexTests {
  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `random keys are found as in a dictionary`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var index = SlotIndex()
    var reference: [LoadKey: Int] = [:]
    for step in 0..<20_000 {
      let key = LoadKey(
        blobID: .init(rawValue: random.chance(0.1) ? .max - 9 : Int64(random.below(300)) - 20),
        recipe: [Recipe.original, .numbered(1), .numbered(2)][random.below(3)]
      )
      #expect(index[key] == reference[key], "seed \(seed), step \(step)")
      if reference.removeValue(forKey: key) != nil {
        index.remove(key)
      } else {
        reference[key] = step
        index.insert(step, for: key)
      }
      guard index.count == reference.count, index[key] == reference[key] else {
        Issue.record("The index is wrong: seed \(seed), step \(step).")
        return
      }
    }
    for (key, slot) in reference { #expect(index[key] == slot, "seed \(seed)") }
  }
}
