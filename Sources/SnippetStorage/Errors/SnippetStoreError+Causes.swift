import Foundation
import GRDB
import SnippetBase
import SystemPackage

extension SnippetStoreError {
  /// Converts an error from a lower layer; the only place that does so.
  ///
  /// The operation has the form that follows “Could not”.
  package init(_ error: any Error, during operation: String) {
    if let cause = Self.cause(of: error) {
      self.init(cause, operation, underlying: nil)
      return
    }
    switch error {
    case let error as SnippetStoreError: self = error
    case let error as DatabaseError: self.init(error, during: operation)
    case let failure as SystemFailure: self.init(failure, during: operation)
    case let error as FileError: self.init(error, during: operation)
    case is RowDecodingError:
      self.init(DatabaseError.damage("a value is missing that must be there"), during: operation)
    case let failure as UnopenedFile:
      let cause: Cause =
        if let protection = FileStatus.protection(of: failure.path) {
          (
            .readOnly,
            protection == .immutable
              ? "its file is protected from changes" : "its file can only be appended to",
            Self.unchanged, protection.advice
          )
        } else if FileStatus.isWritable(failure.path.folderPath) {
          (
            .inputOutput, "a file beside the database could not be opened for writing",
            Self.unchanged,
            "Check the permissions and attributes of the files beside it, and open the store again."
          )
        } else {
          (
            .readOnly, "its folder cannot be written, and a store needs files beside it",
            Self.unchanged, "Check the permissions of the folder."
          )
        }
      self.init(cause, operation, underlying: failure.error)
    case is UnfinishedTransaction:
      let cause: Cause = (
        .unreadable,
        "another program was stopped while it wrote, and its changes cannot be undone here", nil,
        "Copy it, with the -journal beside it, to where both can be written, and use the copy."
      )
      self.init(cause, operation, underlying: error)
    default:
      self.init((.failed, Self.reason(of: error), nil, ""), operation, underlying: error)
    }
  }

  /// Calls `body`, and converts its error.
  static func converting<Result>(
    during operation: @autoclosure () -> String,
    _ body: () throws -> Result
  ) throws(SnippetStoreError) -> Result {
    do {
      return try body()
    } catch {
      throw SnippetStoreError(error, during: operation())
    }
  }

  /// The words of an error from outside, without the full stop that the sentence around it has.
  package static func reason(of error: any Error) -> String {
    let words = (error as? any LocalizedError)?.errorDescription ?? String(describing: error)
    return words.hasSuffix(".") ? String(words.dropLast()) : words
  }

  /// The cause behind an error that no layer below has thrown; `nil` for all others.
  private static func cause(of error: any Error) -> Cause? {
    switch error {
    case is CancellationError: (.cancelled, "it was cancelled", nil, "")
    case let error as NotARegularFile:
      (.unreadable, "\(error.path) is not a regular file", nil, "Give the path of a file.")
    case let error as IrregularCompanion:
      (
        .unreadable, "\(error.path), a name that SQLite uses, is not a regular file", unchanged,
        "Move away what has that name."
      )
    case let error as StoreInUse:
      (
        .unreadable, "\(error.path) belongs to a store that is open", nil,
        "Close the store, or make a backup and take that."
      )
    case is ContentChange:
      (
        .contentChanged, "the content changed while it was read", nil,
        "Try again once it is complete."
      )
    case is StreamAlreadyRead:
      (
        .invalidInput, "its stream was already read by an earlier save", unchanged,
        "Make the stream anew, or collect its pieces before saving."
      )
    case is BlobDeletion:
      (.notFound, "there is no such blob", nil, "Its last snippet may have been deleted.")
    case is StagedBlobEnd:
      (.notFound, "there is no such capture", nil, "It may have been finished or discarded.")
    case is BlobTooLarge:
      (.invalidInput, "the content has more than 256 GiB", nil, "Save it in parts.")
    case let error as DisplacedFile:
      (
        .inputOutput, "the \(error.part) of the store was moved or deleted", unchanged,
        error.part == "log"
          ? """
          Back this store up while it is open, then close it everywhere and open it again. Restore \
          the backup if something is missing.
          """
          : "Put it back, or open the store again."
      )
    case let error as IdentityInUse:
      (
        .invalidInput, "a snippet with the identity \(error.uuid) exists already", unchanged,
        "Change that snippet, or skip duplicates."
      )
    default: nil
    }
  }

