/// An event in the background work of a store, for a log, a profiler or a counter.
///
/// A store reports what it does by itself, or after it has answered a call. None of it can fail a
/// call, so its failures are reported here or nowhere. ``SnippetStore/Configuration/onEvent``
/// receives the events in order, on a queue of its own and never under a lock, so it may call
/// anything. It should be quick: if more than 10,000 events are waiting for it, the newest are
/// lost. Without a closure, events cost nothing: no clock is read and nothing is allocated.
///
/// Work that takes time has two events, one as it begins and one as it ends. A failure has an
/// ``error``: no saved content is lost, and the call that caused the work succeeded.
/// <doc:LiveEvents> shows how to turn events into lines of a log and intervals of a profiler.
public struct StoreEvent: Sendable {
  /// The subject of an event: work of the store, or something that it noticed.
  ///
  /// Later versions may add cases, so a `switch` needs a `default`.
  public enum Subject: String, Hashable, Sendable, CaseIterable, CustomStringConvertible {
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
    /// Removing leftovers of a save or a capture.
    ///
    /// After a failure they take up room until the next large save or garbage collection.
    case tidying
    /// Looking for commits of other programs while the store is observed.
    ///
    /// A failure is reported once. An event without an error follows when a look succeeds again,
    /// which finds the commits made until then.
    case followingChanges
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
    /// Another process, or another store on the same file, has committed.
    ///
    /// The store looks for such commits while it is observed. Several commits between two looks are
    /// reported as one.
    case foreignCommit
    /// The open file was moved, deleted or replaced.
    ///
    /// From now on nothing can be saved.
    case fileDisplaced

    /// The subject in a word or two.
    public var description: String {
      switch self {
      case .indexing: "indexing"
      case .checkpoint: "checkpoint"
      case .followingChanges: "following changes"
      case .tidying: "tidying"
      case .keepingDerivatives: "keeping derivatives"
      case .notingUses: "noting uses"
      case .keepingReserve: "keeping a reserve"
      case .foreignCommit: "foreign commit"
      case .fileDisplaced: "file displaced"
      }
    }
  }

  /// The work, or the fact.
  public let subject: Subject
  /// Whether work begins; another event follows when it ends.
  public let isBeginning: Bool
  /// The time of the event, a little before it is reported.
  public let time: ContinuousClock.Instant
  /// The duration of work whose beginning was reported; otherwise `nil`.
  public let duration: Duration?
  /// The cause of a failure; otherwise `nil`.
  public let error: SnippetStoreError?
  /// The number of events lost before this one because the closure was too slow.
  public internal(set) var lostCount = 0

  init(
    _ subject: Subject,
    isBeginning: Bool = false,
    at time: ContinuousClock.Instant = .now,
    duration: Duration? = nil,
    error: SnippetStoreError? = nil
  ) {
    self.subject = subject
    self.isBeginning = isBeginning
    self.time = time
    self.duration = duration
    self.error = error
  }
}

extension StoreEvent: CustomStringConvertible {
  /// The event in one line, with its duration and error.
  public var description: String {
    var text = headline
    if let duration { text += " after \(duration)" }
    if let error { text += ": \(error)" }
    return text
  }

  /// The event in a few words, without its duration and error.
  var headline: String {
    if isBeginning { return "\(subject) began" }
    if error != nil { return "\(subject) failed" }
    return switch subject {
    case .foreignCommit, .fileDisplaced: "\(subject)"
    case .followingChanges: "\(subject) recovered"
    default: "\(subject) ended"
    }
  }
}
