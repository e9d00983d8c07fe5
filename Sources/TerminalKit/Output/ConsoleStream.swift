package import Foundation
import SnippetBase

/// A buffered stream to a terminal, a file or a pipe, safe to use from any thread.
///
/// After a write has failed, the stream accepts nothing more and throws the same error again.
package final class ConsoleStream: Sendable {
  /// The moment at which buffered bytes are written.
  package enum Buffering: Sendable {
    /// When the buffer is full.
    case full

    /// When a line ends.
    case lines

    /// Immediately.
    case immediate
  }

  private struct State {
    var buffer: [UInt8] = []
    var error: ConsoleError?
  }

  private static let bufferSize = 1 << 16

  /// The name of the stream in error messages, such as “standard output”.
  package let name: String

  /// The properties of the other end.
  package let device: OutputDevice

  private let sink: any OutputSink
  private let buffering: Buffering
  private let state = Lock(State())

  /// Makes a stream.
  ///
  /// - Parameters:
  ///   - name: The name of the stream in error messages.
  ///   - sink: The destination of the bytes.
  ///   - device: The properties of the other end.
  ///   - buffering: The moment at which bytes are written. The default is at the end of each line
  ///     for a terminal, and when the buffer is full for everything else.
  package init(
    name: String,
    sink: any OutputSink,
    device: OutputDevice,
    buffering: Buffering? = nil
  ) {
    self.name = name
    self.sink = sink
    self.device = device
    self.buffering = buffering ?? (device.isTerminal ? .lines : .full)
  }

  /// Writes text unchanged; user data must first become a ``TerminalText``.
  ///
  /// - Parameter text: The text.
  /// - Throws: ``ConsoleError`` if this or an earlier write failed.
  package func write(_ text: String) throws(ConsoleError) {
    try state.withLock { state throws(ConsoleError) in
      state.buffer.append(contentsOf: text.utf8)
      if isDue(state.buffer, endsLine: text.utf8.contains(0x0A)) { try drain(&state) }
    }
  }

  /// Writes text and ends the line.
  ///
  /// - Parameter text: The text. By default the line is empty.
  /// - Throws: ``ConsoleError`` if this or an earlier write failed.
  package func writeLine(_ text: String = "") throws(ConsoleError) {
    try state.withLock { state throws(ConsoleError) in
      state.buffer.append(contentsOf: text.utf8)
      state.buffer.append(0x0A)
      if isDue(state.buffer, endsLine: true) { try drain(&state) }
    }
  }

  /// Writes a line that starts with a faint label.
  ///
  /// - Parameters:
  ///   - value: Any text; it is made safe to print.
  ///   - label: The label, safe to print.
  ///   - labelWidth: The columns of the label.
  /// - Throws: ``ConsoleError`` if this or an earlier write failed.
  package func writeLine(
    _ value: String,
    label: String,
    labelWidth: Int = 9
  ) throws(ConsoleError) {
    let label = device.styled(label.padded(toWidth: labelWidth), .faint)
    try writeLine("\(label) \(TerminalText(value))")
  }

  /// Writes bytes unchanged.
  ///
  /// - Parameter bytes: The bytes.
  /// - Throws: ``ConsoleError`` if this or an earlier write failed.
  package func write(contentsOf bytes: some ContiguousBytes) throws(ConsoleError) {
    try bytes.withUnsafeBytes { bytes in
      Result { () throws(ConsoleError) in try write(bytes) }
    }.get()
  }

  /// Writes the buffered bytes.
  ///
  /// - Throws: ``ConsoleError`` if this or an earlier write failed.
  package func flush() throws(ConsoleError) {
    try state.withLock { state throws(ConsoleError) in try drain(&state) }
  }

  /// Writes the buffered bytes, the last ones, and finds out whether a disk took them all.
  ///
  /// - Throws: ``ConsoleError`` if this or an earlier write failed.
  package func finish() throws(ConsoleError) {
    try state.withLock { state throws(ConsoleError) in
      try drain(&state)
      do throws(OutputSinkError) {
        try sink.finish()
      } catch {
        let error = ConsoleError(stream: name, number: error.number)
        state.error = error
        throw error
      }
    }
  }

  private func write(_ bytes: UnsafeRawBufferPointer) throws(ConsoleError) {
    try state.withLock { state throws(ConsoleError) in
      if bytes.count < Self.bufferSize {
        state.buffer.append(contentsOf: bytes)
        if isDue(state.buffer, endsLine: bytes.contains(0x0A)) { try drain(&state) }
      } else {
        try drain(&state)
        try writeThrough(bytes, &state)
      }
    }
  }

  private func isDue(_ buffer: [UInt8], endsLine: @autoclosure () -> Bool) -> Bool {
    switch buffering {
    case .full: buffer.count >= Self.bufferSize
    case .lines: endsLine() || buffer.count >= Self.bufferSize
    case .immediate: true
    }
  }

  private func drain(_ state: inout State) throws(ConsoleError) {
    let buffer = state.buffer
    state.buffer.removeAll(keepingCapacity: true)
    try buffer.withUnsafeBytes { bytes in
      Result { () throws(ConsoleError) in try writeThrough(bytes, &state) }
    }.get()
  }

  private func writeThrough(
    _ bytes: UnsafeRawBufferPointer,
    _ state: inout State
  ) throws(ConsoleError) {
    if let error = state.error { throw error }
    var rest = bytes[...]
    while !rest.isEmpty {
      do {
        rest = rest.dropFirst(try sink.write(UnsafeRawBufferPointer(rebasing: rest)))
      } catch {
        let error = ConsoleError(stream: name, number: error.number)
        state.error = error
        throw error
      }
    }
  }
}
