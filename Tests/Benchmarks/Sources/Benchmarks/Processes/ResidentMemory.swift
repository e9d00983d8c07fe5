import Foundation

/// The memory of this process that is in use, as Linux tells it; 0 elsewhere.
enum ResidentMemory {
  static var peak: Double { value("VmHWM:") }

  /// Begins the peak anew, and returns what is in use.
  static func restart() -> Double {
    try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
    return value("VmRSS:")
  }

  private static func value(_ name: String) -> Double {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix(name) }
    return (line?.split(whereSeparator: \.isWhitespace)[1]).flatMap { Double($0) }.map { $0 * 1024 }
      ?? 0
  }
}
