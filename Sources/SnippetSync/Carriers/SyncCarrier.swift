public import Foundation

/// A place where devices meet, reduced to whole objects of at most 8 MiB.
///
/// A carrier never needs a lock, a comparison before a write or a listing that is up to date: each
/// device writes only objects of its own, and all but one of them never change. So a folder that
/// another program synchronises will do, and so will any engine of S3.
///
/// Names consist of letters, digits, `-`, `.` and `/`, as `log/1f…/00000042`.
public protocol SyncCarrier: Sendable {
  /// Lists the objects whose names begin with a prefix, in any order.
  ///
  /// An object that is still being written need not be listed. Files of other programs are left
  /// out.
  ///
  /// - Parameter prefix: The beginning of the names, which ends with `/`.
  /// - Returns: The objects.
  /// - Throws: ``SyncError``, for example ``SyncError/Code/unreachable``, after which a retry can
  ///   help.
  func list(_ prefix: String) async throws(SyncError) -> [ObjectMark]

  /// Reads an object; `nil` if there is none of this name.
  ///
  /// The bytes may be torn or stale, where the place allows that: the caller recognises an object
  /// that is not whole.
  func read(_ name: String) async throws(SyncError) -> Data?

  /// Writes an object; on return it is durable, as far as the place can tell.
  ///
  /// An error may come after the object has been written. A retry with the same bytes helps and
  /// does no harm.
  ///
  /// - Parameters:
  ///   - data: The bytes.
  ///   - name: The name.
  ///   - isNew: Whether there should be no object of this name yet. Where the place can tell, it
  ///     then refuses to replace other bytes.
  /// - Throws: ``SyncError/Code/alreadyExists`` for such an object, and other failures.
  func write(_ data: Data, as name: String, isNew: Bool) async throws(SyncError)

  /// Removes an object; one that is not there is removed already.
  func remove(_ name: String) async throws(SyncError)
}

/// An object as a carrier lists it.
public struct ObjectMark: Hashable, Sendable {
  /// The name.
  public let name: String
  /// The size in bytes.
  public let byteCount: Int64
  /// A value that differs once the bytes do.
  public let tag: String

  /// Describes an object.
  public init(name: String, byteCount: Int64, tag: String) {
    self.name = name
    self.byteCount = byteCount
    self.tag = tag
  }
}
