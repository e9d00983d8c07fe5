/// How much is loaded around the viewport.
///
/// ``RangeTuning`` says how far the ranges of each mode go. This describes its defaults.
public enum RangeMode: String, Hashable, Sendable, CaseIterable {
  /// The list is in use: what comes into view is loaded ahead, the further the faster it moves.
  case full
  /// The list is beside something more important: a little is loaded ahead.
  case minimum
  /// Nothing is loaded ahead, as before the first movement or in a list that is about to leave.
  case visibleOnly
  /// Memory is short: nothing is loaded ahead, and when the mode is set the cache is cut to the
  /// bytes that the visible rows take.
  case lowMemory
}
