import Foundation
import GRDB
import SnippetBase
import SystemPackage

extension SnippetStoreError {
  /// The one place where a failure from below becomes one of ours.
  ///
  /// - Parameters:
  ///   - error: What was thrown; one of ours passes through untouched.
  ///   - operation: What was being done, as it follows “Could not”.
  init(_ error: any Error, during operation: String) {
    switch error {
    case let error as SnippetStoreError:
      self = error
    case let error as DatabaseError:
      self.init(error, during: operation)
    case is CancellationError:
      self.init(.cancelled, operation, because: "it was cancelled")
    case let error as FileError:
      self.init(error, during: operation)
    case let error as NotARegularFile:
      self.init(
        .unreadable,
        operation,
        because: "\(error.path) is not a regular file",
        do: "Give the path of a file."
      )
    case let error as StoreInUse:
      self.init(
        .unreadable,
        operation,
        because: "\(error.path) belongs to a store that is open",
        do: "Close the store, or make a backup and take that."
      )
    case is ContentChange:
      self.init(
        .contentChanged,
        operation,
        because: "the content changed while it was read",
        do: "Try again once it is complete."
      )
    case is RowDecodingError:
      self.init(DatabaseError.damage("a value is missing that must be there"), during: operation)
    case is BlobDeletion:
      self.init(
        .notFound,
        operation,
        because: "there is no such blob",
        do: "Its last snippet may have been deleted meanwhile."
      )
    case is StagedBlobEnd:
      self.init(
        .notFound,
        operation,
        because: "there is no such capture",
        do: "It may have been finished or discarded meanwhile."
      )
    case is BlobTooLarge:
      self.init(
        .invalidInput,
        operation,
        because: "the content has more than 256 GiB",
        do: "Save it in parts."
      )
    case let error as IdentityInUse:
      self.init(
        .invalidInput,
        operation,
        because: "a snippet with the identity \(error.uuid) exists already",
        do: "Nothing was changed. Change it with update(_:with:), or save with skipsDuplicates."
      )
    default:
      self.init(
        .failed,
        operation,
        because: String(describing: error),
        underlying: error
      )
    }
  }

  /// This error; where the disk is full, with what to do about it after more than one transaction,
  /// of which some may be done.
  func ifDiskIsFull(
    during operation: String,
    because reason: String? = nil,
    do suggestion: String
  ) -> SnippetStoreError {
    guard code == .diskFull else { return self }
    return SnippetStoreError(
      .diskFull,
      operation,
      because: reason ?? self.reason,
      do: suggestion,
      underlying: underlyingError
    )
  }

  /// What was to be read or changed is not there.
  static func noSuchSnippet(_ id: SnippetID, during operation: String) -> SnippetStoreError {
    SnippetStoreError(
      .notFound,
      operation,
      because: "there is no snippet \(id)",
      do: "It may have been deleted meanwhile."
    )
  }

  private init(_ error: FileError, during operation: String) {
    let cause: (code: Code, suggestion: String)
    switch error.code {
    case .noSuchFileOrDirectory, .notDirectory: cause = (.noSuchFile, "Check the path.")
    case .noSpace, .diskQuotaExceeded: cause = (.diskFull, "Free some space and try again.")
    case .ioError: cause = (.inputOutput, "Check the disk.")
    case .illegalByteSequence: cause = (.unreadable, "Give it another name.")
    default: cause = (.unreadable, "Check its permissions.")
    }
    self.init(
      cause.code,
      operation,
      because: error.reason,
      do: cause.suggestion,
      underlying: error
    )
  }

  private init(_ error: DatabaseError, during operation: String) {
    let message = error.message ?? "SQLite gave no reason"
    let cause: (code: Code, reason: String, suggestion: String)
    switch error.resultCode {
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      cause = (
        .busy, "another program is using the store and did not finish in time",
        "Try again, or allow a longer wait."
      )
    case .SQLITE_FULL:
      cause = (.diskFull, "the disk is full", "Nothing was changed. Free some space and try again.")
    case .SQLITE_IOERR:
      cause = (
        .inputOutput, "the disk reported an error (\(message))",
        "What was saved before is unchanged. Check the disk, then try again."
      )
    case .SQLITE_CORRUPT:
      cause = (
        .damaged, "the file looks damaged (\(message))",
        "It was left as it is. Run a check; if it confirms the damage, restore a backup."
      )
    case .SQLITE_NOTADB:
      cause = (
        .foreignFile, "the file is not a SQLite database",
        "It was left as it is. Give the path of a snippet store."
      )
    case .SQLITE_READONLY:
      cause = (.readOnly, "the store cannot be written here", "Check the permissions of its file.")
    case .SQLITE_CANTOPEN:
      cause = (
        .unreadable, "SQLite cannot open the file", "Check the permissions of it and its folder."
      )
    case .SQLITE_PERM, .SQLITE_AUTH:
      cause = (.unreadable, "permission was denied", "Check the permissions of the file.")
    case .SQLITE_CONSTRAINT:
      cause = (.refusedBySchema, message, "Nothing was changed.")
    case .SQLITE_INTERRUPT, .SQLITE_ABORT:
      cause = (.cancelled, "it was cancelled", "")
    case .SQLITE_NOMEM:
      cause = (.failed, "there is not enough memory", "Free some memory and try again.")
    case .SQLITE_MISUSE:
      cause = (.closed, "the store is closed", "Open it again.")
    default:
      cause = (.failed, message, "")
    }
    self.init(
      cause.code,
      operation,
      because: cause.reason,
      do: cause.suggestion,
      underlying: error
    )
  }
}
