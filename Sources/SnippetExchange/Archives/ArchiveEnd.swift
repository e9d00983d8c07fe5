import SnippetBase
import SystemPackage

/// Finds archives that were cut behind a member, so that each that is left is whole.
enum ArchiveEnd {
  /// The bytes of the record at the end of a ZIP archive, before its comment.
  private static let recordByteCount = 22
  /// The bytes of a block of a tar archive.
  private static let blockByteCount: Int64 = 512

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

  /// Whether the end of a tar archive is missing: blocks of zeros behind the last member.
  static func isMissingInTar(behind lastOffset: Int64, endingAt offset: Int64) -> Bool {
    offset - lastOffset < blockByteCount
  }

  /// Whether another tar archive begins behind the end of one, perhaps with zeros between them.
  static func hasOtherTar(in file: OpenFile, behind offset: Int64) throws(FileError) -> Bool {
    let bytes = try file.bytes(at: offset, count: paddingByteCount)
    guard let place = bytes.firstIndex(where: { $0 != 0 }) else { return false }
    let blockStart = place - place % Int(blockByteCount)
    return ArchiveFormat(head: Array(bytes[blockStart...].prefix(Int(blockByteCount)))) == .tar
  }

  /// Whether another gzip header may stand within a file, as where two files were joined.
  static func hasOtherGzip(in file: OpenFile, _ check: () throws -> Void) throws -> Bool {
    let head = try file.bytes(at: 0, count: 2)
    guard head == [0x1F, 0x8B] else { return false }
    var start: Int64 = 1
    while true {
      try check()
      let bytes = try file.bytes(at: start, count: paddingByteCount)
      guard bytes.count >= gzipHeaderByteCount else { return false }
      let last = bytes.count - gzipHeaderByteCount
      let isThere = bytes.withUnsafeBufferPointer { bytes in
        (0...last).contains { bytes[$0] == 0x1F && isGzipHeader(bytes, at: $0) }
      }
      if isThere { return true }
      // A header may begin in this piece and end in the next.
      start += Int64(last + 1)
    }
  }

  /// The bytes of a header of gzip without its fields.
  private static let gzipHeaderByteCount = 10

  private static func isGzipHeader(_ bytes: UnsafeBufferPointer<UInt8>, at place: Int) -> Bool {
    // The method, the flags, how well it was compressed, and the system.
    bytes[place + 1] == 0x8B && bytes[place + 2] == 8 && bytes[place + 3] & 0xE0 == 0
      && [0, 2, 4].contains(bytes[place + 8]) && (bytes[place + 9] <= 13 || bytes[place + 9] == 255)
  }
}
