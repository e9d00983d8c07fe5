import CStorage
package import SystemPackage

/// Calls with paths that swift-system does not offer.
package enum FileSystem {
  /// Renames a file, replacing any file with the new name.
  package static func rename(_ path: String, to name: String) throws(FileError) {
    try FileCalls.tell(.rename(path, to: name))
    try FileError.check(path) { SnippetBase.rename(path, name) }
  }

  /// Renames a file; fails if the new name is taken.
  ///
  /// Some file systems know neither second names nor such a renaming (FAT, exFAT, many in user
  /// space). There an empty file takes the name, if it is free, and is replaced at once; a process
  /// that is killed in between leaves the empty file. Paths start at `folder`, a descriptor, which
  /// errors show as `prefix`.
  package static func rename(
    _ path: String,
    toNew name: String,
    in folder: Int32 = AT_FDCWD,
    shownAs prefix: String = ""
  ) throws(FileError) {
    let (old, new) = (prefix + path, prefix + name)
    do {
      try FileCalls.tell(.link(old, to: new))
      try FileError.check(new) { linkat(folder, path, folder, name, 0) }
      if (try? FileCalls.tell(.delete(old))) != nil { unlinkat(folder, path, 0) }
      return
    } catch  where error.isLackOfAbility {}
    do {
      try FileCalls.tell(.renameToNew(old, to: new))
      try FileError.check(new) { snippet_rename_to_new(folder, path, name) }
      return
    } catch  where error.isLackOfAbility || error.code == .invalidArgument {}
    try FileCalls.tell(.open(new, creates: true))
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let empty = try FileError.check(new) { openat(folder, name, flags, 0o600) }
    SnippetBase.close(empty)
    do throws(FileError) {
      try FileCalls.tell(.rename(old, to: new))
      try FileError.check(new) { renameat(folder, path, folder, name) }
    } catch {
      // What another program has written there since is not ours.
      var status = stat()
      if fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0, status.st_size == 0 {
        unlinkat(folder, name, 0)
      }
      throw error
    }
  }

  /// Renames a file that other programs may write; fails if the new name is taken.
  ///
  /// That is one step, while ``rename(_:toNew:in:shownAs:)`` would remove a file that another program
  /// gives the old name between its two. Where the file system has no such step, the new name is
  /// looked at just before.
  package static func rename(_ path: String, toFree name: String) throws(FileError) {
    guard !FileStatus.exists(name) else { throw FileError(name, .fileExists) }
    do {
      try FileCalls.tell(.renameToNew(path, to: name))
      try FileError.check(path) { snippet_rename_to_new(AT_FDCWD, path, name) }
      return
    } catch  where error.code == .fileExists {
      throw FileError(name, .fileExists)
    } catch  where error.isLackOfAbility || error.code == .invalidArgument {}
    try rename(path, to: name)
  }

  /// Exchanges the names of two files in one step; returns `false` where the file system cannot do
  /// that.
  ///
  /// Paths start at `folder`, a descriptor, which errors show as `prefix`.
  package static func exchange(
    _ path: String,
    with other: String,
    in folder: Int32,
    shownAs prefix: String
  ) throws(FileError) -> Bool {
    do {
      try FileCalls.tell(.exchange(prefix + path, with: prefix + other))
      try FileError.check(prefix + other) { snippet_exchange(folder, path, other) }
      return true
    } catch  where error.isLackOfAbility || error.code == .invalidArgument {
      return false
    }
  }

  /// Returns the names in a folder, in any order, and whether each is valid UTF-8.
  ///
  /// A name that is not would read back as that of another file.
  package static func names(
    in path: String
  ) throws(FileError) -> [(name: String, isText: Bool)] {
    let folder = try OpenFile(path)
    defer { withExtendedLifetime(folder) {} }
    return try names(in: folder.descriptor, shown: path)
  }

  /// Returns the names in an open folder, as ``names(in:)`` does.
  package static func names(
    in folder: FileDescriptor,
    shown path: String
  ) throws(FileError) -> [(name: String, isText: Bool)] {
    // A stream closes its descriptor, so it gets a copy.
    let copy = try FileError.check(path) { dup(folder.rawValue) }
    guard let stream = fdopendir(copy) else {
      defer { close(copy) }
      throw FileError(path, Errno(rawValue: errno))
    }
    defer { closedir(stream) }
    rewinddir(stream)
    var names: [(name: String, isText: Bool)] = []
    while true {
      // Only this tells the end from a failure.
      errno = 0
      guard let entry = readdir(stream) else {
        guard errno == 0 else { throw FileError(path, Errno(rawValue: errno)) }
        return names
      }
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { name in
          (String(cString: name), String(validatingCString: name) != nil)
        }
      }
      if name.0 != ".", name.0 != ".." { names.append(name) }
    }
  }

  /// Waits until the names in a folder are on the disk.
  package static func synchronize(folder path: String) throws(FileError) {
    let folder = try OpenFile(path)
    defer { withExtendedLifetime(folder) {} }
    try synchronize(folder: folder.descriptor.rawValue, shown: path)
  }

  /// Waits until the names in an open folder are on the disk.
  ///
  /// Some file systems over a network have no such call, because their servers see to it.
  package static func synchronize(folder: Int32, shown path: String) throws(FileError) {
    do {
      try FileCalls.tell(.sync(path))
      try FileError.check(path) { fsync(folder) }
    } catch  where error.isLackOfAbility || error.code == .invalidArgument {}
  }

  /// Resolves the links in a path; returns the path unchanged if there is nothing.
  package static func realPath(of path: String) -> String {
    guard let resolved = realpath(path, nil) else { return path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// Returns the place that a new file gets behind the links at a path, even if nothing is there yet.
  ///
  /// A renaming would take the place of the link itself. Fails if the links lead in a circle, or one
  /// of them to a name that is not UTF-8.
  package static func place(of path: String) throws(FileError) -> String {
    var place = path
    for _ in 0..<maximumLinkCount {
      guard (try? Stat(place, followTargetSymlink: false))?.type == .symbolicLink else {
        return place
      }
      let next = try target(ofLink: place)
      // By its letters, `link/..` would be another folder.
      let outer = realPath(of: next.folderPath)
      let inner =
        outer.isEmpty || outer == "/" ? outer + next.fileName : "\(outer)/\(next.fileName)"
      // `/dev/stdout` leads to a pipe that has no name but the link.
      guard FileStatus.exists(inner) || (try? Stat(place)) == nil else { return place }
      place = inner
    }
    throw FileError(path, .tooManySymbolicLinkLevels)
  }

  /// Returns the descriptor of this process that a path names, as `/dev/stdout` does; `nil` for any
  /// other path.
  package static func ownDescriptor(at path: String) -> Int32? {
    let folders = ["/proc/self/fd", "/dev/fd"].map { realPath(of: $0) }
    let threads = realPath(of: "/proc/self") + "/task/"
    var place = path
    for _ in 0..<maximumLinkCount {
      let real = realPath(of: place.folderPath)
      // All threads have the same descriptors.
      let isOfThread = real.hasPrefix(threads) && real.pathNames.dropFirst(4) == ["fd"]
      if folders.contains(real) || isOfThread { return Int32(place.fileName) }
      guard let next = try? target(ofLink: place) else { return nil }
      place = next
    }
    return nil
  }

  /// As many as Linux follows.
  private static let maximumLinkCount = 40

  /// Returns the path that a link leads to, one step on.
  private static func target(ofLink path: String) throws(FileError) -> String {
    let capacity = Int(PATH_MAX)
    var bytes = [CChar](repeating: 0, count: capacity + 1)
    let count = readlink(path, &bytes, capacity)
    guard count >= 0 else { throw FileError(path, Errno(rawValue: errno)) }
    let target = bytes.withUnsafeBufferPointer { bytes in
      bytes.baseAddress.flatMap { String(validatingCString: $0) }
    }
    guard let target else { throw FileError(path, .illegalByteSequence) }
    let folder = path.folderPath
    let isWhole = target.utf8.first == UInt8(ascii: "/") || folder.isEmpty
    return isWhole ? target : "\(folder)/\(target)"
  }

  /// Removes a file, if there is one.
  package static func remove(_ path: String) {
    guard (try? FileCalls.tell(.delete(path))) != nil else { return }
    unlink(path)
  }
}

extension FileError {
  /// Whether the file system does not have such a call.
  fileprivate var isLackOfAbility: Bool {
    [.notPermitted, .notSupported, .notSupportedOnSocket, .noFunction, .tooManyLinks]
      .contains(code)
  }
}

/// The capacity of the file system of a path.
package struct DiskRoom: Sendable {
  /// The number of bytes that ordinary programs can still write.
  package let availableByteCount: Int64
  /// The total number of bytes.
  package let totalByteCount: Int64

  /// Asks the system; `nil` if it does not know.
  package init?(at path: String) {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return nil }
    let size = UInt64(status.f_frsize)
    availableByteCount = Self.product(status.f_bavail, size)
    totalByteCount = Self.product(status.f_blocks, size)
  }

  private static func product(_ count: some BinaryInteger, _ size: UInt64) -> Int64 {
    let (product, overflow) = UInt64(clamping: count).multipliedReportingOverflow(by: size)
    return overflow ? .max : Int64(clamping: product)
  }
}
