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

  /// Makes a database as the first file says: the steps through the shell, in one go.
  static func build(_ file: URL, upTo version: Int = .max) async throws {
    let steps = try fileNames().prefix(version).map { try text(of: $0) }
    let output = try await Shell.run(
      "sqlite3",
      ["-bail", file.path],
      input: Data(steps.joined(separator: "\n").utf8)
    )
    guard output == Shell.Output(standardOutput: "") else { throw Shell.Failure(output: output) }
  }
}
