internal import Foundation
package import SnippetMedia

extension WorkerMedia {
  /// The subcommand by which this program decodes for another one.
  package static let subcommand = "decode-media"

  /// Decodes in processes of this very program, so that a file made to harm costs nothing but its
  /// own picture.
  ///
  /// - Parameter threadCount: How many threads decode at a time; to start a process anew takes
  ///   longer than most pictures do. The default is 2.
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
