import SystemPackage

/// The memory that several programs share through a file, as SQLite needs it for a log.
package enum SharedMemory {
  /// Whether a file beside a path could be mapped so; `true` if that cannot be found out.
  ///
  /// Some file systems in user space cannot do that, those over a network among them.
  package static func isOffered(beside path: String) -> Bool {
    var template = Array("\(path).probe-XXXXXX".utf8CString)
    let file = mkstemp(&template)
    guard file >= 0 else { return true }
    unlink(template)
    defer { close(file) }
    let byteCount = 1 << 15
    do throws(FileError) {
      try FileCalls.tell(.map(path))
      // Some cannot even make a file longer in this way, as SQLite does first.
      try FileError.check(path) { ftruncate(file, off_t(byteCount)) }
      try FileError.check(path) {
        let memory = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
        return memory == MAP_FAILED ? -1 : munmap(memory, byteCount)
      }
      return true
    } catch {
      let refusals = [ENODEV, EINVAL, ENOSYS, ENOTSUP, EOPNOTSUPP, EPERM]
      return !refusals.contains(error.code.rawValue)
    }
  }
}
