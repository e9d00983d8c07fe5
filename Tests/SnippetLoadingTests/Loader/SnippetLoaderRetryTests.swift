import SnippetLoading
import SnippetStorage
import SnippetTestSupport
import SnippetTesting
import Testing

@MainActor
struct SnippetLoaderRetryTests {
  private let error = LoadError(.unreadable, reason: "the disk is asleep")
  private let fixture = ScriptedLoader { configuration in
    configuration.ranges = .none
    configuration.retries.maximumAttemptCount = 3
    configuration.retries.firstDelay = .seconds(1)
    configuration.retries.growth = 3
    configuration.retries.jitter = 0.5
    configuration.retries.memory = .seconds(60)
  }
  private var loader: SnippetLoader { fixture.loader }
  private var source: ScriptedSource { fixture.source }
  private var key: LoadKey { fixture.key(at: 0) }

  private func readCount() -> Int { source.readCount(of: key) }

  /// How long it is until the attempt that a state tells of.
  private func delay(_ state: LoadState<LoadedBlob>?) throws -> Duration {
    guard case .loading(let progress) = state else { return .zero }
    return try #require(progress.retryAt) - fixture.clock.now
  }

  @Test func `each attempt waits longer than the one before and the last failure ends it`() throws {
    source.fail(key, with: error)
    let cell = fixture.boundCell(to: 0)

    fixture.settle()
    let first = try delay(cell.state)
    fixture.timer.runAll()
    fixture.settle()
    let second = try delay(cell.state)
    fixture.settleWithRetries()

    #expect((.milliseconds(500)) < first && first <= .seconds(1))
    #expect((.milliseconds(1_500)) < second && second <= .seconds(3))
    #expect(readCount() == 3)
    #expect(cell.error == error)
    #expect(loader.counters.loadsFailed == 3)
    #expect(loader.counters.loadsDelayed == 2)
    #expect(fixture.timer.pendingCount == 0)
  }

  @Test func `nothing is tried before its time has come`() throws {
    source.fail(key, with: error)
    let cell = fixture.boundCell(to: 0)
    fixture.settle()

    fixture.clock.advance(by: try delay(cell.state) - .milliseconds(1))
    fixture.timer.runDue()
    fixture.settle()
    #expect(readCount() == 1)
    fixture.clock.advance(by: .milliseconds(1))
    fixture.timer.runDue()
    fixture.settle()

    #expect(readCount() == 2)
  }

  @Test func `an attempt that succeeds is the end of it`() {
    source.fail(key, with: error)
    let cell = fixture.boundCell(to: 0)
    fixture.settle()
    source.fail(key, with: nil)

    fixture.settleWithRetries()

    #expect(cell.state == fixture.bytes(at: 0))
    #expect(cell.states.count == 3)
    #expect(readCount() == 2)
  }

  @Test func `a binding has one end however its attempts go`() {
    var generator = SeededGenerator(seed: 7)
    for position in 0..<50 {
      let key = fixture.key(at: position)
      let failures = Int.random(in: 0...4, using: &generator)
      if failures > 0 { source.fail(key, with: error) }
      let cell = fixture.boundCell(to: position)
      for _ in 0..<failures {
        fixture.settle()
        fixture.timer.runAll()
      }
      source.fail(key, with: nil)
      fixture.settleWithRetries()

      let ends = cell.states.count { state in
        if case .loading = state { false } else { true }
      }
      #expect(ends == 1, "seed 7, position \(position), \(failures) failures")
      #expect(source.readCount(of: key) == min(3, failures + 1))
    }
  }

  @Test func `many cells on what is broken cause no more attempts than one`() {
    source.fail(key, with: error)
    fixture.loader.bind(RecordingCell(), to: 0)
    let cells = (0..<10).map { _ in fixture.boundCell(to: 0) }
    fixture.settleWithRetries()
    #expect(readCount() == 3)

    let later = (0..<100).map { _ in fixture.boundCell(to: 0) }
    for _ in 0..<10 { loader.show(visible: 0..<1) }
    fixture.settleWithRetries()

    #expect(readCount() == 3)
    let failed = LoadState<LoadedBlob>.failed(error)
    #expect((cells + later).allSatisfy { $0.state == failed })
    // Known failures are told within the call, without a moment of waiting.
    #expect(later.allSatisfy { $0.states == [failed] })
  }

  @Test func `what is remembered of a failure ends after a while`() {
    source.fail(key, with: error)
    let cell = fixture.boundCell(to: 0)
    fixture.settleWithRetries()
    source.fail(key, with: nil)

    fixture.clock.advance(by: .seconds(59))
    #expect(loader.bind(cell, to: 0) == .failed(error))
    fixture.clock.advance(by: .seconds(1))
    #expect(loader.bind(cell, to: 0) == .pending)
    fixture.settle()

    #expect(cell.state == fixture.bytes(at: 0))
  }

  @Test func `what cannot be overcome is not tried again`() {
    source.fail(key, with: LoadError(.notFound))
    let cell = fixture.boundCell(to: 0)
    fixture.settleWithRetries()
    fixture.clock.advance(by: .seconds(10_000))

    #expect(loader.bind(cell, to: 0) == .failed(LoadError(.notFound)))
    fixture.settleWithRetries()

    #expect(readCount() == 1)
    #expect(cell.states == [.waiting, .failed(LoadError(.notFound))])
  }

