import Foundation

/// Which process something belongs to, in words that another process understands.
///
/// A number alone would be given again, at the latest after the machine was started anew; on Linux
/// the moment at which the process began stands beside it.
package enum ProcessMark {
  /// The mark of this process.
  package static let own = mark(of: getpid())

  /// Whether the process with a mark is running.
  package static func isRunning(_ mark: String) -> Bool {
    if mark == own { return true }
    guard let number = mark.split(separator: " ").first.flatMap({ pid_t($0) }), number > 0 else {
      return false
    }
    guard kill(number, 0) == 0 || errno == EPERM else { return false }
    return self.mark(of: number) == mark
  }

  private static func mark(of process: pid_t) -> String {
    #if os(Linux)
    // The name, which comes before, is in brackets and may hold anything.
    let path = "/proc/\(process)/stat"
    if let text = try? String(contentsOfFile: path, encoding: .utf8),
      let end = text.lastIndex(of: ")")
    {
      let fields = text[end...].split(separator: " ")
      if fields.count > 20 { return "\(process) \(fields[20])" }
    }
    #endif
    return "\(process)"
  }
}
