import Foundation

/// The three descriptors a program expects to be started with.
enum StandardDescriptors {
  /// Opens the null device on those that are closed.
  ///
  /// Otherwise the next file opened would take the number of standard output, and output would be
  /// written into it. The null device is opened the wrong way round, so that using the stream is
  /// still an error.
  static func occupyClosed() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
      // The lowest free number is used, and all lower ones are taken: it is this descriptor.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
