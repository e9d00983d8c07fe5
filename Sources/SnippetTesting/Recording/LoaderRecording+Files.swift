public import Foundation
import SnippetBase
internal import SnippetStorage

extension LoaderRecording {
  private static let threads = BlockingQueues(label: "SnippetLoader.recordings")

  /// Reads a recording from a file.
  ///
  /// The work is done on a thread of its own.
  ///
  /// - Parameter file: A file or a pipe with JSON lines, as ``write(to:)`` makes them.
  /// - Returns: The recording.
  /// - Throws: ``LoaderRecordingError``, which says what is wrong in which line; the error of the
  ///   system when the file cannot be read.
  @concurrent
  public static func read(from file: URL) async throws -> LoaderRecording {
    try await inBackground {
      // Reads pipes and devices too, which `Data(contentsOf:)` refuses.
      let handle = try FileHandle(forReadingFrom: file)
      // Everything has been read by then; nothing is lost by a failure.
      defer { try? handle.close() }
      return try LoaderRecording(jsonLines: try handle.readToEnd() ?? Data())
    }
  }

  /// Writes the recording into a file, as JSON lines, in place of what is there.
  ///
  /// The work is done on a thread of its own.
  ///
  /// - Parameter file: The file. It is replaced once everything is written.
  /// - Throws: The error of the system.
  @concurrent
  public func write(to file: URL) async throws {
    try await Self.inBackground { try writeNow(to: file) }
  }

  /// Writes the file on the thread of the caller.
  func writeNow(to file: URL) throws {
    try jsonLines().write(to: file, options: .atomic)
  }

  /// Does work on a thread that may block.
  @concurrent
  static func inBackground<Result: Sendable>(
    _ work: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      threads.async { continuation.resume(with: Swift.Result { try work() }) }
    }
  }
}
