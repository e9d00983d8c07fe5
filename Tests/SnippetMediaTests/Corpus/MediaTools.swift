import Foundation
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

  /// Makes files in a folder of their own, which is then removed.
  ///
  /// - Parameter make: Given the folder, makes files and returns what is wanted of them.
  /// - Returns: What `make` returns.
  /// - Throws: The error of making them.
  static func inFolder<Result>(_ make: (URL) async throws -> Result) async throws -> Result {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("media-corpus-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await make(folder)
  }

  /// Runs one of them, which must succeed.
  static func run(_ name: String, _ arguments: [String]) async throws {
    let output = try await Shell.run(name, arguments)
    guard output.status == 0 else { throw Shell.Failure(output: output) }
  }
}
