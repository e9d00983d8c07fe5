import Foundation
import SnippetMedia
import SnippetTestSupport

/// The two ways to decode, of which all must be true.
enum Decoder: String, CaseIterable, Sendable {
  case library
  case worker

  func make(limits: MediaLimits = MediaLimits()) -> any MediaMaking {
    switch self {
    case .library: LibraryMedia(limits: limits)
    case .worker: Self.workers(limits: limits)
    }
  }

  /// Workers of the built command.
  static func workers(
    limits: MediaLimits = MediaLimits(),
    jobsPerWorker: Int = 200
  ) -> WorkerMedia {
    WorkerMedia(
      .init(
        executable: SnipTool.executable,
        arguments: ["decode-media"],
        limits: limits,
        jobsPerWorker: jobsPerWorker
      )
    )
  }
}

/// Files that the command brings along.
enum DemoFile {
  static let images = [
    "balloon-over-meadow.webp", "lighthouse-at-night.jpg", "mountain-lake.jpg",
    "sailing-boat.gif", "sunset-over-hills.png",
  ]
  static let recordings = [
    "bird-chirp.mp3", "drum-pattern.ogg", "evening-bell.flac", "rising-arpeggio.wav",
  ]

  static func bytes(_ name: String) throws -> Data {
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    return try Data(
      contentsOf: package.appendingPathComponent("Sources/snip/DemoLibrary/\(name)")
    )
  }
}
