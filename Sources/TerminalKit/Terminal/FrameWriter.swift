import Dispatch
import Foundation
import SnippetBase

/// Writes frames to a terminal, one at a time, without making anybody wait.
///
/// While one is being written there is no room for another: a terminal that is slow gets the newest
/// frame next, and those between are never made.
package final class FrameWriter: Sendable {
  /// The most bytes that are written before it is looked whether they are still wanted.
  private static let pieceSize = 4096

  private let sink: any OutputSink
  private let events: ScreenEvents
  /// How many frames have been given up or begun; a frame is written while it is the last.
  private let current = Lock(0)
  private let writing = DispatchGroup()

  /// Makes a writer.
  ///
  /// - Parameters:
  ///   - sink: Where frames go.
  ///   - events: Told when a frame has been written.
  package init(sink: any OutputSink, events: ScreenEvents) {
    self.sink = sink
    self.events = events
  }

  /// Begins to write a frame; the one before must have been written.
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

  /// Waits a moment for the frame that is being written, and gives up the rest of it then.
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
