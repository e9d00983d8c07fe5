package import Foundation
import SnippetBase

/// Records what a loader does, to be inspected and replayed, and tells of it while it happens.
///
/// It is given to a loader when that is made, and may be read from any thread at
/// any time. It holds no more than a number of events; when there are more, the oldest go first. An
/// event costs a look at the clock and a lock; a loader without a trace spends nothing on it.
///
/// ```swift
/// let trace = LoaderTrace()
/// let loader = SnippetLoader(
///   list: list,
///   source: StoreBlobs(store),
///   environment: LoaderEnvironment(trace: trace)
/// )
/// loader.show(visible: 0..<12)  // and on, as the list scrolls
/// try await trace.write(to: file)
/// ```
package final class LoaderTrace: Sendable {
  private struct State {
    var events: LoaderEventQueue
    var origin: ContinuousClock.Instant?
  }

  private let state: Lock<State>
  /// `nil` if there is no listener.
  fileprivate let relay: EventRelay<LiveEvent>?

  /// Makes a trace without any event.
  ///
  /// - Parameters:
  ///   - capacity: The most events to hold; 0 holds none. The default is 100,000, which take about
  ///     8 MB.
  ///   - onEvent: Told of each event while it happens, on a queue of the trace, one after the other,
  ///     under no lock and never within a call of the loader. The default is nobody.
  package init(
    capacity: Int = 100_000,
    onEvent: (@Sendable (LiveEvent) -> Void)? = nil
  ) {
    state = Lock(State(events: LoaderEventQueue(capacity: max(0, capacity))))
    relay = onEvent.map { onEvent in
      EventRelay(label: "SnippetLoader.events") { event, lostCount in
        var event = event
        event.lostCount = lostCount
        onEvent(event)
      }
    }
  }

  /// The events that are held, the oldest first, and how many came before them and are lost.
  ///
  /// Events of several threads that came at the same time may be a little out of their order.
  ///
  /// - Complexity: O(*n*).
  package var held: (events: [LoaderEvent], lostCount: Int) {
    let events = state.withLock(\.events)
    return (events.all, events.lostCount)
  }

  /// How many events were dropped because the trace was full.
  package var lostCount: Int { state.withLock(\.events.lostCount) }

  /// Forgets all events and the number of dropped ones.
  ///
  /// The time goes on.
  package func removeAll() {
    state.withLock { $0.events.removeAll() }
  }

  /// Writes the events to a file as JSON lines, in place of what is there.
  ///
  /// - Parameter file: The file. It is replaced once everything is written.
  /// - Throws: The error of the system.
  package func write(to file: URL) async throws {
    try await OwnThreads.result { [self] in
      let (events, lostCount) = held
      let lines = try LoaderEventLines.data(events, lostCount: lostCount)
      try lines.write(to: file, options: .atomic)
    }
  }

  /// The time at which the trace began: now, unless it has begun already.
  func begin(at now: ContinuousClock.Instant) -> ContinuousClock.Instant {
    state.withLock { state in
      let origin = state.origin ?? now
      state.origin = origin
      return origin
    }
  }

  func append(_ event: LoaderEvent) {
    state.withLock { $0.events.append(event) }
  }
}

extension LoaderTrace {
  /// Waits until the listener has received all earlier events.
  package func flush() async {
    await relay?.flush()
  }

  /// Tells who listens, if somebody does.
  fileprivate func tell(
    _ action: LoaderAction,
    at time: ContinuousClock.Instant,
    duration: Duration?,
    error: (any Error)?
  ) {
    relay?.send(LiveEvent(action, at: time, duration: duration, error: error))
  }
}

/// A loader's hand on a trace: it knows the time.
final class LoaderEventRecorder: Sendable {
  private let trace: LoaderTrace
  private let now: @Sendable () -> ContinuousClock.Instant
  private let origin: ContinuousClock.Instant

  init(_ trace: LoaderTrace, now: @escaping @Sendable () -> ContinuousClock.Instant) {
    self.trace = trace
    self.now = now
    origin = trace.begin(at: now())
  }

  /// Records an event.
  ///
  /// - Parameters:
  ///   - action: What happened.
  ///   - duration: How long it took, for who listens.
  ///   - error: Why it failed, for who listens.
  func record(
    _ action: LoaderAction,
    duration: Duration? = nil,
    error: (any Error)? = nil
  ) {
    let now = now()
    // Of a duration no more than that survives a file.
    let time = Duration.nanoseconds((now - origin).wholeNanoseconds)
    trace.append(LoaderEvent(time: max(.zero, time), action))
    trace.tell(action, at: now, duration: duration, error: error)
  }
}

/// The newest of all events, up to a number of them.
struct LoaderEventQueue: Sendable {
  /// A growing array would be copied now and then, all at once; the pieces stay where they are.
  private static let pieceCount = 4_096

  let capacity: Int
  private(set) var lostCount = 0
  private var pieces: [[LoaderEvent]] = []
  /// How many events of the first piece are gone.
  private var goneCount = 0
  private var count = 0

  init(capacity: Int) {
    self.capacity = capacity
  }

  var all: [LoaderEvent] { Array(pieces.joined().dropFirst(goneCount)) }

  mutating func append(_ event: LoaderEvent) {
    guard capacity > 0 else {
      lostCount += 1
      return
    }
    if pieces.last.map({ $0.count == Self.pieceCount }) ?? true {
      var piece: [LoaderEvent] = []
      piece.reserveCapacity(min(Self.pieceCount, capacity))
      pieces.append(piece)
    }
    pieces[pieces.count - 1].append(event)
    count += 1
    guard count > capacity else { return }
    count -= 1
    lostCount += 1
    goneCount += 1
    if goneCount == Self.pieceCount {
      pieces.removeFirst()
      goneCount = 0
    }
  }

  mutating func removeAll() {
    self = LoaderEventQueue(capacity: capacity)
  }
}
