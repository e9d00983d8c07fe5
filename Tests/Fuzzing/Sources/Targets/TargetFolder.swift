import Foundation
import SnippetBase

/// A folder for the files that a target reads, for one process, which removes it when it ends.
struct TargetFolder: Sendable {
  private static let made = Lock<[String]>([])

  private let path: String
  /// Two tests may run a target at once, and there is one folder.
  private let turn = Lock(())

  /// Makes a folder.
  ///
  /// - Parameters:
  ///   - name: The target.
  ///   - fill: Writes what is there for all bytes, given the path.
  init(for name: String, fill: (String) throws -> Void = { _ in }) {
    path = FileManager.default.temporaryDirectory.path + "/snippets-\(name)-\(getpid())"
    do {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      try fill(path)
    } catch {
      preconditionFailure("a temporary folder cannot be made: \(error)")
    }
    let isFirst = Self.made.withLock { made in
      made.append(path)
      return made.count == 1
    }
    guard isFirst else { return }
    atexit {
      for path in TargetFolder.made.withLock({ $0 }) {
        try? FileManager.default.removeItem(atPath: path)
      }
    }
  }

  /// Calls `body` with the path, while no one else uses the folder.
  func use(_ body: (String) throws -> Void) throws {
    try turn.withLock { _ in try body(path) }
  }
}
