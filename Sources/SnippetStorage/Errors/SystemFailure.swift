import GRDB
import SystemPackage

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
