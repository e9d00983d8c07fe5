/// One thing that a loader did or was told, and when.
package struct LoaderEvent: Hashable, Sendable {
  package typealias Action = LoaderAction
  package typealias Outcome = LoaderAction.Outcome
  package typealias State = LoaderAction.State
  package typealias DropReason = LoaderAction.DropReason
  package typealias Scope = LoaderAction.Scope

  /// When it happened, counted from the beginning of the trace, in whole nanoseconds.
  package var time: Duration
  /// The action.
  package var action: Action

  /// Describes an event.
  ///
  /// - Parameters:
  ///   - time: When it happened, counted from the beginning of the trace.
  ///   - action: What happened.
  package init(time: Duration, _ action: Action) {
    self.time = time
    self.action = action
  }
}
