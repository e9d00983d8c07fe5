import Dispatch
import Foundation
import SnippetLoading
import Synchronization

/// The threads and the source of a loader whose time is not the clock's: every read holds its
/// thread until its virtual time has come.
///
/// One thread runs at a time, the caller of ``beginReads()`` and ``endRead(_:)`` waiting for it, so
/// the same seed gives the same course of events.
final class VirtualWorkers: BlobSource {
  /// A read that goes on.
  final class Read: Sendable {
    let key: LoadKey
    let end: ContinuousClock.Instant
    fileprivate let mayEnd = DispatchSemaphore(value: 0)

    fileprivate init(key: LoadKey, end: ContinuousClock.Instant) {
      self.key = key
      self.end = end
    }
  }

  private struct State {
    var now = ContinuousClock.now
    var works: [@Sendable () -> Void] = []
    // A concurrent queue has as many threads as the machine has cores, and all may be held.
    var idleQueues: [DispatchQueue] = []
    var begun: Read?
    var running: [Read] = []
    var random: RandomTimes
    var cancelledCount = 0
  }

  private let state: Mutex<State>
  private let bytes: Data
  /// A thread has come to its read, or to the end of its work.
  private let pause = DispatchSemaphore(value: 0)

  init(times: RandomTimes, byteCount: Int) {
    state = Mutex(State(random: times))
    bytes = Data(count: byteCount)
  }

  var now: ContinuousClock.Instant {
    get { state.withLock(\.now) }
    set { state.withLock { $0.now = newValue } }
  }

  /// The reads that go on.
  var running: [Read] { state.withLock(\.running) }

  /// How many reads ended after nobody wanted them any more.
  var cancelledCount: Int { state.withLock(\.cancelledCount) }

  /// The read that ends next.
  var next: Read? { running.min { $0.end < $1.end } }

  func execute(_ work: @escaping @Sendable () -> Void) {
    state.withLock { $0.works.append(work) }
  }

  /// Lets the works that were handed over come to their reads.
  ///
  /// - Returns: The reads that have begun.
  func beginReads() -> [Read] {
    var begun: [Read] = []
    while let work = state.withLock({ $0.works.isEmpty ? nil : $0.works.removeFirst() }) {
      let queue =
        state.withLock { $0.idleQueues.popLast() } ?? DispatchQueue(label: "VirtualWorkers")
      queue.async { [self] in
        work()
        state.withLock { $0.idleQueues.append(queue) }
        pause.signal()
      }
      pause.wait()
      if let read = state.withLock({ $0.begun.take() }) { begun.append(read) }
    }
    return begun
  }

  /// Ends a read, and the work that it is part of.
  func endRead(_ read: Read) {
    state.withLock { $0.running.removeAll { $0 === read } }
    read.mayEnd.signal()
    pause.wait()
  }

  func read(_ key: LoadKey, into context: inout LoadContext) throws {
    let read = state.withLock { state in
      let read = Read(key: key, end: state.now + state.random.next())
      state.begun = read
      state.running.append(read)
      return read
    }
    pause.signal()
    read.mayEnd.wait()
    if context.isCancelled { state.withLock { $0.cancelledCount += 1 } }
    try context.append(bytes)
  }
}

/// Times that are distributed like those of a disk or a network: log-normally.
struct RandomTimes: Sendable {
  let median: Duration
  let spread: Double
  private var generator: SplitMix64

  init(median: Duration, spread: Double, seed: UInt64) {
    self.median = median
    self.spread = spread
    generator = SplitMix64(state: seed)
  }

  mutating func next() -> Duration {
    // The method of Box and Muller.
    let radius = (-2 * log(Double.random(in: Double.leastNormalMagnitude..<1, using: &generator)))
      .squareRoot()
    let angle = 2 * Double.pi * Double.random(in: 0..<1, using: &generator)
    return median * exp(spread * radius * cos(angle))
  }

  /// Sebastiano Vigna's SplitMix64.
  private struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      return mixed ^ (mixed >> 31)
    }
  }
}
