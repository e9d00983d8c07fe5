import Foundation
import SnippetBase

/// Where misuse is written unless the app wants it elsewhere: to standard error, in release builds
/// too.
enum MisuseLog {
  private static let noted = Lock<Set<String>>([])

  /// Writes a message, each one once.
  static func note(_ message: String) {
    guard noted.withLock({ $0.insert(message).inserted }) else { return }
    FileHandle.standardError.write(Data("SnippetLoading: \(message).\n".utf8))
  }
}
