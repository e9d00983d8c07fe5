import SnippetBase

/// The names in a folder as they are written there.
///
/// Some disks find `note.md` where there is `Note.md`. To tell a file from one that was renamed, its
/// name must be looked up in the list of its folder.
final class WrittenNames {
  private let root: String
  private let exists: (String) -> Bool
  private let list: (String) throws -> [String]

  /// The names in folders of a disk that ignores case, in bytes, by the path of the folder; `nil` for
  /// a folder in which case matters.
  private var folders: [[UInt8]: Set<[UInt8]>?] = [:]
  private static let maximumFolderCount = 64

  /// Looks below a path with a trailing slash; a test gives a disk of its own.
  init(
    below root: String,
    exists: @escaping (String) -> Bool = FileStatus.exists,
    list: @escaping (String) throws -> [String] = { try FileSystem.names(in: $0).map(\.name) }
  ) {
    (self.root, self.exists, self.list) = (root, exists, list)
  }

  /// Whether a file that was found by a path is written so, letter for letter; `true` if that cannot
  /// be found out.
  ///
  /// O(1) amortized where case matters, or for files of one folder in a row.
  func has(_ path: String) -> Bool {
    let bytes = Array(path.utf8)
    var start = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "/")) ?? bytes.count
      guard has(Array(bytes[start..<end]), in: Array(bytes[..<start])) else { return false }
      start = end + 1
    }
    return true
  }

  private func has(_ name: [UInt8], in folder: [UInt8]) -> Bool {
    if let known = folders[folder], known?.contains(name) != false { return true }
    // Not known yet, or a file that was made since.
    let path = root + String(decoding: folder, as: UTF8.self)
    let other = Self.inOtherCase(name)
    guard other != name else { return true }
    var names: Set<[UInt8]>?
    if exists(path + String(decoding: other, as: UTF8.self)) {
      guard let list = try? list(path) else { return true }
      names = Set(list.map { Array($0.utf8) })
      // There are two files where case matters.
      if names?.contains(other) == true, names?.contains(name) == true { names = nil }
    }
    if folders.count >= Self.maximumFolderCount { folders = [:] }
    folders[folder] = .some(names)
    return names?.contains(name) != false
  }

  /// Returns a name with lowercase letters for uppercase ones, and the other way round.
  private static func inOtherCase(_ name: [UInt8]) -> [UInt8] {
    name.map { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): byte ^ 0x20
      default: byte
      }
    }
  }
}
