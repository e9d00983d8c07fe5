import SnippetTesting
import Testing

struct ScrollSimulationTests {
  private func path(
    _ pattern: ScrollPattern,
    rows: Int = 10_000,
    viewport: Int = 12,
    seed: UInt64 = 1,
    steps: Int = 5_000
  ) -> [Int] {
    Array(
      ScrollSimulation(
        rowCount: rows,
        viewport: viewport,
        pattern: pattern,
        seed: seed,
        steps: steps
      )
    )
  }

  @Test(arguments: ScrollPattern.allCases)
  func `a thumb begins at the top, stays in the list and makes all its steps`(
    pattern: ScrollPattern
  ) {
    for (rows, viewport) in [(10_000, 12), (13, 12), (12, 12), (5, 12), (0, 12), (-1, 0), (100, 0)]
    {
      let path = path(pattern, rows: rows, viewport: viewport)

      #expect(path.count == 5_000)
      #expect(path.first == 0)
      #expect(path.allSatisfy { $0 >= 0 && $0 <= max(0, rows - max(1, viewport)) })
    }
  }

  @Test(arguments: ScrollPattern.allCases)
  func `the same seed gives the same movement`(pattern: ScrollPattern) {
    #expect(path(pattern, seed: 42) == path(pattern, seed: 42))
    if pattern != .steady { #expect(path(pattern, seed: 1) != path(pattern, seed: 2)) }
  }

  @Test func `no steps give no positions`() {
    #expect(path(.fling, steps: 0).isEmpty)
    #expect(path(.fling, steps: -1).isEmpty)
  }

  @Test func `the movement is the same on every platform`() {
    #expect(
      path(.fling, seed: 7, steps: 400).enumerated().filter { $0.0 % 50 == 0 }.map(\.1)
        == [0, 9, 13, 30, 35, 25, 21, 19]
    )
  }

  private func speeds(_ path: [Int]) -> [Int] {
    zip(path.dropFirst(), path).map { $0 - $1 }
  }

  @Test func `a steady pull goes on and turns round at the end`() {
    let path = path(.steady, rows: 112, viewport: 12)

    #expect(speeds(path).allSatisfy { abs($0) <= 1 })
    #expect(path.contains(100))
    #expect(Set(path).count == 101)
  }

  @Test func `a fling has speed, slows down, rests and turns`() {
    let speeds = speeds(path(.fling))

    #expect((speeds.max() ?? 0) >= 1)
    #expect(speeds.contains(where: { $0 < 0 }))
    #expect(speeds.count { $0 == 0 } > 500)
    #expect(speeds.allSatisfy { abs($0) <= 12 })
  }

  @Test func `a jump rests and leaps`() {
    let speeds = speeds(path(.jump))

    #expect(speeds.count { $0 == 0 } > 4_000)
    #expect(speeds.contains { abs($0) > 1_000 })
  }

  @Test func `a jitter goes to and fro`() {
    let speeds = speeds(path(.jitter))

    #expect(speeds.count { $0 > 0 } > 1_000)
    #expect(speeds.count { $0 < 0 } > 1_000)
    #expect(speeds.allSatisfy { abs($0) <= 2 })
  }
}
