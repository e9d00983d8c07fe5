import SnippetBase

/// A failure of an output stream.
package struct ConsoleError: Error, Equatable {
  /// The name of the stream.
  package let stream: String

  /// The error number of the system.
  package let number: Int32

  /// Whether the program reading the output has ended, which is not worth a complaint.
  package var isClosedPipe: Bool { number == EPIPE }

  package init(stream: String, number: Int32) {
    self.stream = stream
    self.number = number
  }
}
