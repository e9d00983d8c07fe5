/// The state of a load for a cell.
public enum LoadState: Hashable, Sendable {
  // Large parts are behind a reference: a hit, the case that counts, moves only a pointer.

  /// There is nothing to show: the rules do not want this recipe for the snippet.
  case idle
  /// The blob is on its way.
  ///
  /// After a failed attempt this state comes again, with the failure and the time of the next
  /// attempt.
  indirect case loading(LoadProgress)
  /// The blob is here.
  case loaded(LoadedBlob)
  /// The load failed.
  ///
  /// It is retried only when the cell is bound again later, or by ``SnippetLoader/retry(_:)``.
  indirect case failed(LoadFailure)
}

/// The progress of an unfinished load.
public struct LoadProgress: Hashable, Sendable {
  /// The content to show until the load is done: a coarse form of it, another derivative of the
  /// same blob, or the former revision of a text.
  public var standIn: LoadedBlob?
  /// The failure of the last attempt; `nil` during the first.
  public var failure: LoadFailure?
  /// The number of bytes read so far, reported in steps of ``LoadContext/stepByteCount``; 0 for a
  /// load of fewer bytes.
  public var byteCountRead = 0
  /// The total number of bytes; `nil` when the source has not announced it.
  public var byteCount: Int?

  /// Describes a load that has just begun.
  ///
  /// - Parameters:
  ///   - standIn: The content to show until the load is done. The default is nothing.
  ///   - failure: The failure of the last attempt. The default means that this is the first.
  public init(standIn: LoadedBlob? = nil, failure: LoadFailure? = nil) {
    self.standIn = standIn
    self.failure = failure
  }

  /// The part of the bytes that has been read, from 0 to 1; `nil` when it is not known.
  public var fraction: Double? {
    guard let byteCount, byteCount > 0 else { return nil }
    return min(1, Double(byteCountRead) / Double(byteCount))
  }
}

/// The failure of a load.
public struct LoadFailure: Hashable, Sendable {
  /// The error of the last attempt.
  public var error: LoadError
  /// The number of attempts made.
  public var attemptCount: Int
  /// The time of the next attempt; `nil` when there is none.
  public var retryAt: ContinuousClock.Instant?

  /// Describes a failure.
  ///
  /// - Parameters:
  ///   - error: The error of the last attempt.
  ///   - attemptCount: The number of attempts made. The default is 1.
  ///   - retryAt: The time of the next attempt. The default is never.
  public init(
    _ error: LoadError,
    attemptCount: Int = 1,
    retryAt: ContinuousClock.Instant? = nil
  ) {
    self.error = error
    self.attemptCount = attemptCount
    self.retryAt = retryAt
  }
}
