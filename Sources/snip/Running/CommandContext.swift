import Foundation
import SnipCore
import TerminalKit

/// The surroundings of a command.
struct CommandContext: Sendable {
  let console: Console
  let input: CommandInput
  let interrupts: Interrupts
  let stores: OpenStores
  let environment: [String: String]
  /// Where relative paths start; `nil` is the current folder.
  let folder: URL?
}

extension CommandContext {
  /// The file or folder at a typed path, where the system finds it.
  ///
  /// - Parameter path: The path.
  /// - Returns: The URL.
  func url(_ path: String) -> URL {
    let path = TypedPath.followed(HomePath.expanded(path, environment), from: folder)
    guard let folder else { return URL(fileURLWithPath: path) }
    return URL(fileURLWithPath: path, relativeTo: folder)
  }

  /// Does work that ends early when the user asks the program to end.
  ///
  /// - Parameter work: The work; its task is cancelled at the first Ctrl-C.
  /// - Returns: The result of the work.
  /// - Throws: Errors of the work.
  func cancellable<Result: Sendable>(
    _ work: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    let task = Task { try await work() }
    interrupts.whenRequested { task.cancel() }
    return try await task.value
  }
}
