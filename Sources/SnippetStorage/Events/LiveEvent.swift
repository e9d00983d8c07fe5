/// An event in a store or a loader, reported soon after it happened.
///
/// A store reports its background work, see ``StoreAction``; a loader reports everything that its
/// trace records. Both call a single closure for each event in order, on a queue of their own and
/// never under a lock, so the closure may call anything. It should be quick: if more than 10,000
/// events are waiting for it, the newest are lost. Without a closure, events cost nothing: no clock
/// is read and nothing is allocated.
///
/// <doc:LiveEvents> shows how to turn events into lines of a log and intervals of a profiler.
public struct LiveEvent<Action: Sendable>: Sendable {
  /// The action.
  public let action: Action
  /// The time of the event, a little before it is reported.
  public let time: ContinuousClock.Instant
  /// The duration of the work that ended; `nil` for an event without duration and for the beginning
  /// of work.
  public let duration: Duration?
  /// The cause of a failure, a ``SnippetStoreError`` or an error of the loader; otherwise `nil`.
  public let error: (any Error)?
  /// The number of events lost before this one because the closure was too slow.
  public package(set) var lostCount = 0

  /// Makes an event.
  package init(
    _ action: Action,
    at time: ContinuousClock.Instant,
    duration: Duration? = nil,
    error: (any Error)? = nil
  ) {
    self.action = action
    self.time = time
    self.duration = duration
    self.error = error
  }
}

extension LiveEvent: CustomStringConvertible {
  /// The event in one line, with its duration and error.
  public var description: String {
    var text = String(describing: action)
    if let duration { text += " after \(duration)" }
    if let error { text += ": \(error)" }
    return text
  }
}
