import Foundation

/// The most memory this process has held at a time.
package enum PeakMemory {
  /// Forgets what was held before, where the system can (Linux).
  package static func reset() {
    // Where it cannot, the peak is that of the whole run, which is more.
    try? Data("5".utf8).write(to: URL(fileURLWithPath: "/proc/self/clear_refs"))
  }

  /// The greatest resident size of this process so far, in bytes, or nil if the system won't say.
  package static var byteCount: Int64? {
    // `getrusage` keeps on Linux the peak of the process that started this one.
    status(of: "VmHWM") ?? maximumResidentSize
  }

  /// How much of mapped files is resident now, in bytes; `nil` where the system does not tell.
  package static var mappedByteCount: Int64? {
    status(of: "RssFile")
  }

  /// What `getrusage` says: bytes on Apple platforms, kibibytes elsewhere.
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

  /// There is no such file but on Linux.
  private static func status(of name: String) -> Int64? {
    let status = FileManager.default.contents(atPath: "/proc/self/status")
    return status.flatMap { byteCount(of: name, inStatus: String(decoding: $0, as: UTF8.self)) }
  }

  /// What a process status file says of a size, in bytes.
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
