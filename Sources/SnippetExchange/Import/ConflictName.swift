/// The name for the other version of a file in a conflict: `note (conflict).md` beside `note.md`.
enum ConflictName {
  /// Returns the first path that is free; another word may stand in the brackets.
  static func path(
    beside path: String,
    _ word: String = "conflict",
    isFree: (String) throws -> Bool
  ) rethrows -> String {
    // By bytes, as in a file system.
    let bytes = Array(path.utf8)
    let name = bytes.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? 0
    let dot = bytes[name...].lastIndex(of: UInt8(ascii: ".")) ?? bytes.count
    // A dot at the beginning hides a file.
    let end = dot == name ? bytes.count : dot
    // That of a version that was to have such a name, which another file has by now.
    let former = String(decoding: bytes[..<end], as: UTF8.self)
    let base = former.wholeMatch(of: #/(.*) \(conflict(?: \d+)?\)/#.dotMatchesNewlines())?.1
    var count = 1
    while true {
      let mark = count == 1 ? " (\(word))" : " (\(word) \(count))"
      let found = (base ?? former[...]) + mark + String(decoding: bytes[end...], as: UTF8.self)
      if try isFree(String(found)) { return String(found) }
      count += 1
    }
  }
}
