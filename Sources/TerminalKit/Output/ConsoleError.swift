import SnippetBase

/// Why a stream took no more output.
package struct ConsoleError: Error, Equatable {
  /// The name of the stream.
  package let stream: String

  /// The error number of the system.
  package let number: Int32

  /// Whether the program that read the output has ended, which is no reason to complain.
  package var isClosedPipe: Bool { number == EPIPE }

  package init(stream: String, number: Int32) {
    self.stream = stream
    self.number = number
  }
}
