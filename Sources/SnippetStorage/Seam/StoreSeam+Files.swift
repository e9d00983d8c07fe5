package import Foundation
package import GRDB
package import SnippetBase

extension StoreSeam {
  /// Whether a file belongs to a store that this process has open: the database or a file beside
  /// it.
  ///
  /// Opening and closing such a file drops the locks of the store.
  package static func isOpen(_ file: FileIdentity) -> Bool {
    OpenStoreFile.contains(file)
  }

  /// Refuses to write a file where a store would be lost: in the place of a database, or of a file
  /// that belongs to one.
  ///
  /// Every writer outside the stores asks this before its first byte. Stores that are open in this
  /// process count, those in `named`, and others by their headers. Links, hard links, spellings and
  /// other mounts make no difference, and a free name counts too, since SQLite would believe a file
  /// there. Throws `.invalidInput`, or the error of a file that cannot be read.
  package static func requireNoStore(
    at path: String,
    besides named: [String] = [],
    during operation: String
  ) throws(SnippetStoreError) {
    try OutputPlace(path).requireNoStore(besides: named, during: operation)
  }

  /// Refuses a path in whose folder files can be made, and neither renamed nor removed: an unfinished
  /// one would stay there.
  package static func requireRemovals(
    beside path: String,
    during operation: String
  ) throws(SnippetStoreError) {
    try OutputPlace(path).requireRemovals(during: operation)
  }

  /// Whether a path has a file that may hold a store: a regular one that is not empty.
  ///
  /// Throws if something else is there, or if the path cannot be examined.
  package static func isPresent(
    at path: String,
    during operation: String
  ) throws(SnippetStoreError) -> Bool {
    try StoreFile(path, operation: operation).presence() == .present
  }

  /// Refuses a database beside which something stands under a name that SQLite uses, and is no
  /// regular file.
  package static func requireRegularCompanions(of path: String) throws {
    try IrregularCompanion.requireNone(beside: path)
  }

  /// Copies the log into the file, so that the file alone is the store.
  ///
  /// Throws `.busy` if another program reads an earlier state, and the error of a file that cannot
  /// be written. Closing a store says neither.
  package func foldLog(to operation: String) throws {
    try connections.foldWholeLog(to: operation)
  }

  /// Opens a database that is not a store in use, and adds the system's error to a failure.
  package static func openDatabase(
    _ path: String,
    _ configuration: Configuration
  ) throws -> DatabaseQueue {
    try SystemFailure.told(ofOpening: path, forWriting: true) {
      try DatabaseQueue(path: path, configuration: configuration)
    }
  }

  /// Reads such a database, and adds the system's error to a failure.
  ///
  /// SQLite reports a medium that cannot be read as damage.
  package static func read<Result>(
    _ db: Database,
    _ body: () throws -> Result
  ) throws -> Result {
    try SystemFailure.told(by: db.sqliteConnection, of: body)
  }
}

/// The file of a store that is being made; it gets its name once it is complete.
package struct NewStoreFile {
  private let copy: StoreCopy

  /// Names the file, whose place must be free; `check` throws once the work is cancelled.
  package init(
    at destination: URL,
    operation: String,
    check: @escaping () throws -> Void
  ) {
    copy = StoreCopy(
      destination: destination,
      replacesExisting: false,
      operation: operation,
      check: check,
      report: { _ in }
    )
  }

  /// Refuses a destination that is taken, that belongs to a store, open or named, or that has the
  /// log of another database beside it.
  package func requireUsableDestination(besides named: String) throws(SnippetStoreError) {
    let place = OutputPlace(copy.destination.path)
    try place.requireNoStore(besides: [named], writing: .store, during: copy.operation)
    try copy.requireUsableDestination()
    try place.requireNoLog(during: copy.operation)
  }

  /// Makes an empty file beside the destination.
  ///
  /// After `body` it removes the file with its logs, unless the file was published.
  package func withPartialFile<Result>(_ body: (String) throws -> Result) throws -> Result {
    try copy.withPartialFile(body)
  }

  /// Gives a partial file its name.
  package func publish(_ partial: String) throws {
    try copy.publish(partial)
  }
}
