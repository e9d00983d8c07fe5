import Foundation

/// The two streams of this program: data on one, all else on the other.
struct Console: Sendable {
  /// Standard output: the data that was asked for.
  let output: ConsoleStream

  /// Standard error: everything that is said beside the data.
  let messages: MessageStream

  /// Creates a console out of its streams.
  ///
  /// - Parameters:
  ///   - output: Standard output.
  ///   - messages: Standard error.
  init(output: ConsoleStream, messages: MessageStream) {
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
  static func ofProcess(environment: [String: String]) -> Console {
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

  /// Writes what is buffered and tells how the program ends: as it would, or with the reason why
  /// its output is not complete.
  ///
  /// - Parameter status: The status of the work. A failure of its own is not replaced.
  /// - Returns: The status to end the program with.
  func finish(with status: ExitStatus) -> ExitStatus {
    do {
      try output.flush()
      return status
    } catch {
      return status == .done ? report(error) : status
    }
  }
}
