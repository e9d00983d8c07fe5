import Foundation
import GRDB
import SystemPackage

/// The blob is not there, or not any more.
struct BlobDeletion: Error {}

/// The blob has more bytes than fit: more than 256 GiB.
struct BlobTooLarge: Error {}

/// The file to be read belongs to a store that this process has open.
struct StoreInUse: Error {
  let path: String
}

/// The staged blob is not there any more: it was finished or discarded, here or elsewhere.
struct StagedBlobEnd: Error {}

/// A snippet of the store has the identity that a new one is to have.
struct IdentityInUse: Error {
  let uuid: UUID
}

/// A file beside the database could not be opened for writing, though nothing forbids it.
///
/// SQLite then opens it for reading, and forgets why it had to.
struct UnopenedFile: Error {
  let error: DatabaseError
}

/// Another program was stopped within a transaction: the file is half of it, until the journal
/// beside it is rolled back.
struct UnfinishedTransaction: Error {}

/// A failure of SQLite, with the error of the system behind it.
///
/// SQLite names the consequence: a disk that cannot be read is a malformed database to it, a full
/// one a file that cannot be opened, and too many open files a file that is read-only.
struct SystemFailure: Error {
  let error: DatabaseError
  let code: Errno
}

extension DatabaseError {
  /// The content of the file cannot be right.
  static func damage(_ message: String) -> DatabaseError {
    DatabaseError(resultCode: .SQLITE_CORRUPT, message: message)
  }
}
