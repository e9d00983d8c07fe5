/// An action of a store in the background.
///
/// Later versions may add cases, so a `switch` needs a `default`.
public enum StoreAction: Hashable, Sendable, CustomStringConvertible {
  /// Work began.
  case began(StoreWork)
  /// Work was completed; the event has its duration.
  case ended(StoreWork)
  /// Work failed; the event has the error.
  ///
  /// No saved content is lost, and the call that caused the work succeeded. Each ``StoreWork``
  /// describes the consequences.
  case failed(StoreWork)
  /// Work that had been failing succeeds again.
  ///
  /// Only reported for continuous work.
  case recovered(StoreWork)
  /// Another process, or another store on the same file, has committed.
  ///
  /// The store looks for such commits while it is observed. Several commits between two looks are
  /// reported as one.
  case foreignCommit
  /// The open file was moved, deleted or replaced.
  ///
  /// From now on nothing can be saved.
  case fileDisplaced

  /// The action in a few words.
  public var description: String {
    switch self {
    case .began(let work): "\(work) began"
    case .ended(let work): "\(work) ended"
    case .failed(let work): "\(work) failed"
    case .recovered(let work): "\(work) recovered"
    case .foreignCommit: "foreign commit"
    case .fileDisplaced: "file displaced"
    }
  }
}

/// An event in the background work of a store.
public typealias StoreEvent = LiveEvent<StoreAction>

/// Work that a store does by itself, or after it has answered a call.
///
/// Later versions may add cases.
public enum StoreWork: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
  /// Updating the search index, started by a search.
  ///
  /// Until it is done, searches are correct but slower. After a failure the next search tries
  /// again.
  case indexing
  /// Copying the log into the file, because it has grown long.
  ///
  /// After a failure the log keeps growing, and the next write tries again. The usual cause is a
  /// reader or another process.
  case checkpoint
  /// Looking for commits of other programs while the store is observed.
  ///
  /// A failure is reported once. The next successful look finds the commits made until then.
  case followingChanges
  /// Removing leftovers of a save or a capture.
  ///
  /// After a failure they take up room until the next large save or garbage collection.
  case tidying
  /// Storing a derivative.
  ///
  /// Only failures are reported; the derivative is computed again when it is needed.
  case keepingDerivatives
  /// Recording the uses of derivatives before the store closes.
  ///
  /// Only failures are reported; some derivatives may be evicted earlier than others.
  case notingUses
  /// Reserving room on a nearly full disk, so that snippets can be deleted once it is full.
  ///
  /// Only failures are reported.
  case keepingReserve

  /// The work in a word or two.
  public var description: String {
    switch self {
    case .indexing: "indexing"
    case .checkpoint: "checkpoint"
    case .followingChanges: "following changes"
    case .tidying: "tidying"
    case .keepingDerivatives: "keeping derivatives"
    case .notingUses: "noting uses"
    case .keepingReserve: "keeping a reserve"
    }
  }
}
