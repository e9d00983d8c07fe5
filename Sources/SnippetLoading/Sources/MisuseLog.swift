import Foundation
import SnippetBase

/// Writes reports of misuse to standard error, in release builds too, unless the app takes them
/// itself.
enum MisuseLog {
  private static let noted = Lock<Set<String>>([])

  /// Writes a message, each one only once.
  static func note(_ message: String) {
    guard noted.withLock({ $0.insert(message).inserted }) else { return }
    FileHandle.standardError.write(Data("SnippetLoading: \(message).\n".utf8))
  }
}
