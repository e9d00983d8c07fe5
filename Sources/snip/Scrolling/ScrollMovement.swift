import Foundation
import SnipCore
import SnippetLoading
import SnippetTesting
import TerminalKit

/// The movement of a list: by a simulated thumb, or as it was recorded.
enum ScrollMovement: Sendable {
  case thumb(ScrollPattern, seed: UInt64, viewport: Int, frameCount: Int)
  case recorded(ScrollReplay)

  /// The time of a frame on a display with 120 frames a second.
  private static let frame = Duration.nanoseconds(8_333_333)

  /// The name of the movement; it is a contract.
  var name: String {
    switch self {
    case .thumb(let pattern, _, _, _): pattern.rawValue
    case .recorded: "recorded"
    }
  }

  /// The seed of the thumb; 0 for a recorded movement.
  var seed: UInt64 {
    switch self {
    case .thumb(_, let seed, _, _): seed
    case .recorded: 0
    }
  }

  /// The most rows visible at a time.
  var viewport: Int {
    switch self {
    case .thumb(_, _, let viewport, _): viewport
    case .recorded(let replay): replay.viewport
    }
  }

  /// The number of frames.
  var frameCount: Int {
    switch self {
    case .thumb(_, _, _, let frameCount): frameCount
    case .recorded(let replay): replay.frames.count
    }
  }

  /// The visible rows in each frame.
  ///
  /// - Parameter rowCount: The length of the list.
  /// - Returns: The frames, made on demand.
  func frames(rowCount: Int) -> AnySequence<ScrollReplay.Frame> {
    switch self {
    case .thumb(let pattern, let seed, let viewport, let frameCount):
      let thumb = ScrollSimulation(
        rowCount: rowCount,
        viewport: viewport,
        pattern: pattern,
        seed: seed,
        steps: frameCount
      )
      return AnySequence(
        thumb.lazy.enumerated().map { number, first in
          ScrollReplay.Frame(
            time: Self.frame * number,
            visible: first..<min(rowCount, first + viewport)
          )
        }
      )
    case .recorded(let replay):
      return AnySequence(replay.frames)
    }
  }
}

extension ScrollMovement {
  /// Reads a recorded movement.
  ///
  /// - Parameter path: A file from `snip scroll --trace` or an app.
  /// - Returns: The movement.
  /// - Throws: ``ReplayError``
  static func recorded(in path: String) async throws -> ScrollMovement {
    let recording: LoaderRecording
    do {
      recording = try await LoaderRecording.read(from: URL(fileURLWithPath: path))
    } catch let error as LoaderRecordingError {
      throw ReplayError(path: path, reason: error.reason)
    } catch {
      throw ReplayError(path: path, reason: "the file cannot be read")
    }
    let replay = ScrollReplay(recording)
    guard !replay.frames.isEmpty else {
      throw ReplayError(path: path, reason: "nothing moves in it")
    }
    guard replay.viewport <= 1_000 else {
      throw ReplayError(path: path, reason: "more than 1000 rows are visible at a time")
    }
    return .recorded(replay)
  }
}

/// A file cannot be replayed.
struct ReplayError: StatusError {
  let path: String
  let reason: String

  var status: ExitStatus { .badInput }
  var message: String { "could not replay \(path): \(reason)" }
  var hint: String? { "`snip scroll --trace FILE` makes a file that can be replayed." }
}
