public import Foundation
import SnippetStorage

/// A failure of a synchronization.
///
/// The text has three parts, as that of `SnippetStoreError`: what could not be done, why, and what
/// to do. No snippet is changed by a call that throws, unless its documentation says otherwise.
public struct SyncError: Error, Sendable {
  /// A kind of failure.
  ///
  /// Later versions may add codes, so a `switch` needs a `default`.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name of the code.
    public let description: String

    /// The place refused the credentials or the access.
    public static let accessDenied = Code(description: "accessDenied")
    /// An object of this name has other bytes already.
    public static let alreadyExists = Code(description: "alreadyExists")
    /// The task was cancelled.
    public static let cancelled = Code(description: "cancelled")
    /// An object is not whole, or not one of this repository.
    public static let damaged = Code(description: "damaged")
    /// Another store writes under the name of this one, or did so before a backup was restored.
    static let cloned = Code(description: "cloned")
    /// Another failure; see the description.
    public static let failed = Code(description: "failed")
    /// A value breaks a rule, which the description names.
    public static let invalidInput = Code(description: "invalidInput")
    /// Much of what is in the store would be deleted or moved to the trash.
    ///
    /// Nothing was. Allow it, if it is meant.
    public static let manyRemovals = Code(description: "manyRemovals")
    /// A newer version of this package wrote the repository.
    public static let newerRepository = Code(description: "newerRepository")
    /// The place has no repository, or another one.
    public static let noRepository = Code(description: "noRepository")
    /// The store was restored from a backup, and it is not decided what counts.
    ///
    /// See ``StoreSync/settleRestore(keepingBackup:)``.
    public static let restored = Code(description: "restored")
    /// The store failed; `underlyingError` is its error.
    public static let store = Code(description: "store")
    /// The place cannot be reached now.
    ///
    /// A retry can help.
    public static let unreachable = Code(description: "unreachable")
    /// The key does not open the repository.
    public static let wrongKey = Code(description: "wrongKey")
  }

  /// The thing that failed, where the code alone does not tell it to the command line.
  package enum Subject: Sendable {
    /// The text of a key.
    case key
    /// An object that is written into a folder.
    case object
    /// The folder of a repository that is made.
    case folder
  }

  /// The kind of failure.
  public let code: Code
  /// The operation that failed, as it follows “Could not”.
  public let operation: String
  /// The reason of the failure.
  public let reason: String
  /// The advice, in sentences; `nil` where there is none.
  public let recoverySuggestion: String?
  /// The error of a lower layer that caused this one, if there was one.
  public let underlyingError: (any Error)?
  /// The thing that failed; `nil` for any other.
  package private(set) var subject: Subject?

  /// Whether the same call can succeed later if nothing else changes.
  public var isRetryable: Bool {
    if let error = underlyingError as? SnippetStoreError { return error.isRetryable }
    return code == .unreachable
  }

  /// Makes an error, for a carrier of your own.
  ///
  /// - Parameters:
  ///   - code: The kind of failure.
  ///   - operation: The operation that failed, as it follows “Could not”: `read log/1f/00000042`.
  ///   - reason: The reason of the failure, without a full stop.
  ///   - advice: The advice, in sentences; none by default.
  ///   - underlyingError: The error of a lower layer; none by default.
  public init(
    _ code: Code,
    _ operation: String,
    because reason: String,
    do advice: String? = nil,
    underlying underlyingError: (any Error)? = nil
  ) {
    self.code = code
    self.operation = operation
    self.reason = reason
    recoverySuggestion = advice
    self.underlyingError = underlyingError
  }
}

extension SyncError: LocalizedError {
  /// The failure and its reason, as `localizedDescription` shows them.
  public var errorDescription: String? { "Could not \(operation): \(reason)." }

  /// The reason, without a full stop.
  public var failureReason: String? { reason }
}

extension SyncError: CustomStringConvertible {
  /// The whole text: what failed, why, and what to do.
  public var description: String {
    ["Could not \(operation): \(reason).", recoverySuggestion].compactMap(\.self)
      .joined(separator: " ")
  }
}

extension SyncError {
  /// Returns the same error with the thing that failed.
  package func about(_ subject: Subject?) -> SyncError {
    var error = self
    error.subject = subject
    return error
  }

  /// The same error, but of a key that opens other objects of the repository: it is right.
  var withRightKey: SyncError {
    guard code == .wrongKey else { return self }
    return SyncError(
      .damaged,
      operation,
      because: "its beginning was altered, or it is sealed for another key",
      underlying: underlyingError
    )
  }

  /// The store must take another name.
  static let cloned = SyncError(
    .cloned,
    "synchronize",
    because: "another store writes under the name of this one"
  )
}
