/// The state of a load for a cell.
public enum LoadState: Hashable, Sendable {
  // What is large is behind a reference: a hit, which is what counts, moves no more than a pointer.

  /// There is nothing to show: the rules want nothing of the snippet by this recipe.
  case idle
  /// The blob is on its way. After a failed attempt this state comes again, with the failure and
  /// the time of the next attempt.
  indirect case loading(LoadProgress)
  /// The blob is here.
  case loaded(LoadedBlob)
  /// The load failed, and is not tried again until the cell is bound again later or
  /// ``SnippetLoader/retry(_:)`` is called.
  indirect case failed(LoadFailure)
}

/// How far a load is that goes on.
public struct LoadProgress: Hashable, Sendable {
  /// What to show until the load is done: a coarse form of it, another derivative of the same
  /// blob, or the former revision of a text.
  public var standIn: LoadedBlob?
  /// How the last attempt failed; `nil` during the first.
  public var failure: LoadFailure?
  /// How many bytes have been read, told in steps of ``LoadContext/stepByteCount``; 0 for a load of
  /// fewer.
  public var byteCountRead = 0
  /// How many bytes there are to read; `nil` when the source has not said.
  public var byteCount: Int?

  /// Describes a load that has just begun.
  ///
  /// - Parameters:
  ///   - standIn: What to show meanwhile. The default is nothing.
  ///   - failure: How the last attempt failed. The default is that this is the first.
  public init(standIn: LoadedBlob? = nil, failure: LoadFailure? = nil) {
    self.standIn = standIn
    self.failure = failure
  }

  /// The part of the bytes that has been read, from 0 to 1; `nil` when that is not known.
  public var fraction: Double? {
    guard let byteCount, byteCount > 0 else { return nil }
    return min(1, Double(byteCountRead) / Double(byteCount))
  }
}

/// How a load failed.
public struct LoadFailure: Hashable, Sendable {
  /// What went wrong in the last attempt.
  public var error: LoadError
  /// How many attempts were made.
  public var attemptCount: Int
  /// When the next attempt is made; `nil` when none is.
  public var retryAt: ContinuousClock.Instant?

  /// Describes a failure.
  ///
  /// - Parameters:
  ///   - error: What went wrong in the last attempt.
  ///   - attemptCount: How many attempts were made. The default is 1.
  ///   - retryAt: When the next attempt is made. The default is never.
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
