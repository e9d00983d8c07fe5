import Foundation
import SnippetTestSupport

/// The folder `Migrations` of the package, as it lies on the disk.
enum MigrationFolder {
  static let url = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Migrations")

  /// The names of the steps in order.
  static func fileNames() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: url.path)
      .filter { $0.hasSuffix(".sql") }.sorted()
  }

  static func text(of fileName: String) throws -> String {
    try String(contentsOf: url.appendingPathComponent(fileName), encoding: .utf8)
  }

  /// Makes a database as the first file says: with the shell, in one go, each step followed by the
  /// SQL that `content` gives for it.
  static func build(
    _ file: URL,
    upTo version: Int = .max,
    content: (_ version: Int) throws -> String = { _ in "" }
  ) async throws {
    let steps = try fileNames().prefix(version).enumerated().map { index, fileName in
      try text(of: fileName) + content(index + 1)
    }
    let output = try await Shell.run(
      "sqlite3",
      ["-bail", file.path],
      input: Data(steps.joined(separator: "\n").utf8)
    )
    guard output == Shell.Output(standardOutput: "") else { throw Shell.Failure(output: output) }
  }
}
