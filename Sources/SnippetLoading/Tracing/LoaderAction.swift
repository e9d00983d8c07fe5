package import SnippetStorage

/// What a loader did or was told.
///
/// A slot stands for a cell that has been bound: it is the same from the first bind of the cell to
/// its unbind, and may be given to another cell afterwards. More actions may come: a `switch` needs a
/// `default`.
package enum LoaderAction: Hashable, Sendable {
  /// The host named other positions as visible, or the same ones again.
  case viewportMoved(to: Range<Int>)
  /// A cell was bound to a position; comes after what the bind asked for and was answered. There
  /// is no snippet when its row could not be read, and no slot when the cell was not kept.
  case bound(slot: Int?, SnippetID?, position: Int, Outcome)
  /// A binding ended, because the host said so or the cell is gone.
  case unbound(slot: Int)

  /// A cell asked for a blob that was in memory.
  case hit(slot: Int, LoadKey, byteCount: Int)
  /// A cell asked for a blob and waits for it.
  case pending(slot: Int, LoadKey)
  /// A cell asked for a blob whose failure is known; the code is the name of a
  /// ``LoadError/Code``.
  case knownFailure(slot: Int, LoadKey, code: String)

  /// A load was given to a worker.
  case loadStarted(LoadKey)
  /// A load came to its end, and was wanted.
  case loadFinished(LoadKey, byteCount: Int)
  /// An attempt to load failed; the first attempt is 1.
  case loadFailed(LoadKey, code: String, attempt: Int)
  /// Another attempt follows after a delay.
  case loadDelayed(LoadKey, by: Duration)
  /// A load that ran was not wanted any more.
  case loadCancelled(LoadKey)
  /// A load left before it was given to a worker, or between two attempts.
  case loadWithdrawn(LoadKey)

  /// A cell got what it waited for, or learned how far that is.
  case delivered(slot: Int, LoadKey, State)
  /// A result was not shown, because the cell does not wait for it any more.
  case dropped(slot: Int, LoadKey, DropReason)

  /// Rows were read, on the main actor or ahead of the movement and apart from it; the count is
  /// the length of the list.
  case rowsRead(Range<Int>, isAhead: Bool, listCount: Int)
  /// Rows could not be read.
  case rowReadFailed(isAhead: Bool)
  /// The list is another by now; the count is its length.
  case listChanged(listCount: Int)

  /// The list left the screen.
  case suspended
  /// The list is back on screen.
  case resumed
  /// All loads were cancelled.
  case allCancelled
  /// What was loaded is to be loaded anew.
  case reset(Scope)
  /// What failed is to be tried again.
  case retried(Scope)
  /// The loader ended.
  case closed

  /// What a bind came to, as in ``BindOutcome``.
  package enum Outcome: String, Hashable, Sendable, CaseIterable {
    /// All that the cell needs was in memory.
    case hit
    /// Something that the cell needs comes later.
    case pending
    /// The cell showed it already.
    case unchanged
    /// The row is all there is.
    case rowOnly
    /// The cell shows an error.
    case failed
  }

  /// How far a load is for a cell, as in ``LoadState``.
  package enum State: String, Hashable, Sendable, CaseIterable {
    /// Another attempt follows.
    case loading
    /// The blob is in the cell.
    case loaded
    /// The cell shows an error.
    case failed
  }

  /// Why a result was not shown.
  package enum DropReason: String, Hashable, Sendable, CaseIterable {
    /// The cell is not bound any more.
    case unbound
    /// The cell was bound again, or had its blob from memory in the meantime.
    case rebound
    /// The cell no longer exists.
    case cellGone
    /// The result is not what the cell is bound to: a fault of the loader.
    case wrong
  }

  /// What a reset or a retry was for.
  package enum Scope: Hashable, Sendable {
    /// Everything.
    case all
    /// One cell.
    case slot(Int)
    /// The row at a position.
    case position(Int)
  }
}

extension LoaderAction: CustomStringConvertible {
  /// Its name, which is that of the event in a file of a trace.
  package var name: String { fields.event }

  /// Its name and what there is to say of it, such as `loadFinished blob=7 recipe=original bytes=900`.
  package var description: String {
    fields.named.reduce(into: fields.event) { $0 += " \($1.name)=\($1.value)" }
  }

  private var fields: LoaderEventFields { LoaderEventFields(LoaderEvent(time: .zero, self)) }
}
