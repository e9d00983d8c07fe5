/// Why a cell did not get what it was bound to.
///
/// More codes may come: a `switch` over ``code`` needs a `default`.
public struct LoadError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What went wrong, for a program to act on.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Value: String {
      case cancelled
      case notFound
      case unreadable
      case undecodable
      case timedOut
      case tooLarge
      case rowUnavailable
    }

    private let value: Value

    /// The load was given up, by the source or because the loader was closed.
    public static let cancelled = Self(value: .cancelled)
    /// There is no such blob: it was deleted in the meantime.
    public static let notFound = Self(value: .notFound)
    /// The source failed to read the blob.
    public static let unreadable = Self(value: .unreadable)
    /// The bytes are not what a processor can make its variant from.
    public static let undecodable = Self(value: .undecodable)
    /// The source took longer than ``SnippetLoader/Configuration/loadTimeout``.
    public static let timedOut = Self(value: .timedOut)
    /// The blob is larger than ``SnippetLoader/Configuration/maximumBlobByteCount``.
    public static let tooLarge = Self(value: .tooLarge)
    /// The row at this position could not be read, or the list is shorter than that.
    public static let rowUnavailable = Self(value: .rowUnavailable)

    /// The name of the code.
    public var description: String { value.rawValue }
  }

  /// What went wrong.
  public let code: Code
  /// The cause in words, as its source worded it; `nil` when the code says it all.
  public let reason: String?

  /// Makes an error, for a source to throw.
  ///
  /// - Parameters:
  ///   - code: What went wrong.
  ///   - reason: The cause in words that complete “Could not load the blob: …”.
  public init(_ code: Code, reason: String? = nil) {
    self.code = code
    self.reason = reason
  }

  /// Whether the same load may succeed when it is asked for again.
  ///
  /// A blob that is not there never comes back, because blobs do not change and their numbers are
  /// not given twice.
  public var isRetryable: Bool {
    switch code {
    case .notFound, .undecodable, .tooLarge: false
    default: true
    }
  }

  /// What to do about it.
  public var recoverySuggestion: String {
    switch code {
    case .cancelled: "Bind the cell again to ask again."
    case .notFound: "The snippet was deleted or its content replaced; reload the list."
    case .undecodable: "Show the original, or what kind of content it is."
    case .tooLarge: "Read it from the store in pieces, or raise the loader's maximum."
    case .rowUnavailable: "Tell the loader that the rows changed, then bind the cell again."
    default: "Bind the cell again to try again; if it stays, check the store."
    }
  }

  /// What could not be done, why, and what to do.
  public var description: String {
    let subject = code == .rowUnavailable ? "read the row" : "load the blob"
    return "Could not \(subject): \(cause). \(recoverySuggestion)"
  }

  /// The cause in words, as its source worded it or as the code says: what a cell shows.
  public var cause: String { reason ?? defaultReason }

  private var defaultReason: String {
    switch code {
    case .cancelled: "the load was given up"
    case .notFound: "there is no such blob"
    case .undecodable: "its bytes cannot be decoded"
    case .timedOut: "it took too long"
    case .tooLarge: "it is too large to be held in memory"
    case .rowUnavailable: "there is no row at this position"
    default: "the source failed"
    }
  }

  /// Finds the words for whatever a source threw.
  init(readingBlob error: any Error) {
    self =
      switch error {
      case let error as LoadError: error
      case is CancellationError: LoadError(.cancelled)
      default: LoadError(.unreadable, reason: String(describing: error))
      }
  }

  /// Finds the words for whatever a processor threw.
  init(processingBlob error: any Error) {
    self =
      switch error {
      case let error as LoadError: error
      case is CancellationError: LoadError(.cancelled)
      default: LoadError(.undecodable, reason: String(describing: error))
      }
  }
}
