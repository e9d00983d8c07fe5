import Foundation

/// The two streams of this program: data on one, all else on the other.
package struct Console: Sendable {
  /// Standard output: the data that was asked for.
  package let output: ConsoleStream

  /// Standard error: everything that is said beside the data.
  package let messages: MessageStream

  /// Creates a console out of its streams.
  ///
  /// - Parameters:
  ///   - output: Standard output.
  ///   - messages: Standard error.
  package init(output: ConsoleStream, messages: MessageStream) {
    self.output = output
    self.messages = messages
  }

  /// The console of this process, to be made once, before any file is opened.
  ///
  /// From then on a closed pipe is an error of the write, not a signal, and descriptors that the
  /// process was started without cannot become those of a file.
  ///
  /// - Parameter environment: The environment variables.
  /// - Returns: The console.
  package static func ofProcess(environment: [String: String]) -> Console {
    signal(SIGPIPE, SIG_IGN)
    StandardDescriptors.occupyClosed()
    return Console(
      output: ConsoleStream(
        name: "standard output",
        sink: FileDescriptorSink(descriptor: STDOUT_FILENO),
        device: OutputDevice(descriptor: STDOUT_FILENO, environment: environment)
      ),
      messages: MessageStream(
        sink: FileDescriptorSink(descriptor: STDERR_FILENO),
        device: OutputDevice(descriptor: STDERR_FILENO, environment: environment)
      )
    )
  }
}

/// The three descriptors a program expects to be started with.
private enum StandardDescriptors {
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
