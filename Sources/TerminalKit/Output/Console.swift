import Foundation

/// The two streams of this program: one for data, one for everything else.
package struct Console: Sendable {
  /// Standard output: the requested data.
  package let output: ConsoleStream

  /// Standard error: everything besides the data.
  package let messages: MessageStream

  /// Makes a console from its streams.
  ///
  /// - Parameters:
  ///   - output: Standard output.
  ///   - messages: Standard error.
  package init(output: ConsoleStream, messages: MessageStream) {
    self.output = output
    self.messages = messages
  }

  /// Makes the console of this process.
  ///
  /// Call it once, before any file is opened.
  ///
  /// From then on a closed pipe is an error of a write, not a signal, and if the process was
  /// started without some of the standard descriptors, no file can take their numbers.
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

/// The three descriptors with which a program expects to be started.
private enum StandardDescriptors {
  /// Opens the null device in place of closed descriptors.
  ///
  /// Otherwise the next opened file would take the number of standard output, and output would be
  /// written into it. The null device is opened in the wrong direction, so that using the stream is
  /// still an error.
  static func occupyClosed() {
    for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]
    where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
      // The lowest free number is used, and all lower ones are taken, so it is this descriptor.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
