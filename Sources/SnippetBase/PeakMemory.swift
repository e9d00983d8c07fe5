import Foundation

/// The largest amount of memory that this process has used.
package enum PeakMemory {
  /// Resets the peak, where the system supports it (Linux).
  package static func reset() {
    // Elsewhere the peak is that of the whole run, which is larger.
    try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
  }

  /// The largest resident size of this process so far in bytes; `nil` if the system does not tell.
  package static var byteCount: Int64? {
    // On Linux, `getrusage` includes the peak of the parent process.
    status(of: "VmHWM") ?? maximumResidentSize
  }

  /// The result of `getrusage`, which is in bytes on Apple platforms and in kibibytes elsewhere.
  package static var maximumResidentSize: Int64? {
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

  /// Reads a value from the status file, which exists only on Linux.
  private static func status(of name: String) -> Int64? {
    let status = FileManager.default.contents(atPath: "/proc/self/status")
    return status.flatMap { byteCount(of: name, inStatus: String(decoding: $0, as: UTF8.self)) }
  }

  /// Returns a size in a process status file, in bytes.
  package static func byteCount(of name: String, inStatus status: String) -> Int64? {
    guard let line = status.split(separator: "\n").first(where: { $0.hasPrefix("\(name):") }) else {
      return nil
    }
    let words = line.dropFirst(name.count + 1).split { $0 == " " || $0 == "\t" }
    guard words.count == 2, words[1] == "kB", let kilobytes = Int64(words[0]) else { return nil }
    let (bytes, overflows) = kilobytes.multipliedReportingOverflow(by: 1024)
    return overflows ? nil : bytes
  }
}
