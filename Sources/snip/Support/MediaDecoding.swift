import ArgumentParser
import Foundation
import SnippetMedia

extension WorkerMedia {
  /// Decodes in processes of this very program, so that a file made to harm costs nothing but its
  /// own picture.
  ///
  /// - Parameter limits: What decoding may cost. The default is what the library says.
  /// - Returns: The decoder.
  static func ofThisProgram(limits: MediaLimits = MediaLimits()) -> WorkerMedia {
    WorkerMedia(
      Configuration(
        executable: Bundle.main.executableURL
          ?? URL(fileURLWithPath: CommandLine.arguments.first ?? "snip"),
        arguments: [DecodeCommand.configuration.commandName ?? ""],
        limits: limits
      )
    )
  }
}
