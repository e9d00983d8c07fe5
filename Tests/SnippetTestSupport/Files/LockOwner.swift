#if os(Linux)
package import Foundation
import SnippetBase

/// The kind of owner of the locks on a file.
package enum LockOwner {
  /// The owner of POSIX locks, which any `close` in the process drops.
  case process
  /// The owner of locks that stay until their own descriptor is closed.
  case descriptor

  /// Asks the system; `nil` if there are no locks.
  ///
  /// Closing the file afterwards drops the POSIX locks of this process.
  package init?(of file: URL) {
    let descriptor = open(file.path, O_RDONLY | O_CLOEXEC)
    defer { close(descriptor) }
    var lock = flock()
    lock.l_type = Int16(F_WRLCK)
    lock.l_whence = Int16(SEEK_SET)
    // F_OFD_GETLK, which Swift does not import.
    guard fcntl(descriptor, 36, &lock) == 0, Int32(lock.l_type) != F_UNLCK else { return nil }
    self = lock.l_pid == -1 ? .descriptor : .process
  }
}
#endif
