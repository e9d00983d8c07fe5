import Dispatch
import Foundation
import SnippetBase

/// Writes frames to a terminal, one at a time, without making the caller wait.
///
/// While a frame is being written, no other is accepted: a slow terminal gets the newest frame
/// next, and those in between are never made.
package final class FrameWriter: Sendable {
  /// The most bytes to write before checking whether they are still wanted.
  private static let pieceSize = 4096

  private let sink: any OutputSink
  private let events: ScreenEvents
  /// The number of frames begun or given up; a frame is written as long as it is the latest.
  private let current = Lock(0)
  private let writing = DispatchGroup()

  /// Makes a writer.
  ///
  /// - Parameters:
  ///   - sink: The destination of the frames.
  ///   - events: Receives an event when a frame has been written.
  package init(sink: any OutputSink, events: ScreenEvents) {
    self.sink = sink
    self.events = events
  }

  /// Begins to write a frame; the previous one must have been written.
  package func write(_ bytes: [UInt8]) {
    writing.enter()
    let number = current.withLock { current in
      current += 1
      return current
    }
    OwnThreads.start { [self] in
      let failure = writeAll(bytes, number)
      writing.leave()
      events.post(.written(failure: failure))
    }
  }

  /// Waits a moment for the frame being written, then gives up the rest of it.
  package func end() {
    if writing.wait(timeout: .now() + .milliseconds(500)) == .timedOut {
      current.withLock { $0 += 1 }
    }
  }

  private func writeAll(_ bytes: [UInt8], _ number: Int) -> Int32? {
    bytes.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty, current.withLock({ $0 == number }) {
        let piece = UnsafeRawBufferPointer(rebasing: rest.prefix(Self.pieceSize))
        do throws(OutputSinkError) {
          rest = rest.dropFirst(try sink.write(piece))
        } catch {
          return error.number
        }
      }
      return nil
    }
  }
}
