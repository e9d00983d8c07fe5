import Foundation
import SnippetBase
import SnippetMedia
import SnippetTestSupport
import Testing

/// Programs that make the files that people have.
///
/// A machine may be without them; CI is not.
enum MediaTools {
  static let names = ["ffmpeg", "sox", "heif-enc", "exiftool"]

  /// Those that are not installed.
  static let missing: [String] = {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return names.filter { name in
      !folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") }
    }
  }()

  /// Whether the tests can run, or are to fail where they cannot.
  static var areExpected: Bool {
    let isCI = ProcessInfo.processInfo.environment["CI"] != nil
    let isDecoding = MediaSupport.current.decodesImages && MediaSupport.current.decodesRecordings
    return isCI || missing.isEmpty && isDecoding
  }

  static let reason: Comment =
    "it takes ffmpeg, sox, heif-enc and exiftool (Debian: ffmpeg sox libheif-examples libimage-exiftool-perl)"

  private static let made = Lock<[String: Task<Data, any Error>]>([:])

  /// Makes a file at its first use in a run of the tests.
  ///
  /// - Parameters:
  ///   - key: Tells the file from all others.
  ///   - make: Makes the file.
  /// - Returns: Its bytes.
  /// - Throws: The error of making it.
  static func file(
    _ key: String,
    _ make: @escaping @Sendable () async throws -> Data
  ) async throws -> Data {
    let task = made.withLock { made in
      let task = made[key] ?? Task { try await make() }
      made[key] = task
      return task
    }
    return try await task.value
  }

  /// Runs one of them, which must succeed.
  static func run(_ name: String, _ arguments: [String]) async throws {
    let output = try await Shell.run(name, arguments)
    guard output.status == 0 else { throw Shell.Failure(output: output) }
  }
}
