import Foundation
import SnippetTestSupport

/// Runs `snip browse` without a terminal.
extension SnipTool {
  /// Runs a script, and returns what was printed.
  ///
  /// Its lines stand each in a text of its own, or parted by a semicolon and a blank.
  func browse(
    _ script: String...,
    size: String = "60x16",
    _ options: [String] = []
  ) async throws -> SnipOutput {
    try await run(
      ["browse", "--script", "-", "--size", size] + options,
      input: Data(script.joined(separator: "\n").replacing("; ", with: "\n").utf8)
    )
  }
}
