import Foundation
package import GRDB

/// The blob is not there, or not any more.
struct BlobDeletion: Error {}

/// The blob has more bytes than fit: more than 256 GiB.
package struct BlobTooLarge: Error {
  /// Makes the error.
  package init() {}
}

/// What was to be read is a file of a store that this process has open.
package struct StoreInUse: Error {
  let path: String

  /// Names the file.
  package init(path: String) {
    self.path = path
  }
}

/// The staged blob is not there any more: it was finished or discarded, here or elsewhere.
struct StagedBlobEnd: Error {}

/// A snippet of the store has the identity that a new one is to have.
struct IdentityInUse: Error {
  let uuid: UUID
}

extension DatabaseError {
  /// What is in the file cannot be.
  package static func damage(_ message: String) -> DatabaseError {
    DatabaseError(resultCode: .SQLITE_CORRUPT, message: message)
  }
}
