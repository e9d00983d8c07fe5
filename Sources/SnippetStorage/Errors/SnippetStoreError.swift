public import Foundation

/// A failure of the store.
///
/// The text has three parts: what could not be done, why, and what to do. In an alert, show the
/// first two as the title, with `localizedDescription`, and the third as the message, with
/// ``recoverySuggestion``. A call that throws has changed nothing, unless its documentation says
/// otherwise.
public struct SnippetStoreError: Error, Sendable {
  /// A kind of failure.
  ///
  /// Later versions may add codes, so a `switch` needs a `default`.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    /// The name of the code.
    public let description: String

    /// The file to write already exists.
    ///
    /// Choose another name, or allow replacing it.
    public static let alreadyExists = Code(description: "alreadyExists")
    /// The schema differs from the one of this package: a part is missing or altered, or another
    /// program added something that touches it.
    ///
    /// Writing is refused, because anything could happen. You can open the store for reading.
    public static let alteredSchema = Code(description: "alteredSchema")
    /// Another process held the store for longer than the busy timeout.
    ///
    /// A retry can help.
    public static let busy = Code(description: "busy")
    /// The task was cancelled.
    ///
    /// Earlier commits stay.
    public static let cancelled = Code(description: "cancelled")
    /// A file or folder could not be created.
    public static let cannotCreate = Code(description: "cannotCreate")
    /// The store has been closed.
    public static let closed = Code(description: "closed")
    /// The field that an edit was to change was changed since it was seen.
    ///
    /// Nothing was changed. Read the row again, then edit that.
    public static let conflict = Code(description: "conflict")
    /// The content differed when it was read a second time.
    ///
    /// A retry can help.
    public static let contentChanged = Code(description: "contentChanged")
    /// The file is damaged.
    ///
    /// It is left as it is.
    public static let damaged = Code(description: "damaged")
    /// The disk is full.
    ///
    /// A retry helps once there is room.
    public static let diskFull = Code(description: "diskFull")
    /// Another failure; see the description.
    public static let failed = Code(description: "failed")
    /// The file is not a snippet store.
    ///
    /// It is left as it is.
    public static let foreignFile = Code(description: "foreignFile")
    /// The disk, or a file on it, could not be read or written, or too many files are open.
    public static let inputOutput = Code(description: "inputOutput")
    /// The snippet is in the trash, so it can be read but not changed.
    public static let inTrash = Code(description: "inTrash")
    /// A value breaks a rule, which the description names.
    public static let invalidInput = Code(description: "invalidInput")
    /// The store was made by a newer version of this package.
    ///
    /// It is left as it is.
    public static let newerStore = Code(description: "newerStore")
    /// The file does not exist.
    public static let noSuchFile = Code(description: "noSuchFile")
    /// The snippet or blob does not exist.
    public static let notFound = Code(description: "notFound")
    /// The store was opened for reading, or its file or folder cannot be written, or the file has a
    /// second name.
    public static let readOnly = Code(description: "readOnly")
    /// The rules of the schema refuse the change.
    public static let refusedBySchema = Code(description: "refusedBySchema")
    /// The file exists but cannot be read: permission is missing, it is not a regular file, or
    /// another program was stopped while it wrote and that cannot be undone without writing.
    public static let unreadable = Code(description: "unreadable")
    /// The bytes are not a known text, image or recording.
    public static let unsupportedContent = Code(description: "unsupportedContent")
  }

  /// The kind of failure.
  public let code: Code
  /// The operation that failed, as it follows “Could not”.
  public private(set) var operation: String
  /// The reason of the failure.
  public private(set) var reason: String
  /// A sentence about the part of the store that is unchanged, where that needs to be said.
  private var kept: String?
  /// The advice.
  private let advice: String?
  /// The error of a lower layer that caused this one, if there was one.
  public let underlyingError: (any Error)?

  /// Whether the same call can succeed later if nothing else changes.
  ///
  /// It is `false` for ``Code/diskFull``, which needs room first.
  public var isRetryable: Bool {
    code == .busy || code == .contentChanged
  }

  /// The state of the store and the advice; `nil` where there is nothing to say.
  public var recoverySuggestion: String? {
    let sentences = [kept, advice].compactMap(\.self)
    return sentences.isEmpty ? nil : sentences.joined(separator: " ")
  }

  /// Makes an error, for a fake of the store in the tests of an app.
  ///
  /// - Parameters:
  ///   - code: The kind of failure.
  ///   - operation: The operation that failed, as it follows “Could not”: `save a snippet`.
  ///   - reason: The reason of the failure, without a full stop.
  ///   - kept: The part of the store that is unchanged, as a sentence; none by default.
  ///   - advice: The advice, in sentences; none by default.
  ///   - underlyingError: The error of a lower layer; none by default.
  public init(
    _ code: Code,
    _ operation: String,
    because reason: String,
    keeping kept: String? = nil,
    do advice: String = "",
    underlying underlyingError: (any Error)? = nil
  ) {
    self.code = code
    self.operation = operation
    self.reason = reason
    self.kept = kept
    self.advice = advice.isEmpty ? nil : advice
    self.underlyingError = underlyingError
  }

  /// Returns the same error for a failure after a part of the work was done.
  ///
  /// It says which part was done, if the error would have said that nothing was changed or if the
  /// disk is to blame.
  package func keeping(_ kept: String, during operation: String) -> SnippetStoreError {
    guard self.kept != nil || [.diskFull, .inputOutput].contains(code) else { return self }
    var error = self
    error.kept = kept
    error.operation = operation
    return error
  }

  /// Returns the same error with the file in its reason, where the operation is about two files.
  func naming(_ path: String) -> SnippetStoreError {
    var error = self
    error.reason = "\(path): \(reason)"
    return error
  }

  /// Returns the same error for another operation, where one cause lets several fail.
  package func during(_ operation: String) -> SnippetStoreError {
    var error = self
    error.operation = operation
    return error
  }
}

extension SnippetStoreError: LocalizedError {
  /// The failure and its reason, as `localizedDescription` shows them.
  public var errorDescription: String? { "Could not \(operation): \(reason)." }

  /// The reason, without a full stop.
  public var failureReason: String? { reason }
}

extension SnippetStoreError: CustomStringConvertible {
  /// The whole text: what failed, why, and what to do.
  public var description: String {
    ["Could not \(operation): \(reason).", recoverySuggestion].compactMap(\.self)
      .joined(separator: " ")
  }
}
