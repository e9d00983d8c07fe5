/// How much may be loaded around the viewport, by what the list is doing.
///
/// How far the ranges of a mode go is in ``RangeTuning``; what is said here is true of its
/// defaults.
public enum RangeMode: String, Hashable, Sendable, CaseIterable {
  /// The list is on screen and in use: what comes into view is loaded ahead, further the faster
  /// the movement.
  case full
  /// The list is on screen beside something more important: a little is loaded ahead.
  case minimum
  /// Nothing is loaded ahead, as before the first movement or in a list that is about to leave.
  case visibleOnly
  /// Memory is short: nothing is loaded ahead, and when the mode is set the cache is cut to the
  /// bytes that the visible rows take.
  case lowMemory
}
