import CStorage
package import SystemPackage

/// An open folder in which files are reached by name, even if the folder is moved.
///
/// A name is not a path: links are not followed, and nothing outside the folder can be reached.
package final class OpenFolder: Sendable {
  package let path: String
  private let descriptor: FileDescriptor

  private init(_ descriptor: Int32, path: String) {
    self.descriptor = FileDescriptor(rawValue: descriptor)
    self.path = path
  }

  /// Opens a folder.
  package convenience init(_ path: String) throws(FileError) {
    try FileCalls.tell(.open(path, creates: false))
    let descriptor = try FileError.check(path) { open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    self.init(descriptor, path: path)
  }

  /// Makes a folder that only its owner can read or write, or opens an existing one.
  package convenience init(making path: String) throws(FileError) {
    try FileCalls.tell(.makeFolder(path))
    if mkdir(path, 0o700) != 0, errno != EEXIST { throw FileError(path, Errno(rawValue: errno)) }
    try self.init(path)
  }

  deinit {
    try? descriptor.close()
  }

  /// Makes a file, which only its owner can read or write by default; fails if the name is taken.
  package func makeFile(_ name: String, mode: mode_t = 0o600) throws(FileError) -> OpenFile {
    let shown = shown(name)
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    try FileCalls.tell(.open(shown, creates: true))
    let file = try FileError.check(shown) { openat(descriptor.rawValue, name, flags, mode) }
    return OpenFile(FileDescriptor(rawValue: file), path: shown)
  }

  /// Makes a folder, which only its owner can read or write by default; fails if the name is taken.
  package func makeFolder(_ name: String, mode: mode_t = 0o700) throws(FileError) -> OpenFolder {
    let shown = shown(name)
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    try FileCalls.tell(.makeFolder(shown))
    try FileError.check(shown) { mkdirat(descriptor.rawValue, name, mode) }
    let folder = try FileError.check(shown) { openat(descriptor.rawValue, name, flags) }
    return OpenFolder(folder, path: shown)
  }

  /// Opens a folder inside, and makes it with a mode if the name is free.
  package func openFolder(making name: String, mode: mode_t) throws(FileError) -> OpenFolder {
    do {
      return try openFolder(name)
    } catch  where error.code == .noSuchFileOrDirectory {
      return try makeFolder(name, mode: mode)
    }
  }

  /// Opens a folder inside; fails for a link.
  package func openFolder(_ name: String) throws(FileError) -> OpenFolder {
    let shown = shown(name)
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    try FileCalls.tell(.open(shown, creates: false))
    let folder = try FileError.check(shown) { openat(descriptor.rawValue, name, flags) }
    return OpenFolder(folder, path: shown)
  }

  /// Opens a file for reading; fails for a link.
  ///
  /// Opening a pipe does not wait for its writer.
  package func openFile(_ name: String) throws(FileError) -> OpenFile {
    let shown = shown(name)
    let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    try FileCalls.tell(.open(shown, creates: false))
    let file = try FileError.check(shown) { openat(descriptor.rawValue, name, flags) }
    return OpenFile(FileDescriptor(rawValue: file), path: shown)
  }

  /// Renames a file, replacing any file with the new name.
  package func rename(_ name: String, to other: String) throws(FileError) {
    let folder = descriptor.rawValue
    try FileCalls.tell(.rename(shown(name), to: shown(other)))
    try FileError.check(shown(other)) { renameat(folder, name, folder, other) }
  }

  /// Renames a file; fails if the new name is taken.
  package func rename(_ name: String, toNew other: String) throws(FileError) {
    try FileSystem.rename(name, toNew: other, in: descriptor.rawValue, shownAs: path + "/")
  }

  /// Exchanges the names of two files in one step; returns `false` where the file system cannot do
  /// that.
  package func exchange(_ name: String, with other: String) throws(FileError) -> Bool {
    try FileSystem.exchange(name, with: other, in: descriptor.rawValue, shownAs: path + "/")
  }

  /// Whether only an `fsync` of each file tells what its file system could not write.
  package var tellsFailuresByFile: Bool { NetworkFileSystem.tellsFailuresByFile(path) }

  /// Waits until everything written to the file system is on the disk.
  package func synchronize() throws(FileError) {
    let folder = descriptor.rawValue
    try FileCalls.tell(.sync(path))
    try FileError.check(path) { snippet_sync_file_system(folder) }
  }

  /// Waits until the names in the folder are on the disk.
  package func synchronizeNames() throws(FileError) {
    try FileSystem.synchronize(folder: descriptor.rawValue, shown: path)
  }

  /// Returns the status of a file, a folder or a link itself; `nil` if there is nothing.
  package func status(of name: String) throws(FileError) -> Stat? {
    do {
      return try FileError.naming(shown(name)) {
        try Stat(FilePath(name), relativeTo: descriptor, flags: .symlinkNoFollow)
      }
    } catch  where error.code == .noSuchFileOrDirectory {
      return nil
    }
  }

  /// Removes a file, if there is one and it can be removed.
  package func remove(_ name: String) {
    // For leftovers, which do no harm.
    try? delete(name)
  }

  /// Removes a file, if there is one.
  package func delete(_ name: String) throws(FileError) {
    try FileCalls.tell(.delete(shown(name)))
    do {
      try FileError.check(shown(name)) { unlinkat(descriptor.rawValue, name, 0) }
    } catch  where error.code == .noSuchFileOrDirectory {}
  }

  /// Renames a file once everything is on the disk.
  ///
  /// One call waits for all files: waiting for each of a hundred thousand would take hours.
  package func publish(_ partialName: String, as name: String) throws(FileError) {
    try synchronize()
    try rename(partialName, to: name)
    try synchronizeNames()
  }

  /// Returns the names in the folder, and whether each is valid UTF-8.
  ///
  /// A name that is not would read back as that of another file.
  package func names() throws(FileError) -> [(name: String, isText: Bool)] {
    try FileSystem.names(in: descriptor, shown: path)
  }

  private func shown(_ name: String) -> String {
    precondition(!name.utf8.contains(UInt8(ascii: "/")), "A name is no path.")
    return "\(path)/\(name)"
  }
}
