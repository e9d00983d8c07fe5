import Foundation
import SnippetLoading
import SnippetTestSupport
import SnippetTesting
import Testing

/// Everything at once, at random, against an oracle: no wrong, lost, late or double delivery.
///
/// The long form, ten million steps, takes some minutes in a release build:
///
///     SNIP_LONG_TESTS=1 swift test -c release --no-parallel --filter LoaderSimulationTests
@MainActor
@Suite(.timeLimit(.minutes(60)))
struct LoaderSimulationTests {
  private nonisolated static let isLong =
    ProcessInfo.processInfo.environment["SNIP_LONG_TESTS"] != nil

  @Test(arguments: [isLong ? 1...1_000 : 1...40] as [ClosedRange<UInt64>])
  func `no delivery goes wrong whatever happens`(seeds: ClosedRange<UInt64>) async {
    for seed in seeds {
      let world = LoaderWorld(seed: seed)
      await live(in: world, steps: Self.isLong ? 10_000 : 1_000, between: 250) {
        world.fixture.settleWithRetries()
      }
      guard world.violations.isEmpty else { return tell(world, seed) }
    }
  }

  @Test(arguments: [isLong ? 1...1_000 : 1...10] as [ClosedRange<UInt64>])
  func `no delivery goes wrong when reads run on threads`(seeds: ClosedRange<UInt64>) async {
    for seed in seeds {
      let world = LoaderWorld(seed: seed, isThreaded: true)
      await live(in: world, steps: 1_000, between: 100) { await world.fixture.deliverAll() }
      guard world.violations.isEmpty else { return tell(world, seed) }
    }
  }

  @Test(arguments: [isLong ? 1...1_000 : 1...20] as [ClosedRange<UInt64>])
  func `no delivery goes wrong whatever happens in lists that share their loads`(
    seeds: ClosedRange<UInt64>
  ) async {
    for seed in seeds {
      let world = LoaderWorld(seed: seed)
      let other = LoaderWorld(seed: ~seed, sharing: world)
      var random = SeededGenerator(seed: seed)
      let worlds = [world, other]
      while world.stepCount < (Self.isLong ? 5_000 : 500), worlds.allSatisfy(\.isSound) {
        for _ in 0..<250 where worlds.allSatisfy(\.isSound) { random.element(of: worlds).step() }
        settle(worlds)
        for world in worlds { world.returnAndRetry() }
        settle(worlds)
        for world in worlds { world.checkAtRest() }
        await Task.yield()
      }
      for world in worlds where !world.isSound { return tell(world, seed) }
    }
  }

  private func settle(_ worlds: [LoaderWorld]) {
    var loadCount = -1
    while let count = worlds.first?.fixture.loader.counters.loadsStarted, count != loadCount {
      loadCount = count
      for world in worlds { world.fixture.settleWithRetries() }
    }
  }

  @Test func `nothing is left of a world that ends in the middle`() {
    weak var observed: SnippetLoader?
    do {
      let world = LoaderWorld(seed: 5)
      for _ in 0..<500 { world.step() }
      observed = world.fixture.loader
    }
    #expect(observed == nil)
  }

  /// Lets everything happen, and looks at the screen whenever all has come to rest.
  private func live(
    in world: LoaderWorld,
    steps: Int,
    between rests: Int,
    settle: () async -> Void
  ) async {
    while world.stepCount < steps, world.violations.isEmpty {
      for _ in 0..<rests where world.violations.isEmpty { world.step() }
      await settle()
      world.returnAndRetry()
      await settle()
      world.checkAtRest()
      // The main actor is there for other tests too.
      await Task.yield()
    }
  }

  private func tell(_ world: LoaderWorld, _ seed: UInt64) {
    Issue.record("Seed \(seed): \(world.violations.prefix(5).joined(separator: "\n"))")
  }
}
