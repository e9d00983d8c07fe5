import Foundation
import GRDB

/// The blob does not exist, or was deleted.
struct BlobDeletion: Error {}

/// The blob is too large: more than 256 GiB.
struct BlobTooLarge: Error {}

/// The file to read belongs to a store that this process has open.
struct StoreInUse: Error {
  let path: String
}

/// The staged blob no longer exists: it was finished or discarded, by this process or another.
struct StagedBlobEnd: Error {}

/// The identity of a new snippet is already used in the store.
struct IdentityInUse: Error {
  let uuid: UUID
}

extension DatabaseError {
  /// Reports impossible content in the file.
  static func damage(_ message: String) -> DatabaseError {
    DatabaseError(resultCode: .SQLITE_CORRUPT, message: message)
  }
}
