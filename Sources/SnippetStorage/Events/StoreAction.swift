/// What a store tells of its work in the background.
///
/// More may come: a `switch` needs a `default`.
public enum StoreAction: Hashable, Sendable, CustomStringConvertible {
  /// Work began.
  case began(StoreWork)
  /// Work was done; the event has its duration.
  case ended(StoreWork)
  /// Work failed; the event has the error. Nothing that was saved is lost, and whoever caused it got
  /// what was asked for: each ``StoreWork`` says what follows.
  case failed(StoreWork)
  /// Work that had failed is done again; told of what goes on all the time.
  case recovered(StoreWork)
  /// Somebody else has committed: another process, or another store on the file.
  ///
  /// Looked for while the store is observed; several commits between two looks are told as one.
  case foreignCommit
  /// Somebody has moved, deleted or replaced the file that is open: nothing can be saved any more.
  case fileDisplaced

  /// What happened, in a few words.
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

/// What a store tells of its work in the background, and when.
public typealias StoreEvent = LiveEvent<StoreAction>

/// Work that a store does without being asked, or after it has answered.
///
/// More may come.
public enum StoreWork: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
  /// The search index is brought up to date, which a search has begun.
  ///
  /// Until that is done, searches are as right and slower. After a failure the next search tries
  /// again.
  case indexing
  /// The log is folded into the file, since it has grown long.
  ///
  /// After a failure the log grows on; the next write tries again. A reader or another process in
  /// the way is the usual reason.
  case checkpoint
  /// The store looks for commits of others while it is observed.
  ///
  /// A failure is told once, until a look succeeds; what was committed meanwhile is found then.
  case followingChanges
  /// What a save or a capture leaves over is removed.
  ///
  /// After a failure it takes room until the next large save or garbage collection.
  case tidying
  /// A derivative that was computed is kept.
  ///
  /// Only failures are told; it is computed again when it is wanted.
  case keepingDerivatives
  /// It is written down which derivatives were used, before the store closes.
  ///
  /// Only failures are told; some derivatives may go earlier than others.
  case notingUses
  /// Room is kept on a disk that is nearly full, so that snippets can be deleted when it is full.
  ///
  /// Only failures are told.
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
