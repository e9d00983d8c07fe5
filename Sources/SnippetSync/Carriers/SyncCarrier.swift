public import Foundation

/// A place where devices meet, reduced to whole objects of at most 8 MiB.
///
/// A carrier never needs a lock, a comparison before a write or a listing that is up to date: each
/// device writes only objects of its own, and all but one of them never change. So a folder that
/// another program synchronizes will do, and so will any engine of S3.
///
/// Names have at most eight parts, separated by `/`, as `log/1f…/00000042`. A part has at most 200
/// characters: lower-case letters of ASCII, digits, `-` and `.`. It begins with a letter or a digit.
/// Other names are refused with ``SyncError/Code/invalidInput``, and files that have them are not
/// listed, so no name that another device wrote leads out of the place.
///
/// A carrier keeps only what it is given: an object that cannot be read whole, is stale or comes
/// twice does no harm, and a place that is missing must be an error, never an empty list.
public protocol SyncCarrier: Sendable {
  /// The most log files or objects of blobs to write, or blobs to read, at once; 1 by default.
  var transferLimit: Int { get }

  /// Lists the objects whose names begin with a prefix, in any order.
  ///
  /// An object that is still being written need not be listed, and one may be listed twice. Files
  /// of other programs are left out.
  ///
  /// - Parameter prefix: The beginning of the names, which ends with `/`; empty for all objects.
  /// - Returns: The objects.
  /// - Throws: ``SyncError``, for example ``SyncError/Code/unreachable``, after which a retry can
  ///   help.
  func list(_ prefix: String) async throws(SyncError) -> [ObjectMark]

  /// Reads an object; `nil` if there is none of this name.
  ///
  /// The bytes may be torn or stale, where the place allows that: the caller recognises an object
  /// that is not whole.
  ///
  /// - Parameter name: The name.
  /// - Returns: The bytes.
  /// - Throws: ``SyncError``; ``SyncError/Code/damaged`` for more bytes than 9 MiB.
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

  /// Writes an object of any bytes that need not be durable before ``settle()`` returns; by default it is.
  ///
  /// Until then a failure of the power may take it back, or leave a part of it under its name. An object
  /// that was there before stays or is replaced as a whole.
  ///
  /// - Parameters:
  ///   - data: The bytes.
  ///   - name: The name, under which an object with other bytes is replaced.
  /// - Returns: Whether the object is durable already.
  /// - Throws: ``SyncError``. A retry with the same bytes helps and does no harm.
  func writeUnsettled(_ data: Data, as name: String) async throws(SyncError) -> Bool

  /// Makes all objects durable that ``writeUnsettled(_:as:)`` has written before the call.
  ///
  /// By default there are none that are not. A synchronization that fails calls it at its end as well, so
  /// that a carrier can let go what it holds for them.
  ///
  /// - Throws: ``SyncError``. Then all of them must be written again.
  func settle() async throws(SyncError)

  /// Removes an object; one that is not there is removed already.
  ///
  /// - Parameter name: The name.
  /// - Throws: ``SyncError``. A retry does no harm.
  func remove(_ name: String) async throws(SyncError)
}

extension SyncCarrier {
  /// One object at a time.
  public var transferLimit: Int { 1 }

  /// Writes an object, which is durable on return.
  public func writeUnsettled(_ data: Data, as name: String) async throws(SyncError) -> Bool {
    try await write(data, as: name, isNew: false)
    return true
  }

  /// Does nothing: all objects are durable.
  public func settle() async throws(SyncError) {}
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
