import Foundation
package import GRDB
import GRDBSQLite
import SystemPackage

/// The blob does not exist, or was deleted.
struct BlobDeletion: Error {}

/// The blob is too large: more than 256 GiB.
package struct BlobTooLarge: Error {
  /// Makes the error.
  package init() {}
}

/// The file to read belongs to a store that this process has open.
package struct StoreInUse: Error {
  let path: String

  /// Names the file.
  package init(path: String) {
    self.path = path
  }
}

/// The staged blob no longer exists: it was finished or discarded, by this process or another.
struct StagedBlobEnd: Error {}

/// The identity of a new snippet is already used in the store.
struct IdentityInUse: Error {
  let uuid: UUID
}

/// A file beside the database could not be opened for writing, although permissions allow it.
///
/// SQLite then opens it for reading, and loses the reason.
struct UnopenedFile: Error {
  let error: DatabaseError
  /// The path of the database.
  let path: String
}

/// The stream of a draft was read before, and cannot be read again.
struct StreamAlreadyRead: Error {}

/// The file of an open store, or its log, is no longer in its place.
struct DisplacedFile: Error {
  /// The part that was moved or deleted: "file" or "log".
  let part: String
}

/// A name beside a database that SQLite would open with it, and that is no regular file.
///
/// A pipe would keep SQLite waiting for ever. For others SQLite blames the disk or the permissions.
struct IrregularCompanion: Error {
  let path: String
}

/// Another program stopped within a transaction.
///
/// The file holds half of it until the journal beside it is rolled back.
struct UnfinishedTransaction: Error {}

/// An error of SQLite with the error of the system that caused it.
///
/// SQLite only names the consequence: it calls an unreadable disk a malformed database, a full one
/// a file that cannot be opened, and too many open files a read-only file.
struct SystemFailure: Error {
  let error: DatabaseError
  let code: Errno
}

extension DatabaseError {
  /// The error behind a result of SQLite, with the message of its connection.
  init(_ code: Int32, on connection: OpaquePointer?) {
    let message = connection.map { String(cString: sqlite3_errmsg($0)) }
    self.init(resultCode: ResultCode(rawValue: code), message: message)
  }

  /// Reports impossible content in the file.
  package static func damage(_ message: String) -> DatabaseError {
    DatabaseError(resultCode: .SQLITE_CORRUPT, message: message)
  }
}
