package import Foundation
package import GRDB
package import SnippetBase

extension StoreSeam {
  /// Whether a file is one of a store that this process has open: the database or one beside it.
  ///
  /// To open and close such a file drops the locks of the store.
  package static func isOpen(_ file: FileIdentity) -> Bool {
    OpenStoreFile.contains(file)
  }

  /// Whether there is a file at a path that may hold a store: a regular one that is not empty.
  ///
  /// - Throws: ``SnippetStoreError`` where another thing stands there, or nobody can tell.
  package static func isPresent(
    at path: String,
    during operation: String
  ) throws(SnippetStoreError) -> Bool {
    try StoreFile(path, operation: operation).presence() == .present
  }

  /// Opens a database that is no store in use, and names the error of the system behind a failure.
  package static func openDatabase(
    _ path: String,
    _ configuration: Configuration
  ) throws -> DatabaseQueue {
    try SystemFailure.told(ofOpening: path, forWriting: true) {
      try DatabaseQueue(path: path, configuration: configuration)
    }
  }
}

/// The file of a store that is being made: it gets its name once it is complete.
package struct NewStoreFile {
  private let copy: StoreCopy

  /// Names the file.
  ///
  /// - Parameters:
  ///   - destination: Where it will be; there must be none.
  ///   - operation: What an error says could not be done.
  ///   - check: Throws once the work is cancelled.
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

  /// Refuses a destination where something stands.
  package func requireUsableDestination() throws(SnippetStoreError) {
    try copy.requireUsableDestination()
  }

  /// Makes an empty file beside the destination, and removes it after `body` with its logs, unless
  /// it was published.
  package func withPartialFile<Result>(_ body: (String) throws -> Result) throws -> Result {
    try copy.withPartialFile(body)
  }

  /// Gives a partial file its name.
  package func publish(_ partial: String) throws {
    try copy.publish(partial)
  }
}
