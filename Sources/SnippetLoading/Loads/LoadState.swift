/// The state of a load, with its content once that is here.
///
/// A cell gets the blob as it was loaded, and a ``ContentPresenter`` what its recipe makes of it.
public enum LoadState<Content: Sendable>: Sendable {
  // Large parts are behind a reference: a hit, the case that counts, moves only a pointer.

  /// There is nothing to show: the rules do not want this recipe for the snippet.
  case idle
  /// The content is on its way.
  ///
  /// Show the stand-in until it arrives, if there is one. After a failed attempt this state comes
  /// again, with the error and the time of the next attempt.
  indirect case loading(LoadProgress<Content>)
  /// The content is here.
  case loaded(Content)
  /// The load failed.
  ///
  /// It is retried only when the cell is bound again later, or by ``SnippetLoader/retry(_:)``.
  indirect case failed(LoadError)

  /// Makes the state of a load, with its content as the type of a recipe.
  ///
  /// - Parameters:
  ///   - state: The state.
  ///   - recipe: The recipe of the load. If its content has another type, the state is a failure
  ///     with ``LoadError/Code/notPresentable``.
  public init(_ state: LoadState<LoadedBlob>, of recipe: TypedRecipe<Content>) {
    switch state {
    case .idle: self = .idle
    case .loading(let progress): self = .loading(LoadProgress(progress, of: recipe))
    case .loaded(let blob):
      if let content = blob.content(of: recipe) {
        self = .loaded(content)
      } else {
        let reason = "the result of “\(recipe)” is not a \(String(reflecting: Content.self))"
        self = .failed(LoadError(.notPresentable, reason: reason))
      }
    case .failed(let error): self = .failed(error)
    }
  }

  /// The content to show now: the content itself or its stand-in; `nil` when there is neither.
  public var content: Content? {
    switch self {
    case .idle, .failed: nil
    case .loading(let progress): progress.standIn
    case .loaded(let content): content
    }
  }
}

extension LoadState: Equatable where Content: Equatable {}
extension LoadState: Hashable where Content: Hashable {}

/// The progress of an unfinished load.
public struct LoadProgress<Content: Sendable>: Sendable {
  /// The content to show until the load is done: a coarse form of it, another derivative of the
  /// same blob, or the former revision of a text.
  public var standIn: Content?
  /// The error of the last attempt; `nil` during the first.
  public var error: LoadError?
  /// The number of attempts that have failed.
  public var failedAttemptCount: Int
  /// The time of the next attempt; `nil` while one runs or waits for a worker.
  public var retryAt: ContinuousClock.Instant?
  /// The number of bytes read so far, reported in steps of ``LoadContext/stepByteCount``; 0 for a
  /// load of fewer bytes.
  public var byteCountRead = 0
  /// The total number of bytes; `nil` when the source has not announced it.
  public var byteCount: Int?

  /// Describes a load that has just begun, or waits for another attempt.
  ///
  /// - Parameters:
  ///   - standIn: The content to show until the load is done. The default is nothing.
  ///   - error: The error of the last attempt. The default means that this is the first.
  ///   - failedAttemptCount: The number of attempts that have failed. The default is none.
  ///   - retryAt: The time of the next attempt. The default means that one is under way.
  public init(
    standIn: Content? = nil,
    error: LoadError? = nil,
    failedAttemptCount: Int = 0,
    retryAt: ContinuousClock.Instant? = nil
  ) {
    self.standIn = standIn
    self.error = error
    self.failedAttemptCount = failedAttemptCount
    self.retryAt = retryAt
  }

  /// The same progress, with the stand-in as the type of a recipe.
  fileprivate init(_ progress: LoadProgress<LoadedBlob>, of recipe: TypedRecipe<Content>) {
    self.init(
      standIn: progress.standIn?.content(of: recipe),
      error: progress.error,
      failedAttemptCount: progress.failedAttemptCount,
      retryAt: progress.retryAt
    )
    byteCountRead = progress.byteCountRead
    byteCount = progress.byteCount
  }

  /// The part of the bytes that has been read, from 0 to 1; `nil` when it is not known.
  public var fraction: Double? {
    guard let byteCount, byteCount > 0 else { return nil }
    return min(1, Double(byteCountRead) / Double(byteCount))
  }

  /// Notes the failure of the last attempt; `nil` during the first.
  mutating func note(_ failure: LoadFailure?) {
    error = failure?.error
    failedAttemptCount = failure?.attemptCount ?? 0
    retryAt = failure?.retryAt
  }
}

extension LoadProgress: Equatable where Content: Equatable {}
extension LoadProgress: Hashable where Content: Hashable {}

/// A failed attempt after which another one follows.
struct LoadFailure: Hashable, Sendable {
  let error: LoadError
  /// The number of attempts made.
  let attemptCount: Int
  /// The time of the next attempt.
  let retryAt: ContinuousClock.Instant
}
