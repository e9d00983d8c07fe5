import Foundation

/// The article on disaster recovery, whose recipe the tests follow to the letter.
enum RecoveryArticle {
  /// The configuration for a folder, and the one for S3.
  static func configurations() throws -> [String] {
    try text().components(separatedBy: "```text\n").dropFirst()
      .map { $0.components(separatedBy: "```")[0] }
      .filter { $0.hasPrefix("dbs:") }
  }

  /// The figures that are to be watched.
  static func figures() throws -> [String] {
    try text().matches(of: /(?m)^\| `(litestream_\w+)` \|/).map { String($0.output.1) }
  }

  private static func text() throws -> String {
    let root = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let place = "Sources/SnippetStorage/SnippetStorage.docc/DisasterRecovery.md"
    return try String(contentsOf: root.appendingPathComponent(place), encoding: .utf8)
  }
}
