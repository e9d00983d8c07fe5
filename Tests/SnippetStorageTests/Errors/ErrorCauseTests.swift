import Foundation
import GRDB
import SnippetBase
import SystemPackage
import Testing

@testable import SnippetStorage

/// What comes from below becomes an error of ours in one place.
struct ErrorCauseTests {
  @Test(
    arguments: [
      (.SQLITE_BUSY, .busy), (.SQLITE_BUSY_SNAPSHOT, .busy), (.SQLITE_LOCKED, .busy),
      (.SQLITE_FULL, .diskFull), (.SQLITE_IOERR, .inputOutput), (.SQLITE_IOERR_FSYNC, .inputOutput),
      (.SQLITE_PROTOCOL, .inputOutput),
      (.SQLITE_CORRUPT, .damaged), (.SQLITE_NOTADB, .foreignFile), (.SQLITE_READONLY, .readOnly),
      (.SQLITE_READONLY_DIRECTORY, .readOnly), (.SQLITE_CANTOPEN, .unreadable),
      (.SQLITE_PERM, .unreadable), (.SQLITE_AUTH, .unreadable),
      (.SQLITE_CONSTRAINT_CHECK, .refusedBySchema), (.SQLITE_INTERRUPT, .cancelled),
      (.SQLITE_ABORT, .cancelled), (.SQLITE_NOMEM, .failed), (.SQLITE_MISUSE, .closed),
      (.SQLITE_ERROR, .failed), (.SQLITE_TOOBIG, .failed),
    ] as [(ResultCode, SnippetStoreError.Code)]
  )
  func `a result of SQLite has its code`(result: ResultCode, code: SnippetStoreError.Code) {
    let cause = DatabaseError(resultCode: result, message: "the message")

    let error = SnippetStoreError(cause, during: "do it")

    #expect(error.code == code)
    #expect(error.operation == "do it")
    #expect(error.description.hasPrefix("Could not do it: \(error.reason)."))
    #expect((error.underlyingError as? DatabaseError)?.extendedResultCode == result)
  }

  @Test(
    arguments: [
      (ENOENT, .noSuchFile), (ENOTDIR, .noSuchFile), (ENOSPC, .diskFull), (EDQUOT, .diskFull),
      (EIO, .inputOutput), (EACCES, .unreadable), (EISDIR, .unreadable), (EMFILE, .inputOutput),
      (ENFILE, .inputOutput),
    ] as [(Int32, SnippetStoreError.Code)]
  )
  func `a failure of the file system has its code`(number: Int32, code: SnippetStoreError.Code) {
    let cause = FileError("/some/file", Errno(rawValue: number))

    let error = SnippetStoreError(cause, during: "do it")

    #expect(error.code == code)
    #expect(error.reason == "/some/file: \(String(cString: strerror(number)))")
    #expect(error.underlyingError is FileError)
  }

  @Test(
    arguments: [
      (EACCES, "Check its permissions."), (ENAMETOOLONG, "Give it a shorter name."),
      (EEXIST, "Move away what has that name, or give another."), (ELOOP, "Check the path."),
    ] as [(Int32, String)]
  )
  func `a failure of the file system has advice that fits it`(number: Int32, advice: String) {
    let error = SnippetStoreError(FileError("/some/file", Errno(rawValue: number)), during: "do it")

    #expect(error.code == .unreadable && error.recoverySuggestion == advice)
  }

  @Test(
    arguments: [
      (
        "/tmp/store.sqlite", .inputOutput,
        "Check the permissions and attributes of the files beside it, and open the store again."
      ),
      ("/no such folder/store.sqlite", .readOnly, "Check the permissions of the folder."),
    ] as [(String, SnippetStoreError.Code, String)]
  )
  func `a file that was not opened for writing is told with the reason`(
    path: String,
    code: SnippetStoreError.Code,
    advice: String
  ) {
    let error = SnippetStoreError(
      UnopenedFile(error: DatabaseError(resultCode: .SQLITE_CANTOPEN), path: path),
      during: "do it"
    )

    #expect(error.code == code)
    #expect(error.recoverySuggestion == "Nothing was changed. \(advice)")
  }

  // A file system that finds a fault in itself turns read-only in the middle of a write.
  @Test(
    arguments: [
      (.SQLITE_IOERR_WRITE, "Everything saved before is unchanged. Open it for reading only."),
      (
        .SQLITE_IOERR_FSYNC,
        """
        Whether the change was kept shows when the store is opened again. Open it for reading only.
        """
      ),
    ] as [(ResultCode, String)]
  )
  func `a file system that turned read-only is told with the state of the store`(
    result: ResultCode,
    suggestion: String
  ) {
    let error = SnippetStoreError(
      SystemFailure(error: DatabaseError(resultCode: result), code: .readOnlyFileSystem),
      during: "do it"
    )

    #expect(error.code == .readOnly)
    #expect(error.recoverySuggestion == suggestion)
  }

  // SQLite calls every operation that fails an error of the disk.
  @Test(arguments: [EACCES, EPERM] as [Int32])
  func `a forbidden change is not told as an error of the disk`(number: Int32) {
    let cause = DatabaseError(resultCode: .SQLITE_IOERR_DELETE)

    let error = SnippetStoreError(
      SystemFailure(error: cause, code: Errno(rawValue: number)),
      during: "do it"
    )

    #expect(error.code == .readOnly)
    #expect(error.reason.hasPrefix("the system forbids changing a file of the store ("))
    #expect(error.recoverySuggestion?.contains("permissions") == true, "\(error)")
  }

  @Test(
    arguments: [.SQLITE_IOERR_READ, .SQLITE_IOERR_FSTAT, .SQLITE_IOERR_ACCESS] as [ResultCode],
    [EACCES, EPERM] as [Int32]
  )
  func `a forbidden read is not told as a forbidden change`(result: ResultCode, number: Int32) {
    let error = SnippetStoreError(
      SystemFailure(error: DatabaseError(resultCode: result), code: Errno(rawValue: number)),
      during: "do it"
    )

    #expect(error.code == .unreadable)
    #expect(error.reason.hasPrefix("the system forbids reading a file of the store ("))
    #expect(error.recoverySuggestion?.contains("permissions") == true, "\(error)")
  }

  @Test(
    arguments: [(.SQLITE_IOERR_READ, true), (.SQLITE_IOERR_SHORT_READ, false)]
      as [(ResultCode, Bool)]
  )
  func `no call forbade a file that ends too early`(result: ResultCode, isForbidden: Bool) {
    let cause = DatabaseError(resultCode: result)

    let error = #expect(throws: (any Error).self) {
      try SystemFailure.told(of: { () throws -> Void in
        errno = EACCES
        throw cause
      })
    }

    #expect((error is SystemFailure) == isForbidden)
  }

  @Test func `an error of ours passes through as it is`() {
    let cause = SnippetStoreError(.busy, "do this", because: "of that", do: "Wait.")

    let error = SnippetStoreError(cause, during: "do it")

    #expect(error.description == "Could not do this: of that. Wait.")
  }

  @Test func `an error of somebody else's is kept`() {
    struct Other: Error {}

    let error = SnippetStoreError(Other(), during: "do it")

    #expect(error.code == .failed)
    #expect(error.description == "Could not do it: Other().")
    #expect(error.underlyingError is Other)
  }

  @Test func `content that is too large says so`() {
    let error = SnippetStoreError(BlobTooLarge(), during: "save a snippet")

    #expect(error.code == .invalidInput)
    #expect(
      error.description == """
        Could not save a snippet: the content has more than 256 GiB. Save it in parts.
        """
    )
  }
}
