import Foundation
import SnippetBase

/// The most memory this process has held at a time.
enum PeakMemory {
  /// Forgets what was held before, where the system can (Linux).
  static func reset() {
    #if os(Linux)
    // Where it cannot, the peak is that of the whole run, which is more.
    try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
    #endif
  }

  /// The greatest resident size of this process so far, in bytes, or nil if the system won't say.
  static var byteCount: Int64? {
    highWaterMark ?? maximumResidentSize
  }

  /// What the kernel counts since this program was started (Linux).
  ///
  /// `getrusage` is not enough there: it keeps the peak of the process that started this one, from
  /// before the program was replaced.
  private static var highWaterMark: Int64? {
    #if os(Linux)
    guard let status = FileManager.default.contents(atPath: "/proc/self/status") else { return nil }
    return highWaterMark(inStatus: String(decoding: status, as: UTF8.self))
    #else
    return nil
    #endif
  }

  /// The peak that a process status file names, in bytes.
  static func highWaterMark(inStatus status: String) -> Int64? {
    let name = "VmHWM:"
    guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix(name) }) else {
      return nil
    }
    let words = line.dropFirst(name.count).split { $0 == " " || $0 == "\t" }
    guard words.count == 2, words[1] == "kB", let kilobytes = Int64(words[0]) else { return nil }
    let (bytes, overflows) = kilobytes.multipliedReportingOverflow(by: 1024)
    return overflows ? nil : bytes
  }

  /// What `getrusage` says: bytes on Apple platforms, kibibytes elsewhere.
  static var maximumResidentSize: Int64? {
    var usage = rusage()
    #if canImport(Glibc)
    let result = getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
    #else
    let result = getrusage(RUSAGE_SELF, &usage)
    #endif
    guard result == 0 else { return nil }
    #if canImport(Darwin)
    return Int64(usage.ru_maxrss)
    #else
    return Int64(usage.ru_maxrss) * 1024
    #endif
  }
}
