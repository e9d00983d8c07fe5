/// Standard error: what is said to the user beside the data.
///
/// A write that fails is dropped, and so is all that follows: there is nobody left to tell, and no
/// work is dropped for it.
package struct MessageStream: Sendable {
  private let stream: ConsoleStream

  /// Creates a stream for messages.
  ///
  /// - Parameters:
  ///   - sink: Where the bytes go.
  ///   - device: What is known about the other end.
  package init(sink: any OutputSink, device: OutputDevice) {
    stream = ConsoleStream(
      name: "standard error",
      sink: sink,
      device: device,
      buffering: .immediate
    )
  }

  /// What is known about the other end.
  package var device: OutputDevice { stream.device }

  /// Writes text at once; what comes from a user's data must be a ``TerminalText`` first.
  package func write(_ text: String) {
    // There is no other place to report this error to.
    try? stream.write(text)
  }

  /// Writes a line at once; what comes from a user's data must be a ``TerminalText`` first.
  package func writeLine(_ text: String = "") {
    write(text + "\n")
  }
}
