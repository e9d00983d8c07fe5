import Foundation
import SnippetBase
import SnippetStorage
import SystemPackage

/// The trash of the desktop, from which file managers bring files back.
///
/// On Linux it is that of the freedesktop.org specification: `Trash` in the data folder of the user
/// for files on the same disk, otherwise `.Trash` or `.Trash-1000` at the top of the file's disk.
struct DesktopTrash {
  /// The data folder of the user.
  let dataFolder: String

  init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    let data = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    let home = environment["HOME"] ?? NSHomeDirectory()
    self.init(dataFolder: data ?? home.withSlash + ".local/share")
  }

  init(dataFolder: String) {
    self.dataFolder = dataFolder
  }

  /// Moves a file, given by its path without links, to the trash; returns its path there.
  func move(_ path: String, at date: Date = Date()) throws -> String {
    #if canImport(Darwin)
    var new: NSURL?
    try FileManager.default.trashItem(at: URL(fileURLWithPath: path), resultingItemURL: &new)
    return new?.path ?? path
    #else
    let (folder, shown) = try place(for: path)
    for part in ["info", "files"] {
      _ = try OpenFolder(making: "\(folder)/\(part)")
    }
    let note = """
      [Trash Info]
      Path=\(Self.escaped(shown))
      DeletionDate=\(Self.text(of: date))

      """
    return try move(path, to: folder, note)
    #endif
  }

  /// Removes the note about a file that has left the trash again.
  func removeNote(about path: String) {
    #if !canImport(Darwin)
    FileSystem.remove("\(path.folderPath.folderPath)/info/\(path.fileName).trashinfo")
    #endif
  }

  /// Reserves a name by the note about it, and moves the file there.
  private func move(
    _ path: String,
    to folder: String,
    _ note: String
  ) throws -> String {
    let notes = try OpenFolder("\(folder)/info")
    let name = NumberedName.free(path.fileName) { name in
      MovedFile.isTaken("\(folder)/files/\(name)")
        || FileStatus.exists("\(folder)/info/\(name).trashinfo")
    }
    // Fails if another program takes the name at this moment.
    let file = try notes.makeFile("\(name).trashinfo")
    do {
      try Data(note.utf8).withUnsafeBytes { try file.write($0, at: 0) }
      try file.close()
      return try MovedFile.move(path, to: "\(folder)/files/\(name)")
    } catch {
      notes.remove("\(name).trashinfo")
      throw error
    }
  }

  /// Returns the trash for a file, and the path that its note has.
  private func place(for path: String) throws -> (folder: String, shown: String) {
    let disk = try Stat(path, followTargetSymlink: false).deviceID
    try FileManager.default.createDirectory(
      atPath: dataFolder,
      withIntermediateDirectories: true
    )
    if try Stat(dataFolder).deviceID == disk {
      _ = try OpenFolder(making: dataFolder.withSlash + "Trash")
      return (dataFolder.withSlash + "Trash", path)
    }
    let top = Self.top(of: path, on: disk)
    let shown = String(path.dropFirst(top.withSlash.count))
    let shared = top.withSlash + ".Trash"
    let status = try? Stat(shared, followTargetSymlink: false)
    if let status, status.type == .directory, status.permissions.contains(.saveText),
      (try? OpenFolder(making: "\(shared)/\(getuid())")) != nil
    {
      return ("\(shared)/\(getuid())", shown)
    }
    let own = top.withSlash + ".Trash-\(getuid())"
    _ = try OpenFolder(making: own)
    guard try Stat(own, followTargetSymlink: false).type == .directory else {
      throw FileError(own, .notDirectory)
    }
    return (own, shown)
  }

  /// Returns the uppermost folder around a file on its disk.
  private static func top(of path: String, on disk: DeviceID) -> String {
    var top = path
    while top != "/" {
      let around = top.folderPath
      guard (try? Stat(around))?.deviceID == disk else { break }
      top = around
    }
    return top
  }

  private static func escaped(_ path: String) -> String {
    path.addingPercentEncoding(
      withAllowedCharacters: CharacterSet(
        charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.~/"
      )
    ) ?? path
  }

  private static func text(of date: Date) -> String {
    let calendar = Calendar(identifier: .gregorian)
    let parts = calendar.dateComponents(
      [.year, .month, .day, .hour, .minute, .second],
      from: date
    )
    func digits(_ number: Int?, _ count: Int) -> String {
      let text = String(number ?? 0)
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    return "\(digits(parts.year, 4))-\(digits(parts.month, 2))-\(digits(parts.day, 2))T"
      + "\(digits(parts.hour, 2)):\(digits(parts.minute, 2)):\(digits(parts.second, 2))"
  }
}

/// Moving a file within a disk, in the place of none.
enum MovedFile {
  /// Whether something has a name, or a file with it would cost a store: SQLite takes a file beside
  /// a database, by its name, for the journal or log of that, and deletes or believes it.
  static func isTaken(_ path: String) -> Bool {
    FileStatus.exists(path)
      || (try? StoreSeam.requireNoStore(at: path, during: "move a file to the trash")) == nil
  }

  static func move(_ path: String, to new: String) throws(FileError) -> String {
    try FileSystem.rename(path, toFree: new)
    return new
  }
}

/// A name with a number before its extension: `a.md`, `a 2.md`.
enum NumberedName {
  static func name(_ name: String, _ count: Int) -> String {
    guard count > 1 else { return name }
    let suffix = name.fileExtension
    return "\(name.withoutFileExtension) \(count)\(suffix.isEmpty ? "" : ".")\(suffix)"
  }

  /// Returns a name that is not taken, in few steps even if very many are.
  static func free(_ name: String, isTaken: (String) -> Bool) -> String {
    var (taken, free) = (0, 1)
    while isTaken(self.name(name, free)) { (taken, free) = (free, 2 * free) }
    while free - taken > 1 {
      let middle = (taken + free) / 2
      if isTaken(self.name(name, middle)) { taken = middle } else { free = middle }
    }
    return self.name(name, free)
  }
}
