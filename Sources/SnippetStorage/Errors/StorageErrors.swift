import Foundation
package import GRDB

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

extension DatabaseError {
  /// Reports impossible content in the file.
  package static func damage(_ message: String) -> DatabaseError {
    DatabaseError(resultCode: .SQLITE_CORRUPT, message: message)
  }
}
