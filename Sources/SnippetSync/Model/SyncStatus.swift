public import Foundation

/// The state of a store's synchronization, as far as it is known without asking the repository.
public struct SyncStatus: Hashable, Sendable {
  /// The place of the repository, as it was given when the store joined.
  public let address: String
  /// The identity of the repository, in hexadecimal digits.
  public let repository: String
  /// The name of this device.
  public let deviceName: String
  /// The number of snippets that have been edited and not been sent.
  ///
  /// There may be more where ``unsentFileCount`` is not 0.
  public let unsentCount: Int
  /// The number of log files that were made and could not be sent, each with one snippet or more.
  ///
  /// ``unsentCount`` counts one of each.
  public let unsentFileCount: Int
  /// The number of blobs that have not been sent.
  public let unsentBlobCount: Int
  /// The number of snippets that other devices sent and that are not merged here yet.
  ///
  /// They wait for their blobs, until many removals are allowed, or because a synchronization ended
  /// before its time.
  public let waitingCount: Int
  /// Whether the store was restored from a backup, and it is not decided what counts.
  ///
  /// Until then nothing is sent or received, see ``StoreSync/settleRestore(keepingBackup:)``.
  public let isRestored: Bool
  /// When both directions were last done, with nothing left that could not be read; `nil` for never.
  public let synchronizedAt: Date?
}

/// A device of the repository.
public struct SyncDevice: Sendable {
  /// The name of the device for people.
  public let name: String
  /// Whether it is this one.
  public let isOwn: Bool
  /// When it last sent something, by its clock; `nil` if that is not known.
  public let sentAt: Date?
  /// When it left the repository, by its clock; `nil` if it takes part, or could not tell that it left.
  ///
  /// One that could not tell it tells it once its store joins again, with the time of that.
  public let leftAt: Date?
  /// The number of its log files that have been received here.
  public let receivedCount: Int64

  init(_ device: KnownDevice, isOwn: Bool) {
    name = device.name
    self.isOwn = isOwn
    sentAt = device.wroteAt.map { Date(timeIntervalSince1970: Double($0) / 1000) }
    leftAt = device.leftAt.map { Date(timeIntervalSince1970: Double($0) / 1000) }
    receivedCount = device.applied
  }
}
