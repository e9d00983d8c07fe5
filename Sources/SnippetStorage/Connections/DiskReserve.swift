import SnippetBase
import SystemPackage

/// A file beside a store that reserves room on a nearly full disk, so that a full disk still allows
/// opening the store and deleting from it.
///
/// Deleting takes room too: changes are first written to the log, whose index alone needs 32 KiB.
/// On a disk with room the file does not exist. Its first bytes identify it; a file without them
/// belongs to another program. Users of the room hold a lock on the file, so that the room is not
/// taken back in between.
struct DiskReserve: Sendable {
  /// The store.
  private let storePath: String
  private let path: String

  /// The size of the reserve, at most a sixteenth of the disk.
  ///
  /// Deleting a blob of 1 GB takes 3.2 MB.
  private static let byteCount: Int64 = 4 << 20
  /// The free room below which a disk counts as nearly full.
  ///
  /// A disk with more is expected to keep some until the store is opened again.
  private static let nearlyFullByteCount: Int64 = 1 << 30
  /// The free room below which a deletion may fail, because its log can grow by some megabytes.
  private static let shortByteCount: Int64 = 16 << 20
  /// The first bytes of the file.
  private static let header = Array(
    "Room that a snippet store keeps on a nearly full disk. It can be deleted.\n".utf8
  )

  init(storePath: String) {
    self.storePath = storePath
    path = storePath + "-reserve"
  }

  /// Whether so little room is left that a deletion must take small steps.
  var isShort: Bool {
    guard let room = DiskRoom(at: storePath) else { return false }
    return room.availableByteCount < Self.shortByteCount
  }

  /// Frees the reserve while `body` runs, if room is short.
  func lent<Result, Failure: Error>(
    to body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard isShort, let file = lockedFile() else { return try body() }
    try? file.truncate(to: Int64(Self.header.count))
    defer { fill(file) }
    return try body()
  }

  /// Makes a reserve if the disk is nearly full, as large as possible, and removes it otherwise.
  ///
  /// An event reports a reserve that is too small.
  func keep(telling events: StoreEvents) {
    guard let room = DiskRoom(at: storePath) else { return }
    let kept = FileStatus.byteCount(of: path)
    if room.availableByteCount + kept >= Self.nearlyFullByteCount {
      guard kept > 0, let file = lockedFile() else { return }
      FileSystem.remove(file.path)
    } else if kept < wanted(of: room) {
      if let file = lockedFile() ?? newFile() { fill(file) }
      let found = FileStatus.byteCount(of: path)
      if found < wanted(of: room) { events.tell(failed: .keepingReserve, shortage(found)) }
    }
  }

  private func shortage(_ byteCount: Int64) -> SnippetStoreError {
    SnippetStoreError(
      .diskFull,
      "keep room on the disk for deleting",
      because: "only \(byteCount) bytes of it could be had in \(path)",
      keeping: "Nothing was changed.",
      do: "Free some space, and look whether that file can be written."
    )
  }

  private func wanted(of room: DiskRoom) -> Int64 {
    min(Self.byteCount, room.totalByteCount / 16)
  }

  /// Returns the file, locked until it is released, if it is a reserve and not in use.
  private func lockedFile() -> OpenFile? {
    guard FileStatus.isRegular(path) == true,
      let file = try? OpenFile(path, .readWrite, options: .noFollow),
      let status = try? file.status(), status.size <= Self.byteCount,
      (try? file.bytes(at: 0, count: Self.header.count)) == Self.header,
      file.lock(), FileIdentity(path: path) == FileIdentity(status)
    else { return nil }
    return file
  }

  private func newFile() -> OpenFile? {
    let options: FileDescriptor.OpenOptions = [.create, .exclusiveCreate]
    guard
      let file = try? OpenFile(path, .readWrite, options: options, permissions: .ownerReadWrite)
    else { return nil }
    do {
      try Self.header.withUnsafeBytes { try file.write($0, at: 0) }
      return file.lock() ? file : nil
    } catch {
      // Without its first bytes it could not be recognized as a reserve.
      FileSystem.remove(path)
      return nil
    }
  }

  /// Writes as much as there is room for: less than wanted is better than nothing.
  private func fill(_ file: OpenFile) {
    guard let room = DiskRoom(at: storePath), var end = try? file.status().size else { return }
    // Random bytes, because some file systems do not reserve room for zeros.
    var generator = SystemRandomNumberGenerator()
    let words = (0..<2048).map { _ in generator.next() as UInt64 }
    let byteCount = Int64(words.count * MemoryLayout<UInt64>.size)
    while end + byteCount <= wanted(of: room) {
      guard (try? words.withUnsafeBytes { try file.write($0, at: end) }) != nil else { return }
      end += byteCount
    }
  }
}
