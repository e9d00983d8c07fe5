/// The name for the other version of a file in a conflict: `note (conflict).md` beside `note.md`.
enum ConflictName {
  /// Returns the first path that is free.
  static func path(
    beside path: String,
    isFree: (String) throws -> Bool
  ) rethrows -> String {
    // By bytes, as in a file system.
    let bytes = Array(path.utf8)
    let name = bytes.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
    let dot = bytes[name...].lastIndex(of: UInt8(ascii: ".")) ?? bytes.count
    // A dot at the beginning hides a file.
    let end = dot == name ? bytes.count : dot
    var count = 1
    while true {
      let mark = count == 1 ? " (conflict)" : " (conflict \(count))"
      let found = String(decoding: bytes[..<end] + Array(mark.utf8) + bytes[end...], as: UTF8.self)
      if try isFree(found) { return found }
      count += 1
    }
  }
}
