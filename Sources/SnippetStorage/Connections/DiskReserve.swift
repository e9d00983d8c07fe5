import SnippetBase
import SystemPackage

/// A file beside a store that keeps some room of a nearly full disk, so that a store can be opened
/// and deleted from when nothing is left.
///
/// To delete takes room as well: what changes is written into the log first, whose index needs 32 KiB
/// before anything. On a disk with room there is no such file. Its first bytes say what it is, and a
/// file without them is somebody else's. Who uses the room holds a lock on it, so that nobody takes
/// the room back meanwhile.
struct DiskReserve: Sendable {
  /// The store.
  private let storePath: String
  private let path: String

  /// What is kept, but no more than a sixteenth of the disk: to delete a blob of 1 GB takes 3.2 MB.
  private static let byteCount: Int64 = 4 << 20
  /// A disk with less room than this is nearly full.
  ///
  /// Between two openings, one with more is expected to keep some.
  private static let nearlyFullByteCount: Int64 = 1 << 30
  /// With less, a deletion may find no room for its log, which can grow by some megabytes.
  private static let shortByteCount: Int64 = 16 << 20
  /// What the file begins with.
  private static let header = Array(
    "Room that a snippet store keeps on a nearly full disk. It can be deleted.\n".utf8
  )

  init(storePath: String) {
    self.storePath = storePath
    path = storePath + "-reserve"
  }

  /// Whether there is so little room that a deletion has to take small steps.
  var isShort: Bool {
    guard let room = DiskRoom(at: storePath) else { return false }
    return room.availableByteCount < Self.shortByteCount
  }

  /// Lets go of what is kept while `body` runs, where room is short.
  func lent<Result, Failure: Error>(
    to body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard isShort, let file = lockedFile() else { return try body() }
    try? file.truncate(to: Int64(Self.header.count))
    defer { fill(file) }
    return try body()
  }

  /// Keeps room where the disk is nearly full, as much as there is; gives it back where it is not
  /// any more.
  ///
  /// - Parameter events: Whom to tell where too little is kept.
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

  /// The file, if it is one of these and nobody else uses it; locked until the last reference.
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
      // Without its first bytes nobody would know whose it is.
      FileSystem.remove(path)
      return nil
    }
  }

  /// Writes as much as there is room for: less than wanted is better than nothing.
  private func fill(_ file: OpenFile) {
    guard let room = DiskRoom(at: storePath), var end = try? file.status().size else { return }
    // Not zeros, for which some file systems keep no room.
    var generator = SystemRandomNumberGenerator()
    let words = (0..<2048).map { _ in generator.next() as UInt64 }
    let byteCount = Int64(words.count * MemoryLayout<UInt64>.size)
    while end + byteCount <= wanted(of: room) {
      guard (try? words.withUnsafeBytes { try file.write($0, at: end) }) != nil else { return }
      end += byteCount
    }
  }
}
