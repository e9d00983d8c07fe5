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