  /// The snippet to be read or changed does not exist.
  static func noSuchSnippet(_ id: SnippetID, during operation: String) -> SnippetStoreError {
    SnippetStoreError(
      .notFound,
      operation,
      because: "there is no snippet \(id)",
      do: "It was deleted, or there never was one."
    )
  }

  /// A text would get a note.
  static func textHasNoNote(during operation: String) -> SnippetStoreError {
    SnippetStoreError(
      .invalidInput,
      operation,
      because: "it is a text, and only an image or voice has a note",
      keeping: "Nothing was changed.",
      do: "Write it into the text."
    )
  }

  private init(_ error: FileError, during operation: String) {
    let cause: (code: Code, suggestion: String)
    switch error.code {
    case .noSuchFileOrDirectory, .notDirectory: cause = (.noSuchFile, "Check the path.")
    case .noSpace, .diskQuotaExceeded: cause = (.diskFull, Self.freeingSpace)
    case .ioError: cause = (.inputOutput, "Check the disk.")
    case .readOnlyFileSystem: cause = (.readOnly, "Choose another place.")
    case .tooManyOpenFiles, .tooManyOpenFilesInSystem: cause = (.inputOutput, Self.closingFiles)
    case .illegalByteSequence: cause = (.unreadable, "Give it another name.")
    case .fileExists: cause = (.unreadable, "Move away what has that name, or give another.")
    case .fileNameTooLong: cause = (.unreadable, "Give it a shorter name.")
    case .tooManySymbolicLinkLevels: cause = (.unreadable, "Check the path.")
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

  private static let unchanged = "Nothing was changed."
  private static let formerUnchanged = "Everything saved before is unchanged."
  /// For a commit that stands in the log, which the disk did not confirm.
  private static let unconfirmed =
    "Whether the change was kept shows when the store is opened again."
  private static let leftAsItIs = "It was left as it is."
  /// Names the folder of SQLite's temporary files too, if there is no room for one.
  private static var freeingSpace: String {
    let variables = ProcessInfo.processInfo.environment
    let folder = variables["SQLITE_TMPDIR"] ?? variables["TMPDIR"] ?? "/var/tmp"
    guard let room = DiskRoom(at: folder), room.availableByteCount < 1 << 20 else {
      return "Free some space and try again."
    }
    return "Free some space, also in \(folder) for temporary files, and try again."
  }
  private static let closingFiles = "Close some files, or allow more (ulimit -n), and try again."

  /// A file could not be created.
  static func cannotCreate(_ error: FileError, during operation: String) -> SnippetStoreError {
    let other = SnippetStoreError(error, during: operation)
    guard [.noSuchFile, .unreadable].contains(other.code) else { return other }
    return cannotCreate(error.path, because: error.code.description, during: operation)
  }

  /// A file could not be created.
  static func cannotCreate(
    _ path: String,
    because reason: String,
    during operation: String
  ) -> SnippetStoreError {
    SnippetStoreError(
      .cannotCreate,
      operation,
      because: "\(path): \(reason)",
      do: "Check that the folder exists and can be written."
    )
  }

  private typealias Cause = (code: Code, reason: String, kept: String?, advice: String)

  private init(_ cause: Cause, _ operation: String, underlying error: (any Error)?) {
    self.init(
      cause.code,
      operation,
      because: cause.reason,
      keeping: cause.kept,
      do: cause.advice,
      underlying: error
    )
  }

  private init(_ failure: SystemFailure, during operation: String) {
    let isUnconfirmed = failure.error.extendedResultCode == .SQLITE_IOERR_FSYNC
    let cause: Cause
    switch failure.code {
    case .fileTooLarge:
      cause = (
        .inputOutput, "the system allows no file of that size", Self.unchanged,
        "Raise the limit (ulimit -f), or use another file system."
      )
    case .noSpace, .diskQuotaExceeded:
      let kept = isUnconfirmed ? Self.unconfirmed : Self.unchanged
      cause = (.diskFull, "the disk is full", kept, Self.freeingSpace)
    case .ioError:
      cause = (
        .inputOutput, "the disk reported an error (\(failure.code))",
        isUnconfirmed ? Self.unconfirmed : Self.formerUnchanged, "Check the disk, then try again."
      )
    case .tooManyOpenFiles, .tooManyOpenFilesInSystem:
      cause = (.inputOutput, "too many files are open", nil, Self.closingFiles)
    case .readOnlyFileSystem:
      cause = (
        .readOnly, "its file system is read-only",
        isUnconfirmed ? Self.unconfirmed : Self.formerUnchanged, "Open it for reading only."
      )
    case .permissionDenied where failure.isOfReading, .notPermitted where failure.isOfReading:
      cause = (
        .unreadable, "the system forbids reading a file of the store (\(failure.code))",
        Self.formerUnchanged, "Check the permissions and attributes of its file and folder."
      )
    case .permissionDenied where failure.error.resultCode == .SQLITE_IOERR,
      .notPermitted where failure.error.resultCode == .SQLITE_IOERR:
      cause = (
        .readOnly, "the system forbids changing a file of the store (\(failure.code))",
        Self.formerUnchanged, "Check the permissions and attributes of its file and folder."
      )
    case .noMemory:
      cause = (.failed, "there is not enough memory", nil, "Free some memory and try again.")
    default:
      self.init(failure.error, during: operation)
      return
    }
    self.init(cause, operation, underlying: failure.error)
  }

  private init(_ error: DatabaseError, during operation: String) {
    let message = error.message ?? "SQLite gave no reason"
    let cause: Cause
    switch error.resultCode {
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      cause = (
        .busy, "another program is using the store and did not finish in time", nil,
        "Try again, or allow a longer wait."
      )
    case .SQLITE_FULL:
      cause = (.diskFull, "the disk is full", Self.unchanged, Self.freeingSpace)
    case .SQLITE_IOERR where error.extendedResultCode == .SQLITE_IOERR_FSYNC:
      cause = (
        .inputOutput, "the disk did not confirm that it has written", Self.unconfirmed,
        "Check the disk."
      )
    case .SQLITE_IOERR where error.extendedResultCode == .SQLITE_IOERR_SHMMAP:
      cause = (
        .inputOutput, "its file system has no memory that programs share, which a store needs",
        Self.formerUnchanged, "Keep the store on a local disk; backups can go there."
      )
    case .SQLITE_IOERR:
      cause = (
        .inputOutput, "the disk reported an error (\(message))", Self.formerUnchanged,
        "Check the disk, then try again."
      )
    case .SQLITE_PROTOCOL:
      cause = (
        .inputOutput, "the file system refuses locks again and again", Self.formerUnchanged,
        "Try again; if it stays, check the disk, and keep the store on a local one."
      )
    case .SQLITE_CORRUPT:
      cause = (
        .damaged, "the file looks damaged (\(message))", Self.leftAsItIs,
        "Run a check; if it confirms the damage, restore a backup."
      )
    case .SQLITE_NOTADB:
      cause = (
        .foreignFile, "the file is not a SQLite database", Self.leftAsItIs,
        "Give the path of a snippet store."
      )
    case .SQLITE_READONLY:
      cause = (
        .readOnly, "the store cannot be written here", nil,
        "Check the permissions of its file and folder."
      )
    case .SQLITE_CANTOPEN:
      cause = (
        .unreadable, "SQLite cannot open the file", nil,
        "Check the permissions of it and its folder."
      )
    case .SQLITE_PERM, .SQLITE_AUTH:
      cause = (.unreadable, "permission was denied", nil, "Check the permissions of the file.")
    case .SQLITE_CONSTRAINT:
      cause = (.refusedBySchema, message, Self.unchanged, "")
    case .SQLITE_INTERRUPT, .SQLITE_ABORT:
      cause = (.cancelled, "it was cancelled", nil, "")
    case .SQLITE_NOMEM:
      cause = (.failed, "there is not enough memory", nil, "Free some memory and try again.")
    case .SQLITE_MISUSE:
      cause = (.closed, "the store is closed", nil, "Open it again.")
    default:
      cause = (.failed, message, nil, "")
    }
    self.init(cause, operation, underlying: error)
  }
}
