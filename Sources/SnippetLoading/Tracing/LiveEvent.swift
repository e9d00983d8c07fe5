/// An event of a loader, told soon after it happened.
package struct LiveEvent: Sendable {
  /// The action.
  package let action: LoaderAction
  /// The time of the event, a little before it is told.
  package let time: ContinuousClock.Instant
  /// The duration of work that ended; otherwise `nil`.
  package let duration: Duration?
  /// The cause of a failure; otherwise `nil`.
  package let error: (any Error)?
  /// The number of events lost before this one because the listener was too slow.
  package var lostCount = 0

  init(
    _ action: LoaderAction,
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
  package var description: String {
    var text = String(describing: action)
    if let duration { text += " after \(duration)" }
    if let error { text += ": \(error)" }
    return text
  }
}
