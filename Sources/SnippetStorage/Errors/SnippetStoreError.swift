public import Foundation

/// Why the store could not do what it was asked.
///
/// The text has three parts: could not what, because what, do what. An alert shows the first two as
/// its title, `localizedDescription`, and the third, ``recoverySuggestion``, as its message. A call
/// that throws has changed nothing, unless its documentation says what was kept.
public struct SnippetStoreError: Error, Sendable {
  /// A kind of failure.
  ///
  /// Codes may be added, so a `switch` needs a `default`.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    private enum Value: String {
      case alreadyExists, alteredSchema, busy, cancelled, cannotCreate, closed, conflict,
        contentChanged, damaged, diskFull
      case failed, foreignFile, inputOutput, inTrash, invalidInput, newerStore, notFound
      case noSuchFile, refusedBySchema, readOnly, unreadable, unsupportedContent
    }

    private let value: Value

    /// The file to be written exists.
    ///
    /// Choose another name, or allow it to be replaced.
    public static let alreadyExists = Code(value: .alreadyExists)
    /// The schema is not what this package makes: something of it is missing or was altered, or
    /// another program put in what touches it.
    ///
    /// Nothing is written then, since anything could happen. The store can be opened for reading.
    public static let alteredSchema = Code(value: .alteredSchema)
    /// Another process held the store for longer than the busy timeout.
    ///
    /// A retry can help.
    public static let busy = Code(value: .busy)
    /// The task was cancelled.
    ///
    /// Earlier commits stay.
    public static let cancelled = Code(value: .cancelled)
    /// A file or folder could not be created there.
    public static let cannotCreate = Code(value: .cannotCreate)
    /// The store was closed before.
    public static let closed = Code(value: .closed)
    /// The field that an edit was to change was changed since it was seen.
    ///
    /// Nothing was changed. Read the row again, then edit that.
    public static let conflict = Code(value: .conflict)
    /// The content was not the same when it was read a second time.
    ///
    /// A retry can help.
    public static let contentChanged = Code(value: .contentChanged)
    /// The file is damaged.
    ///
    /// It was left as it is.
    public static let damaged = Code(value: .damaged)
    /// The disk is full.
    ///
    /// A retry helps once there is room.
    public static let diskFull = Code(value: .diskFull)
    /// Something else failed; the description says what.
    public static let failed = Code(value: .failed)
    /// The file is not a snippet store.
    ///
    /// It was left as it is.
    public static let foreignFile = Code(value: .foreignFile)
    /// The disk, or a file on it, could not be read or written.
    public static let inputOutput = Code(value: .inputOutput)
    /// The snippet is in the trash, where it can be read and not changed.
    public static let inTrash = Code(value: .inTrash)
    /// A value given breaks a rule, which the description names.
    public static let invalidInput = Code(value: .invalidInput)
    /// A newer version of this package made the store.
    ///
    /// It was left as it is.
    public static let newerStore = Code(value: .newerStore)
    /// There is no such file.
    public static let noSuchFile = Code(value: .noSuchFile)
    /// There is no such snippet or blob.
    public static let notFound = Code(value: .notFound)
    /// The store was opened for reading only, or its file or folder cannot be written.
    public static let readOnly = Code(value: .readOnly)
    /// The schema's rules refuse the change.
    public static let refusedBySchema = Code(value: .refusedBySchema)
    /// The file is there and cannot be read: no permission, or not a regular file.
    public static let unreadable = Code(value: .unreadable)
    /// The bytes are no known text, image or recording.
    public static let unsupportedContent = Code(value: .unsupportedContent)

    /// The name of the code.
    public var description: String { value.rawValue }
  }

  /// The kind of failure.
  public let code: Code
  /// The operation that failed, as it follows “Could not”.
  public private(set) var operation: String
  /// Why it could not be done.
  public let reason: String
  /// The part of the store that is as it was, in a sentence, where that has to be said.
  private var kept: String?
  /// The advice.
  private let advice: String?
  /// The error from below that led to this one, if there was one.
  public let underlyingError: (any Error)?

  /// Whether the same call can succeed later without anything else being changed.
  public var isRetryable: Bool {
    code == .busy || code == .contentChanged
  }

  /// The state that the store is in and the advice; `nil` where there is nothing to say.
  public var recoverySuggestion: String? {
    let sentences = [kept, advice].compactMap(\.self)
    return sentences.isEmpty ? nil : sentences.joined(separator: " ")
  }

  /// Makes an error, as a fake of the store does in the tests of an app.
  ///
  /// - Parameters:
  ///   - code: The kind of failure.
  ///   - operation: What was being done, as it follows “Could not”: `save a snippet`.
  ///   - reason: Why it could not be done, without a full stop.
  ///   - kept: What is as it was, as a sentence; nothing by default.
  ///   - advice: What to do about it, in sentences; nothing by default.
  ///   - underlyingError: The error from below; none by default.
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

  /// The same error after a part was done: with what is so then, where it would have said that
  /// nothing was changed or where the disk is to blame.
  func keeping(_ kept: String, during operation: String) -> SnippetStoreError {
    guard self.kept != nil || [.diskFull, .inputOutput].contains(code) else { return self }
    var error = self
    error.kept = kept
    error.operation = operation
    return error
  }
}

extension SnippetStoreError: LocalizedError {
  /// Could not what, because what: what `localizedDescription` shows.
  public var errorDescription: String? { "Could not \(operation): \(reason)." }

  /// Why it could not be done, without a full stop.
  public var failureReason: String? { reason }
}

extension SnippetStoreError: CustomStringConvertible {
  /// The whole text: what failed, why, and what to do.
  public var description: String {
    ["Could not \(operation): \(reason).", recoverySuggestion].compactMap(\.self)
      .joined(separator: " ")
  }
}
