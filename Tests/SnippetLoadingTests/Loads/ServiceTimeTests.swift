@testable import SnippetLoading
import SnippetTestSupport
import SnippetTesting
import Testing

struct ServiceTimeTests {
  private func milliseconds(_ time: ServiceTime) -> Double {
    (time.mean ?? .zero) / .milliseconds(1)
  }

  private func after(_ durations: [Duration]) -> ServiceTime {
    var time = ServiceTime()
    for duration in durations { time.add(duration) }
    return time
  }

  @Test func `nothing is known before the first load`() {
    #expect(ServiceTime().mean == nil)
  }

  @Test func `the first loads weigh the same`() {
    let time = after([.milliseconds(10), .milliseconds(20), .milliseconds(60)])

    #expect(abs(milliseconds(time) - 30) < 0.001)
  }

  @Test func `the mean follows a source that becomes slower`() {
    var time = after(Array(repeating: .milliseconds(10), count: 1_000))
    for _ in 0..<ServiceTime.memory { time.add(.milliseconds(100)) }
    #expect((60.0..<75).contains(milliseconds(time)))

    for _ in 0..<5 * ServiceTime.memory { time.add(.milliseconds(100)) }
    #expect((99.0...100).contains(milliseconds(time)))
  }

  @Test func `one slow load among many changes little`() {
    var time = after(Array(repeating: .milliseconds(10), count: 100))
    time.add(.milliseconds(330))

    #expect(milliseconds(time) <= 20.001)
  }

  @Test func `what no load takes is brought into bounds`() {
    #expect(after([.seconds(-5)]).mean == .zero)
    #expect(after([.seconds(1 << 60)]).mean == ServiceTime.longest)
  }

  @Test(.seeded)
  func `the mean lies between the shortest and the longest load`() {
    var random = SeededGenerator()
    for _ in 0..<100 {
      let durations = (0..<1 + random.below(200)).map { _ in
        Duration.microseconds(random.below(1_000_000))
      }
      let mean = milliseconds(after(durations))

      #expect(mean >= (durations.min() ?? .zero) / .milliseconds(1) - 0.001)
      #expect(mean <= (durations.max() ?? .zero) / .milliseconds(1) + 0.001)
    }
  }

  @MainActor
  @Test func `a load is timed from when a worker is asked until it is done, if it is wanted`() {
    let fixture = ScriptedLoader()
    let pipeline = fixture.loader.pipeline
    let clock = fixture.clock
    let abandoned = fixture.boundCell(to: 1)
    fixture.source.onPiece { _, piece in
      if piece == 0 { clock.advance(by: .milliseconds(20)) }
    }
    _ = fixture.boundCell(to: 3)
    clock.advance(by: .milliseconds(10))
    fixture.loader.unbind(abandoned)
    #expect(pipeline.pace(loadsPerRow: 1) == nil)

    fixture.settle()

    let pace = pipeline.pace(loadsPerRow: 2)
    #expect(abs((pace?.serviceTime ?? .zero) / .milliseconds(1) - 30) < 0.001)
    // One of the workers is kept for what is visible.
    let workerCount = Double(pipeline.configuration.workerCount - 1)
    #expect(abs((pace?.rowsPerSecond ?? 0) - workerCount / 0.03 / 2) < 0.1)
  }
}
