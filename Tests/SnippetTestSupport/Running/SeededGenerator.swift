import SnippetBase
package import Testing
import Foundation
internal import SnippetLoading

/// Random numbers that can be repeated.
///
/// A test that uses one has the trait `.seeded`, which adds the seed to every failure; set
/// `SNIP_TEST_SEED` to it to repeat the run.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
  /// The seed of this run of the tests and of the processes that it starts.
  ///
  /// It is chosen, and printed, before any Swift code runs.
  package static let runSeed =
    ProcessInfo.processInfo.environment["SNIP_TEST_SEED"].flatMap { UInt64($0) }
    ?? UInt64.random(in: 0...UInt64.max)

  /// The seed of this generator.
  package let seed: UInt64
  private var generator: SplitMix64

  package init(seed: UInt64 = runSeed) {
    self.seed = seed
    generator = SplitMix64(seed: seed)
  }

  package mutating func next() -> UInt64 { generator.next() }

  /// A number from 0 up to a bound, which must be positive.
  package mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

  /// Returns `true` with a given probability.
  package mutating func chance(_ probability: Double) -> Bool {
    Double.random(in: 0..<1, using: &self) < probability
  }

  /// One of several elements, of which there must be at least one.
  package mutating func element<Element>(of elements: [Element]) -> Element {
    elements[below(elements.count)]
  }
}

extension Trait where Self == IssueHandlingTrait {
  /// Adds the seed of the run to every issue.
  package static var seeded: Self {
    .compactMapIssues { issue in
      let seed: Comment = "run again with SNIP_TEST_SEED=\(SeededGenerator.runSeed)"
      var issue = issue
      if !issue.comments.contains(seed) { issue.comments.append(seed) }
      return issue
    }
  }
}
