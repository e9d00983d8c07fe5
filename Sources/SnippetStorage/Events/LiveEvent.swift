/// One thing that a store or a loader did, told soon after.
///
/// A store tells of its work in the background, see ``StoreAction``; a loader of all that its trace
/// records. Both call one closure, for each event in order, on a queue of their own and never under
/// a lock, so it may call anything. It should be quick: of more than 10,000 events that wait for it
/// the newest are lost. Where there is no closure, nothing is spent: no clock is read and nothing is
/// allocated.
///
/// <doc:LiveEvents> shows how events become lines of a log and intervals of a profiler.
public struct LiveEvent<Action: Sendable>: Sendable {
  /// What happened.
  public let action: Action
  /// When it happened, which is a little before it is told.
  public let time: ContinuousClock.Instant
  /// How long the work took that ended with this; `nil` for what takes no time or only began.
  public let duration: Duration?
  /// Why it failed, a ``SnippetStoreError`` or an error of the loader; `nil` where nothing did.
  public let error: (any Error)?
  /// How many events were lost before this one, because the closure was too slow.
  public package(set) var lostCount = 0

  /// Describes an event.
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
  /// What happened in one line, with the time it took and the error.
  public var description: String {
    var text = String(describing: action)
    if let duration { text += " after \(duration)" }
    if let error { text += ": \(error)" }
    return text
  }
}
