internal import Foundation
package import SnippetMedia

extension WorkerMedia {
  /// The subcommand by which this program decodes for another one.
  package static let subcommand = "decode-media"

  /// Decodes in processes of this very program, so that a malicious file harms only its own
  /// picture.
  ///
  /// - Parameter threadCount: The number of files decoded at a time. Starting another process takes
  ///   longer than decoding most pictures. The default is 2.
  /// - Returns: The decoder.
  package static func ofThisProgram(threadCount: Int = 2) -> WorkerMedia {
    WorkerMedia(
      Configuration(
        executable: Bundle.main.executableURL
          ?? URL(fileURLWithPath: CommandLine.arguments.first ?? "snip"),
        arguments: [subcommand],
        idleWorkerCount: threadCount
      )
    )
  }
}
