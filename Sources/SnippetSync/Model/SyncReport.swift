public import Foundation

/// The work of a synchronization.
public struct SyncReport: Sendable {
  /// A device that sent a log file or a blob which could not be read, or which has not arrived;
  /// everything else was.
  public struct HeldDevice: Sendable {
    let device: DeviceID
    /// The name of the device; empty if it has not told one.
    public let name: String
    /// The reason, as a sentence.
    public let reason: String
  }

  /// The number of snippets that other devices added or changed.
  public internal(set) var receivedCount = 0
  /// The number of snippets that other devices deleted or moved to the trash.
  public internal(set) var removedCount = 0
  /// The number of snippets that were sent.
  public internal(set) var sentCount = 0
  /// The number of blobs that were fetched.
  public internal(set) var receivedBlobCount = 0
  /// The number of bytes of these blobs.
  public internal(set) var receivedByteCount: Int64 = 0
  /// The number of blobs that were sent.
  public internal(set) var sentBlobCount = 0
  /// The number of bytes of these blobs.
  public internal(set) var sentByteCount: Int64 = 0
  /// The number of blobs that could not be read here and so were not sent.
  ///
  /// Their snippets wait. Check the store: a blob is damaged, or was deleted a moment ago.
  public internal(set) var unreadBlobCount = 0
  /// The identities of the conflict copies that were made, which carry the tag `conflict`.
  ///
  /// Each is the older of two versions of one content that two devices edited.
  public internal(set) var conflicts: Set<UUID> = []
  /// The identities of snippets that came back.
  ///
  /// They were deleted or in the trash here, and another device had edited them without knowing.
  public internal(set) var revived: Set<UUID> = []
  /// The number of snippets that became one with a twin: two devices had imported the same file.
  public internal(set) var foldedCount = 0
  /// The snippets that the store refused, by their identities, with the reasons.
  ///
  /// They are kept aside until a newer version opens the store.
  public internal(set) var refused: [UUID: String] = [:]
  /// The number of entries that could not be understood.
  ///
  /// They are kept aside until a newer version opens the store.
  public internal(set) var malformedCount = 0
  /// The number of snippets that wait for a blob which could not be read, or which has not arrived.
  public internal(set) var waitingCount = 0
  /// The devices that sent something which could not be read, each once.
  public internal(set) var held: [HeldDevice] = []
  /// The devices whose clocks are ahead by more than a minute: they sent in the future.
  public internal(set) var wrongClocks: [SyncDevice] = []

  /// Whether nothing was sent, received or left aside.
  public var isEmpty: Bool {
    receivedCount + removedCount + sentCount + sentBlobCount + malformedCount + unreadBlobCount == 0
      && conflicts.isEmpty && refused.isEmpty && held.isEmpty
  }

  /// Whether there is more than what cannot be read, which may be so each time.
  package var hasNews: Bool {
    var rest = self
    (rest.held, rest.unreadBlobCount) = ([], 0)
    return !rest.isEmpty
  }
}

extension SyncReport {
  mutating func add(_ outcome: MergeOutcome) {
    receivedCount += outcome.received.union(outcome.revived).count
    removedCount += outcome.removed.count
    conflicts.formUnion(outcome.conflicts)
    revived.formUnion(outcome.revived)
    foldedCount += outcome.folded.count
    refused.merge(outcome.refused) { $1 }
  }

  /// Notes that a device sent something which could not be read, with the first reason for it.
  mutating func noteHeld(_ device: DeviceID, name: String, _ error: SyncError) {
    guard !held.contains(where: { $0.device == device }) else { return }
    held.append(HeldDevice(device: device, name: name, reason: "\(error.mended(on: name))"))
  }

  /// Notes a clock that is ahead of the one here; one that is behind looks like a head of a while ago.
  mutating func noteClock(of device: KnownDevice, now: Int64) {
    guard let wroteAt = device.wroteAt, wroteAt > now + 60_000 else { return }
    wrongClocks.append(SyncDevice(device, isOwn: false))
  }
}

extension SyncError {
  /// Returns the error of an object, with the advice to mend it where it was written.
  fileprivate func mended(on name: String) -> SyncError {
    // Where the file cannot be read here, that advice is the right one.
    guard !isOfOneFile else { return self }
    let error = withRightKey
    let place = name.isEmpty ? "on the device that sent it" : "on “\(name)”"
    return SyncError(
      error.code,
      error.operation,
      because: error.reason,
      do: """
        It may be still arriving: synchronize again later. If that does not help, mend it \(place): \
        snip sync check --read --repair. If that device is gone, do so on one that had received it.
        """,
      underlying: error.underlyingError
    )
  }
}
