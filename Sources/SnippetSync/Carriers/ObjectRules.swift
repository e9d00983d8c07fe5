internal import Foundation

/// The rules for the objects of a repository, which hold for every carrier.
///
/// Names come from the objects of other devices, so they must not lead anywhere else.
package enum ObjectRules {
  /// The most bytes of an object, with room for its encryption.
  package static let byteLimit = 9 << 20

  /// Whether a name is one of an object.
  ///
  /// Copies that Syncthing makes of conflicting files are not: `00000042.sync-conflict-…`.
  package static func allow(_ name: String) -> Bool {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count <= 8 && parts.allSatisfy { allow(part: $0) }
  }

  private static func allow(part: Substring) -> Bool {
    func isLetterOrDigit(_ byte: UInt8) -> Bool {
      (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
    let bytes = part.utf8
    guard let first = bytes.first, isLetterOrDigit(first), bytes.count <= 200 else { return false }
    return bytes.allSatisfy {
      isLetterOrDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".")
    } && !part.contains(".sync-conflict-")
  }

  /// Throws for a name that is not one of an object.
  static func check(_ name: String, to operation: String) throws(SyncError) {
    guard !allow(name) else { return }
    throw SyncError(
      .invalidInput,
      operation,
      because: "that is no name of an object",
      do: "Names have parts of letters, digits, dots and dashes, separated by slashes."
    )
  }

  /// Throws for a prefix that does not end where a part of a name ends.
  static func check(prefix: String, to operation: String) throws(SyncError) {
    guard !prefix.isEmpty else { return }
    guard prefix.hasSuffix("/") else {
      throw SyncError(.invalidInput, operation, because: "the prefix does not end with a slash")
    }
    try check(String(prefix.dropLast()), to: operation)
  }

  /// Throws for more bytes than an object may have.
  static func check(byteCount: Int, to operation: String) throws(SyncError) {
    guard byteCount > byteLimit else { return }
    throw SyncError(
      .invalidInput,
      operation,
      because: "it has \(byteCount) bytes, and an object at most \(byteLimit)"
    )
  }
}

extension SyncError {
  /// Makes the error of an operation whose task was cancelled.
  static func cancelled(_ operation: String) -> SyncError {
    SyncError(.cancelled, operation, because: "the task was cancelled")
  }

  /// Makes the error of a new object whose name is taken.
  static func alreadyExists(_ operation: String) -> SyncError {
    SyncError(.alreadyExists, operation, because: "an object of this name has other bytes")
  }

  /// Makes the error of an object that is larger than any can be.
  static func tooLarge(_ operation: String) -> SyncError {
    let limit = ObjectRules.byteLimit >> 20
    return SyncError(.damaged, operation, because: "it is larger than \(limit) MiB")
  }
}
