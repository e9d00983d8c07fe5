/// A step of a loader's work, for tests that follow its order.
///
/// A slot stands for a bound cell. It is the same from the first bind of the cell to its unbind,
/// and may then be given to another cell.
package enum LoaderEvent: Hashable, Sendable {
  /// A cell asked for a blob that was in memory.
  case hit(slot: Int, LoadKey)
  /// A cell asked for a blob and waits for it.
  case pending(slot: Int, LoadKey)
  /// A cell asked for a blob that is known to fail.
  case knownFailure(slot: Int, LoadKey, LoadError.Code)

  /// A load was given to a worker.
  case loadStarted(LoadKey)
  /// A load ended, and was wanted.
  case loadFinished(LoadKey, byteCount: Int)
  /// An attempt to load failed.
  case loadFailed(LoadKey, LoadError.Code)
  /// Another attempt follows after a delay.
  case loadDelayed(LoadKey, by: Duration)
  /// A load ended that was not wanted any more.
  case loadCancelled(LoadKey)

  /// A cell got what it waited for, a failure included.
  case delivered(slot: Int, LoadKey)
  /// A result was not shown, because its cell does not wait for it any more.
  case dropped(slot: Int, LoadKey)
}
