package import Foundation

/// The state of a repository, as a check found it.
public struct SyncCheck: Sendable {
  /// The number of devices that have a head there.
  public internal(set) var deviceCount = 0
  /// The number of log files.
  public internal(set) var logFileCount = 0
  /// The number of entries in them; `nil` unless the log files were read.
  public internal(set) var entryCount: Int?
  /// The number of blobs that snippets need and that are there.
  public internal(set) var blobCount = 0
  /// The number of bytes of all objects.
  public internal(set) var byteCount: Int64 = 0
  /// The objects that are missing or damaged, or cannot be read, each with the reason.
  ///
  /// A folder that cannot be read is one fault.
  public internal(set) var faults: [SyncError] = []
  /// The number of heads, log files and blobs that cannot be read, those in such folders among them.
  public internal(set) var unreadCount = 0
  /// The number of these faults that a repair has mended, because this store has what is missing; 0
  /// unless a repair was asked for.
  ///
  /// Entries of log files that the store no longer keeps come with the next synchronization.
  public internal(set) var mendedCount = 0
  /// The number of log files of other devices that are lost, and have not come here.
  ///
  /// A repair that accepts the loss gives them up.
  public var lostLogCount: Int { lostLogs.reduce(0) { $0 + $1.count } }
  /// The devices of these log files.
  package internal(set) var lostLogs: [LostLogs] = []
  /// The report of the synchronization that was part of a repair; `nil` if there was none.
  package internal(set) var report: SyncReport?
  /// The error for which a repair did not replace lost log files of other devices that had come here.
  package internal(set) var hindrance: SyncError?
  /// Whether this store has anything of what is missing.
  package internal(set) var isMendable = false

  /// Whether nothing is missing or damaged, and everything could be looked at.
  public var isIntact: Bool { faults.isEmpty }

  /// Lost log files of a device that have not come here.
  package struct LostLogs: Sendable {
    /// The name of the device; empty if it is not known.
    package let name: String
    package let count: Int
    /// When the device last sent something, by its clock.
    package let sentAt: Date?
    /// The names of the devices that had received any of them.
    package let receivers: [String]
  }
}
