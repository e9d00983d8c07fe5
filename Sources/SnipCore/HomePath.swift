import Foundation

/// Paths that begin in the home folder of the user.
package enum HomePath {
  /// Puts HOME in the place of a tilde at the beginning, which a shell has left or a user has typed
  /// elsewhere.
  ///
  /// Foundation would put the home of the account there, whatever HOME says.
  ///
  /// - Parameters:
  ///   - path: The path.
  ///   - environment: The environment variables. The default is that of this process.
  /// - Returns: The path; unchanged if it does not begin so, or there is no HOME.
  package static func expanded(
    _ path: String,
    _ environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> String {
    guard path == "~" || path.hasPrefix("~/"), let home = environment["HOME"], !home.isEmpty else {
      return path
    }
    return home + path.dropFirst()
  }
}
