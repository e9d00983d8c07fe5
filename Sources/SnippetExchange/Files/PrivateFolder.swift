package import Foundation
package import SnippetBase
import SnippetStorage
import SystemPackage

/// A folder that only its owner can enter, marked as in use.
///
/// A file in it, the mark, is locked as long as this object lives, or a program that got the mark
/// runs. A folder whose mark is free was left by a process that is gone. The number of a process
/// would not tell, because each container counts its own.
package final class PrivateFolder: Sendable {
  private static let nameOfMark = ".mark"

  package let path: String
  private let mark: OpenFile

  private init(_ path: String, _ mark: OpenFile) {
    (self.path, self.mark) = (path, mark)
  }

  /// Makes a folder whose path is a prefix and six letters.
  ///
  /// - Parameters:
  ///   - prefix: The prefix.
  ///   - note: The content of the mark, which is on the disk on return. The default is empty.
  ///   - isPassedOn: Whether a program that is started on the terminal holds the mark too. The
  ///     default is `false`.
  /// - Returns: The folder, in use.
  /// - Throws: `FileError` when it cannot be made.
  package static func make(
    _ prefix: String,
    note: Data = Data(),
    isPassedOn: Bool = false
  ) throws(FileError) -> PrivateFolder {
    var folder = try makeUnlessTaken(prefix)
    // Another process may take it for a leftover, in the moment before it is locked.
    if folder == nil { folder = try makeUnlessTaken(prefix) }
    guard let folder else { throw FileError(prefix, .resourceBusy) }
    do throws(FileError) {
      try folder.put(note, isPassedOn: isPassedOn)
    } catch {
      folder.remove()
      throw error
    }
    return folder
  }

  private static func makeUnlessTaken(_ prefix: String) throws(FileError) -> PrivateFolder? {
    var template = Array("\(prefix)XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw FileError(prefix, Errno(rawValue: errno)) }
    let path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    let mark: OpenFile
    do throws(FileError) {
      mark = try OpenFile(
        "\(path)/\(nameOfMark)",
        .readWrite,
        options: [.create, .exclusiveCreate, .noFollow],
        permissions: .ownerReadWrite
      )
    } catch {
      rmdir(path)
      guard error.code == .noSuchFileOrDirectory else { throw error }
      return nil
    }
    // On a file system without locks nothing is taken for a leftover.
    _ = mark.lock()
    guard try mark.status().linkCount > 0 else { return nil }
    return PrivateFolder(path, mark)
  }

  private func put(_ note: Data, isPassedOn: Bool) throws(FileError) {
    if isPassedOn { _ = fcntl(mark.descriptor.rawValue, F_SETFD, 0) }
    guard !note.isEmpty else { return }
    var failure: FileError?
    note.withUnsafeBytes { bytes in
      do throws(FileError) { try mark.write(bytes, at: 0) } catch { failure = error }
    }
    if let failure { throw failure }
    try mark.synchronize()
    // Some file systems say only at the end of a descriptor that they could not take it.
    try mark.flush()
  }

  /// Removes the folder with its content.
  package func remove() {
    // A later start finds what cannot be removed now.
    try? FileManager.default.removeItem(atPath: path)
  }

  // MARK: - Leftovers

  /// Takes over the folders with a prefix that processes left that are gone, and removes those in
  /// which nothing was begun.
  ///
  /// Younger folders than the given age, in seconds, are not touched: one that is being made is not
  /// locked yet. The default is 0.
  package static func leftovers(
    _ prefix: String,
    olderThan age: TimeInterval = 0
  ) -> [PrivateFolder] {
    let place = prefix.folderPath
    let start = prefix.fileName
    let names = (try? FileSystem.names(in: place)) ?? []
    return names.map(\.name).filter { $0.hasPrefix(start) }.sorted().compactMap { name in
      leftover(at: "\(place)/\(name)", olderThan: age)
    }
  }

  private static func leftover(at path: String, olderThan age: TimeInterval) -> PrivateFolder? {
    if age > 0 {
      let changed = try? Stat(path, followTargetSymlink: false).modifiedAt
      guard let changed, Date().timeIntervalSince(changed) > age else { return nil }
    }
    var status = stat()
    // In the folder of another user files could be swapped while they are read or removed.
    guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid()
    else { return nil }
    let markPath = "\(path)/\(nameOfMark)"
    guard lstat(markPath, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      rmdir(path)
      return nil
    }
    guard let identity = FileIdentity(path: markPath), !StoreSeam.isOpen(identity),
      let mark = try? OpenFile(markPath, .readWrite, options: [.noFollow, .nonBlocking]),
      mark.lock(), let marked = try? mark.status(), marked.linkCount > 0
    else { return nil }
    return PrivateFolder(path, mark)
  }

  /// The content of the mark.
  package func note() throws(FileError) -> Data {
    Data(try mark.bytes(at: 0, count: Int(try mark.status().size)))
  }

  /// Whether the folder has files besides the mark whose names are meant.
  ///
  /// The default is any name.
  package func hasFiles(where isMeant: (String) -> Bool = { _ in true }) -> Bool {
    // What cannot be looked at may have some.
    guard let found = try? FileSystem.names(in: path) else { return true }
    return found.contains { name, _ in name != Self.nameOfMark && isMeant(name) }
  }

  /// The time since anything was made in the folder.
  package func age(at now: Date) -> TimeInterval {
    let changed = try? Stat(path, followTargetSymlink: false).modifiedAt
    return changed.map { now.timeIntervalSince($0) } ?? 0
  }
}
