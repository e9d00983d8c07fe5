import SnippetLoader
import SnippetTestSupport
import Testing

/// Everything at once, at random, against an oracle: no wrong, lost, late or double delivery.
@MainActor
@Suite(.timeLimit(.minutes(5)))
struct LoaderSimulationTests {
  @Test(arguments: Array(1...4) as [UInt64])
  func `no delivery goes wrong whatever happens`(seed: UInt64) async {
    let world = LoaderWorld(seed: seed)

    while world.stepCount < 20_000, world.violations.isEmpty {
      for _ in 0..<400 { world.step() }
      world.fixture.settleWithRetries()
      world.returnAndRetry()
      world.fixture.settleWithRetries()
      world.checkAtRest()
      // The main actor is there for other tests too.
      await Task.yield()
    }

    #expect(world.violations.prefix(5) == [], "seed \(seed)")
  }

  @Test(arguments: Array(1...2) as [UInt64])
  func `no delivery goes wrong when reads run on threads`(seed: UInt64) async {
    let world = LoaderWorld(seed: seed, isThreaded: true)

    while world.stepCount < 5_000, world.violations.isEmpty {
      for _ in 0..<200 { world.step() }
      await world.fixture.deliverAll()
      world.returnAndRetry()
      await world.fixture.deliverAll()
      world.checkAtRest()
    }

    #expect(world.violations.prefix(5) == [], "seed \(seed)")
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
}
