import Foundation
import SnippetStorage
import SnippetTestSupport

@testable import SnippetMedia

/// The two ways to decode, of which all must be true.
enum Decoder: String, CaseIterable, Sendable {
  case library
  case worker

  /// Decodes with the usual settings; all tests share the workers, which take a while to start.
  func make() -> any MediaMaking {
    switch self {
    case .library: LibraryMedia()
    case .worker: Self.sharedWorkers
    }
  }

  static let sharedWorkers = workers()

  func make(
    limits: MediaLimits = MediaLimits(),
    partInterval: Duration
  ) -> any MediaMaking {
    switch self {
    case .library:
      var media = LibraryMedia(limits: limits)
      media.partInterval = partInterval
      return media
    case .worker: return Self.workers(limits: limits, partInterval: partInterval)
    }
  }

  /// Workers of the built command.
  static func workers(
    limits: MediaLimits = MediaLimits(),
    jobsPerWorker: Int = 200,
    partInterval: Duration = .milliseconds(100)
  ) -> WorkerMedia {
    WorkerMedia(
      .init(
        executable: SnipTool.executable,
        arguments: ["decode-media"],
        limits: limits,
        jobsPerWorker: jobsPerWorker
      ),
      partInterval: partInterval
    )
  }
}

/// Files that the command brings along.
enum DemoFile {
  static let images = [
    "balloon-over-meadow.webp", "lighthouse-at-night.jpg", "mountain-lake.jpg",
    "potted-cactus.bmp", "sailing-boat.gif", "sunset-over-hills.png",
  ]
  static let recordings = [
    "bird-chirp.mp3", "drum-pattern.ogg", "evening-bell.flac", "rising-arpeggio.wav",
  ]

  /// A sound file of every format that can be decoded.
  static func ofEveryFormat() throws -> [Data] {
    let picture = Pixels(width: 40, height: 30) { x, y in [UInt8(x * 6), UInt8(y * 8), 99, 255] }
    let sound = SoundFile(channels: [(0..<4_000).map { sin(Double($0) / 9) }])
    return try (images + recordings).map { try bytes($0) }
      + [picture.tiff, sound.aiff, sound.caf] + BitmapFile.ofEveryKind
      + [ContentType.heic, .avif].filter(MediaSupport.current.decodableTypes.contains)
      .compactMap { CodecSample.bytes(of: $0) }
  }

  static func bytes(_ name: String) throws -> Data {
    let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    return try Data(
      contentsOf: package.appendingPathComponent("Sources/SnipCore/DemoLibrary/\(name)")
    )
  }
}
