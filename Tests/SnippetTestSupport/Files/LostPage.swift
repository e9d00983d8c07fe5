package import Foundation

/// A page of a store that the medium returns as zeros.
package struct LostPage: Sendable {
  private let file: URL
  private let number: Int
  private let kept: URL

  /// Keeps a copy of a closed store, and loses a page with rows of a table.
  ///
  /// - Parameters:
  ///   - table: The table, which has several pages.
  ///   - file: The store.
  /// - Throws: Errors of ``Shell``.
  package init(of table: String, in file: URL) async throws {
    self.file = file
    kept = file.appendingPathExtension("kept")
    let pages = try await Shell.sqlite3(
      file,
      "SELECT pageno FROM dbstat WHERE name = '\(table)' AND pagetype = 'leaf'"
    )
    let numbers = pages.standardOutput.split(separator: "\n").compactMap { Int($0) }
    guard numbers.count > 2 else { throw Shell.Failure(output: pages) }
    number = numbers[2]
    try FileManager.default.copyItem(at: file, to: kept)
    try await write(from: "/dev/zero", skipping: 0)
  }

  /// Restores the page.
  package func comeBack() async throws {
    try await write(from: kept.path, skipping: number - 1)
  }

  /// Another process writes: closing the file here would drop the locks of this one.
  private func write(from source: String, skipping count: Int) async throws {
    let output = try await Shell.run(
      "dd",
      [
        "if=\(source)", "of=\(file.path)", "bs=8192", "count=1", "skip=\(count)",
        "seek=\(number - 1)", "conv=notrunc", "status=none",
      ]
    )
    guard output.status == 0 else { throw Shell.Failure(output: output) }
  }
}
