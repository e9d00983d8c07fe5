import Foundation
import Synchronization
package import TerminalKit

/// A sink that keeps its input, a few bytes at a time, and fails on request.
package final class RecordingSink: OutputSink {
  private struct State {
    var writes: [[UInt8]] = []
    var byteCount = 0
  }

  private let bytesPerWrite: Int
  private let capacity: Int
  private let failure: Int32
  private let state = Mutex(State())

  package init(bytesPerWrite: Int = .max, capacity: Int = .max, failure: Int32 = ENOSPC) {
    self.bytesPerWrite = bytesPerWrite
    self.capacity = capacity
    self.failure = failure
  }

  /// The bytes of each write.
  package var writes: [[UInt8]] { state.withLock(\.writes) }

  /// All bytes received.
  package var bytes: [UInt8] { writes.flatMap { $0 } }

  /// All bytes received, as text.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  package func write(_ bytes: UnsafeRawBufferPointer) throws(OutputSinkError) -> Int {
    try state.withLock { state throws(OutputSinkError) in
      let room = capacity - state.byteCount
      guard room > 0 else { throw OutputSinkError(number: failure) }
      let taken = Array(bytes.prefix(min(bytesPerWrite, room)))
      state.writes.append(taken)
      state.byteCount += taken.count
      return taken.count
    }
  }
}

extension OutputDevice {
  /// A terminal of a width.
  package static func terminal(width: Int, environment: [String: String] = [:]) -> OutputDevice {
    OutputDevice(
      isTerminal: true,
      environment: ["TERM": "xterm", "NO_COLOR": "1"].merging(environment) { $1 },
      measuredGrid: { TerminalGrid(columns: width) }
    )
  }

  /// A pipe.
  package static let pipe = OutputDevice(isTerminal: false, environment: [:])
}
