internal import Foundation
internal import SnippetBase
internal import SystemPackage

/// The files of a ``FolderCarrier``, by calls that block.
///
/// Each part of a name is opened in the folder before it, and links are not followed, so no name
/// leads out of the folder.
struct ObjectFolder {
  /// An object is larger than any can be.
  struct TooLarge: Error {}

  let path: String
  private let unsettled = Lock(Unsettled())

  init(path: String) {
    self.path = path
  }

  // Every file system knows such names, and most programs that synchronize folders show them to
  // other devices; those do not take them for objects either.
  private static let partialPrefix = ".snippets-partial-"

  /// Lists the objects below a prefix, which ends with a slash or is empty.
  func list(_ prefix: String, _ flag: CancellationFlag) throws -> [ObjectMark] {
    // The mark of a repository is written there, where nothing else is listed.
    let root = try OpenFolder(path)
    for name in (try? root.names()) ?? []
    where name.isText && name.name.hasPrefix(Self.partialPrefix) {
      try removeIfOld(name.name, in: root)
    }
    guard let folder = try open(prefix.split(separator: "/"), making: false) else { return [] }
    var marks: [ObjectMark] = []
    try walk(folder, prefix, into: &marks, flag)
    return marks
  }

  private func walk(
    _ folder: OpenFolder,
    _ prefix: String,
    into marks: inout [ObjectMark],
    _ flag: CancellationFlag
  ) throws {
    for name in try folder.names() where name.isText {
      try flag.check()
      if name.name.hasPrefix(Self.partialPrefix) { try removeIfOld(name.name, in: folder) }
      let path = prefix + name.name
      guard ObjectRules.allow(path), let status = try folder.status(of: name.name) else { continue }
      switch status.type {
      case .regular where isHere(status):
        marks.append(ObjectMark(name: path, byteCount: status.size, tag: Self.tag(of: status)))
      case .directory:
        // It may have been removed while its folder was read.
        guard let inner = try unlessMissing(folder.openFolder(name.name)) else { continue }
        try walk(inner, path + "/", into: &marks, flag)
      default: continue
      }
    }
  }

  /// Removes a file that a killed process left behind.
  private func removeIfOld(_ name: String, in folder: OpenFolder) throws {
    guard let status = try folder.status(of: name),
      status.modifiedAt.timeIntervalSinceNow < -86_400
    else { return }
    folder.remove(name)
  }

  private static func tag(of status: Stat) -> String {
    let time = status.st_mtim
    return "\(status.size)-\(time.tv_sec).\(time.tv_nsec)-\(status.inode.rawValue)"
  }

  /// Reads an object; `nil` if there is none.
  func read(_ name: String) throws -> Data? {
    let (parts, last) = Self.parts(of: name)
    guard let folder = try open(parts, making: false) else { return nil }
    return try read(last, in: folder)
  }

  private func read(_ name: String, in folder: OpenFolder) throws -> Data? {
    guard let status = try folder.status(of: name) else { return nil }
    // No object can have its name as long as it is there.
    if status.type == .directory { throw FileError("\(folder.path)/\(name)", .isDirectory) }
    guard status.type == .regular else { return nil }
    guard isHere(status) else {
      // A read would wait for it.
      #if canImport(Darwin)
      try FileManager.default.startDownloadingUbiquitousItem(
        at: URL(fileURLWithPath: "\(folder.path)/\(name)")
      )
      #endif
      return nil
    }
    guard let file = try unlessMissing(folder.openFile(name)) else { return nil }
    let size = try file.status().size
    guard size <= ObjectRules.byteLimit else { throw TooLarge() }
    // Straight into what is returned: an object may have 8 MiB.
    var data = Data(count: Int(size))
    let count = try data.withUnsafeMutableBytes { try file.read(into: $0, at: 0) }
    // It may have become shorter in between.
    if count < data.count { data.count = count }
    return data
  }

  /// Whether the bytes of a file are on this machine.
  private func isHere(_ status: Stat) -> Bool {
    #if canImport(Darwin)
    !status.flags.contains(.dataless)
    #else
    true
    #endif
  }

  /// The objects that may not be on the disk yet.
  private struct Unsettled {
    /// The folder from before the first of them was written until all are there: so its disk is the one
    /// that has them, and tells of all that it could not write.
    var root: OpenFolder?
    /// The number of those that are being written.
    var activeCount = 0
    /// The number of those that were written.
    var writtenCount = 0
  }

  /// Writes an object that ``settle()`` brings to the disk; returns whether it is there already.
  func writeUnsettled(_ data: Data, as name: String, _ flag: CancellationFlag) throws -> Bool {
    #if os(Linux)
    let root = try unsettled.withLock { unsettled -> OpenFolder? in
      let root = try unsettled.root ?? OpenFolder(path)
      guard !root.tellsFailuresByFile else { return nil }
      unsettled.root = root
      unsettled.activeCount += 1
      return root
    }
    if let root {
      defer {
        unsettled.withLock { unsettled in
          unsettled.activeCount -= 1
          unsettled.writtenCount += 1
        }
      }
      let (parts, last) = Self.parts(of: name)
      if let folder = try open(parts, in: root, making: true, settling: false),
        try Self.areOnOneDisk(folder, root)
      {
        // What others rely on is not replaced by bytes that may get lost.
        let isNew = try folder.status(of: last) == nil
        if isNew, try replace(last, by: data, isNew: true, settling: false, in: folder, flag) {
          return false
        }
        _ = try replace(last, by: data, isNew: false, settling: true, in: folder, flag)
        // Its folder may have been made a moment ago.
        return false
      }
    }
    #endif
    _ = try write(data, as: name, isNew: false, flag)
    return true
  }

