public import Foundation
import SnippetBase
internal import SnippetStorage

extension LoaderRecording {
  /// Reads a recording from a file.
  ///
  /// - Parameter file: A file or a pipe with JSON lines, as ``write(to:)`` makes them.
  /// - Returns: The recording.
  /// - Throws: ``LoaderRecordingError``, which names the mistake and its line; the error of the
  ///   system when the file cannot be read.
  public static func read(from file: URL) async throws -> LoaderRecording {
    try await OwnThreads.result {
      // Reads pipes and devices too, which `Data(contentsOf:)` refuses.
      let handle = try FileHandle(forReadingFrom: file)
      // Everything has been read by then, so a failure loses nothing.
      defer { try? handle.close() }
      return try LoaderRecording(jsonLines: try handle.readToEnd() ?? Data())
    }
  }

  /// Writes the recording into a file as JSON lines, replacing an existing file.
  ///
  /// - Parameter file: The file. It is replaced once everything is written.
  /// - Throws: The error of the system.
  public func write(to file: URL) async throws {
    try await OwnThreads.result { try writeNow(to: file) }
  }

  /// Writes the file on the thread of the caller.
  func writeNow(to file: URL) throws {
    try jsonLines().write(to: file, options: .atomic)
  }
}
