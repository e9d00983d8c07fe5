/// Standard error: messages to the user besides the data.
///
/// A failed write is dropped, and so are all later ones: they cannot be reported anywhere, and work
/// must not stop for them.
package struct MessageStream: Sendable {
  private let stream: ConsoleStream

  /// Makes a stream for messages.
  ///
  /// - Parameters:
  ///   - sink: The destination of the bytes.
  ///   - device: The properties of the other end.
  package init(sink: any OutputSink, device: OutputDevice) {
    stream = ConsoleStream(
      name: "standard error",
      sink: sink,
      device: device,
      buffering: .immediate
    )
  }

  /// The properties of the other end.
  package var device: OutputDevice { stream.device }

  /// Writes text immediately; user data must first become a ``TerminalText``.
  package func write(_ text: String) {
    // The error cannot be reported anywhere else.
    try? stream.write(text)
  }

  /// Writes a line immediately; user data must first become a ``TerminalText``.
  package func writeLine(_ text: String = "") {
    write(text + "\n")
  }
}