  /// Brings all to the disk that ``writeUnsettled(_:as:_:)`` has written.
  func settle() throws {
    let (root, count) = unsettled.withLock { ($0.root, $0.writtenCount) }
    defer {
      unsettled.withLock { unsettled in
        // Otherwise the disk could not be taken out, even one that failed.
        if unsettled.activeCount == 0, unsettled.writtenCount == count { unsettled.root = nil }
      }
    }
    try root?.synchronize()
  }

  private static func areOnOneDisk(_ one: OpenFolder, _ other: OpenFolder) throws -> Bool {
    guard let one = try one.status(of: "."), let other = try other.status(of: ".") else {
      return false
    }
    return one.deviceID == other.deviceID
  }

  /// Writes an object; on return it is on the disk.
  ///
  /// Returns `false`, and writes nothing, if it should be new and other bytes have the name.
  func write(
    _ data: Data,
    as name: String,
    isNew: Bool,
    _ flag: CancellationFlag
  ) throws -> Bool {
    let (parts, last) = Self.parts(of: name)
    guard let folder = try open(parts, making: true) else {
      throw FileError(path, .noSuchFileOrDirectory)
    }
    return try replace(last, by: data, isNew: isNew, settling: true, in: folder, flag)
  }

  private func replace(
    _ name: String,
    by data: Data,
    isNew: Bool,
    settling settles: Bool,
    in folder: OpenFolder,
    _ flag: CancellationFlag
  ) throws -> Bool {
    let partial = Self.partialPrefix + UUID().uuidString
    var isRenamed = false
    defer { if !isRenamed { folder.remove(partial) } }
    try fill(partial, in: folder, with: data, settling: settles)
    try flag.check()
    isRenamed = try Self.rename(partial, to: name, isNew: isNew, in: folder)
    guard settles else { return isRenamed }
    if !isRenamed {
      let present = try read(name, in: folder)
      // Where a file cannot get a new name by a link, an empty file holds the name for a moment,
      // and for good if the process is killed in that moment.
      if present?.isEmpty == true, !data.isEmpty {
        isRenamed = try Self.rename(partial, to: name, isNew: false, in: folder)
      } else if present != data {
        return false
      }
    }
    // Also if the bytes were there already: an attempt before this may have ended here.
    try folder.synchronizeNames()
    return true
  }

  /// Renames a file; returns `false` if the name is taken, and must not be.
  private static func rename(
    _ name: String,
    to other: String,
    isNew: Bool,
    in folder: OpenFolder
  ) throws(FileError) -> Bool {
    guard isNew else {
      try folder.rename(name, to: other)
      return true
    }
    do throws(FileError) {
      try folder.rename(name, toNew: other)
      return true
    } catch  where error.code == .fileExists {
      return false
    }
  }

  private func fill(
    _ name: String,
    in folder: OpenFolder,
    with data: Data,
    settling settles: Bool
  ) throws {
    // All who may use the folder may read it, since secrets are encrypted.
    let file = try folder.makeFile(name, mode: 0o666)
    try data.withUnsafeBytes { try file.write($0, at: 0) }
    if settles { try file.synchronize() }
    try file.close()
  }

  /// Removes an object, if there is one.
  func remove(_ name: String) throws {
    let (parts, last) = Self.parts(of: name)
    guard let folder = try open(parts, making: false) else { return }
    try folder.delete(last)
    try folder.synchronizeNames()
  }

  /// Opens a folder inside; `nil` if it is missing and is not to be made.
  ///
  /// The folder of the repository itself is never made: its disk may not be mounted.
  private func open(
    _ parts: [Substring],
    in root: OpenFolder? = nil,
    making: Bool,
    settling settles: Bool = true
  ) throws -> OpenFolder? {
    let root = try root ?? OpenFolder(path)
    var folder = root
    for part in parts.map(String.init) {
      if let inner = try unlessMissing(folder.openFolder(part)) {
        folder = inner
      } else if making {
        let outer = folder
        folder = try Self.make(part, in: outer)
        let settlesLater = try !settles && Self.areOnOneDisk(outer, root)
        if !settlesLater { try outer.synchronizeNames() }
      } else {
        return nil
      }
    }
    return folder
  }

  private static func make(_ name: String, in folder: OpenFolder) throws(FileError) -> OpenFolder {
    do throws(FileError) {
      return try folder.makeFolder(name, mode: 0o777)
    } catch  where error.code == .fileExists {
      // Another writer made it in between.
      return try folder.openFolder(name)
    }
  }

  /// Opens something; `nil` if there is nothing.
  private func unlessMissing<Opened>(
    _ open: @autoclosure () throws(FileError) -> Opened
  ) throws(FileError) -> Opened? {
    do throws(FileError) {
      return try open()
    } catch  where error.code == .noSuchFileOrDirectory {
      return nil
    }
  }

  private static func parts(of name: String) -> (folders: [Substring], file: String) {
    let parts = name.split(separator: "/")
    return (Array(parts.dropLast()), String(parts.last ?? ""))
  }
}
