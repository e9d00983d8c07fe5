/// The amount of loading around the viewport.
///
/// ``RangeTuning`` sets the ranges of each mode. The descriptions below are of its defaults.
public enum RangeMode: String, Hashable, Sendable, CaseIterable {
  /// The list is in use: rows are loaded before they come into view, further ahead the faster it
  /// moves.
  case full
  /// The list is beside something more important: only a little is loaded ahead.
  case minimum
  /// Nothing is loaded ahead, as before the first movement or in a list that is about to leave.
  case visibleOnly
  /// Memory is short: nothing is loaded ahead, and setting the mode cuts the cache to the size of
  /// the visible rows' blobs.
  case lowMemory
}
