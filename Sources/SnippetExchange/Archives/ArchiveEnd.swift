import SnippetBase
import SystemPackage

/// Finds ZIP archives that were cut behind a member, so that each that is left is whole.
enum ArchiveEnd {
  /// The bytes of the record at the end of a ZIP archive, before its comment.
  private static let recordByteCount = 22
  /// The most bytes behind the end of an archive to look through; disks and tapes add zeros there.
  private static let paddingByteCount = 1 << 20

  /// Whether the end of a ZIP archive is missing: the record that tells where the list of its members
  /// is.
  static func isMissingInZIP(_ file: OpenFile) throws(FileError) -> Bool {
    let size = try file.status().size
    let start = max(0, size - Int64(recordByteCount + paddingByteCount))
    let tail = try file.bytes(at: start, count: Int(size - start))
    func number(_ place: Int, _ count: Int) -> Int64 {
      tail[place..<place + count].reversed().reduce(0) { $0 << 8 | Int64($1) }
    }
    var place = tail.count - recordByteCount
    while place >= 0 {
      if tail[place] == 0x50, tail[place...].starts(with: [0x50, 0x4B, 5, 6]) {
        let (byteCount, offset) = (number(place + 12, 4), number(place + 16, 4))
        // A member may be an archive, with a record of its own. Where another program stands before
        // this one, offsets do not count from the start.
        let end = start + Int64(place)
        let isHere = offset + byteCount == end || offset == Int64(UInt32.max)
        if isHere || end + Int64(recordByteCount) + number(place + 20, 2) == size { return false }
      }
      place -= 1
    }
    return true
  }
}
