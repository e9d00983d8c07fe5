import Foundation

/// Identifies a process to other processes.
///
/// Process numbers are reused, at the latest after a restart of the machine. On Linux the mark
/// therefore includes the time at which the process began.
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
    // The name before it is in brackets and may contain anything.
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