  @Test func `nobody tries again for a cell that left`() {
    source.fail(key, with: error)
    let cell = fixture.boundCell(to: 0)
    fixture.settle()

    loader.unbind(cell)
    fixture.settleWithRetries()

    #expect(readCount() == 1)
    #expect(loader.isSettled)
  }

  @Test func `a second cell during a delay joins and gets the failure`() throws {
    source.fail(key, with: error)
    let first = fixture.boundCell(to: 0)
    fixture.settle()

    let second = fixture.boundCell(to: 0)
    fixture.settle()
    #expect(second.state == first.state)
    source.fail(key, with: nil)
    fixture.settleWithRetries()

    #expect(second.state == fixture.bytes(at: 0))
    #expect(readCount() == 2)
  }

  @Test func `retry does not wait for the time of the next attempt`() {
    source.fail(key, with: error)
    let cell = fixture.boundCell(to: 0)
    fixture.settle()
    source.fail(key, with: nil)

    loader.retry(cell)
    fixture.settle()

    #expect(cell.state == fixture.bytes(at: 0))
    // The alarm of the attempt that was put off rings for nobody.
    fixture.settleWithRetries()
    #expect(readCount() == 2)
  }

  @Test func `a cell that comes back waits for the rest of the delay`() throws {
    source.fail(key, with: error)
    let cell = fixture.boundCell(to: 0)
    fixture.settle()
    let whole = try delay(cell.state)

    loader.unbind(cell)
    fixture.clock.advance(by: .milliseconds(100))
    let later = fixture.boundCell(to: 0)
    fixture.settle()
    #expect(readCount() == 1)
    #expect(try delay(later.state) == whole - .milliseconds(100))
    fixture.settleWithRetries()

    #expect(readCount() == 3)
    #expect(later.error == error)
  }

  @Test func `a delay that nobody waits for at its end ends without an attempt`() {
    source.fail(key, with: error)
    let cell = fixture.boundCell(to: 0)
    fixture.settle()

    loader.unbind(cell)
    fixture.settleWithRetries()
    #expect(readCount() == 1)
    #expect(loader.counters.loadsWithdrawn == 1)

    // Nothing is left of it: the next one has all its attempts.
    source.fail(key, with: nil)
    #expect(fixture.boundCell(to: 0).state == .waiting)
    fixture.settle()
    #expect(readCount() == 2)
  }

  @Test func `a recipe whose delay nobody waited for is made anew from what it is made from`() {
    let processor = FakeProcessor(1)
    let rules = RecipeRules(processors: [processor], recipes: [processor.recipe]) { _, _ in
      [processor.recipe]
    }
    let fixture = ScriptedLoader(rules: rules) { configuration in
      configuration.ranges = .none
      configuration.retries.maximumAttemptCount = 3
    }
    let made = fixture.key(at: 0).by(processor.recipe)
    processor.fail(BlobID(rawValue: 1), with: error)
    let cell = fixture.boundCell(to: 0)
    fixture.settle()
    fixture.loader.unbind(cell)
    processor.fail(BlobID(rawValue: 1), with: nil)

    let later = fixture.boundCell(to: 0)
    fixture.settleWithRetries()

    #expect(later.state == .loaded(fixture.source.blob(of: made)))
    #expect(processor.processed == [made, made])
  }

  @Test func `reset does not wait for the delay`() {
    source.fail(key, with: error)
    let cell = fixture.boundCell(to: 0)
    fixture.settle()
    source.fail(key, with: nil)

    loader.reset(cell)
    fixture.settle()

    #expect(cell.state == fixture.bytes(at: 0))
    #expect(readCount() == 2)
  }

  @Test func `retryAll makes at once what nobody but the viewport waits for`() {
    let fixture = ScriptedLoader { configuration in
      configuration.ranges = .init(imminent: 0, leading: 1, trailing: 0)
      configuration.retries.maximumAttemptCount = 3
    }
    let ahead = fixture.key(at: 1)
    fixture.source.fail(ahead, with: error)
    fixture.loader.show(visible: 0..<1)
    fixture.settle()
    #expect(fixture.source.readCount(of: ahead) == 1)
    fixture.source.fail(ahead, with: nil)

    fixture.loader.retryAll()
    fixture.settle()

    #expect(fixture.loader.pipeline.blobInMemory(for: ahead) != nil)
  }

  @Test func `retry begins again after the last failure with all attempts`() {
    source.fail(key, with: error)
    let cell = fixture.boundCell(to: 0)
    fixture.settleWithRetries()

    loader.retry(cell)
    #expect(cell.state == .waiting)
    fixture.settleWithRetries()

    #expect(readCount() == 6)
    #expect(cell.error == error)
  }

  @Test func `retry leaves alone what is loaded or not bound`() {
    let cell = fixture.boundCell(to: 0)
    fixture.settle()

    loader.retry(cell)
    loader.retry(RecordingCell())
    fixture.settle()

    #expect(cell.states == [.waiting, fixture.bytes(at: 0)])
    #expect(readCount() == 1)
  }

  @Test func `retryAll serves every cell that shows a failure`() {
    let keys = (0..<3).map { fixture.key(at: $0) }
    for key in keys { source.fail(key, with: error) }
    let cells = (0..<3).map { fixture.boundCell(to: $0) }
    fixture.settleWithRetries()
    for key in keys { source.fail(key, with: nil) }

    loader.retryAll()
    fixture.settle()

    for (position, cell) in cells.enumerated() {
      #expect(cell.state == fixture.bytes(at: position))
    }
  }
}
