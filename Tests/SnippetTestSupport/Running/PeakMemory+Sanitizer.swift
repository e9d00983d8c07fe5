import Foundation

/// How much memory this process has used at most.
package enum PeakMemory {
  /// Whether it says something of the code: the Thread Sanitizer takes several times as much itself.
  package static var isMeaningful: Bool { dlsym(dlopen(nil, RTLD_NOW), "__tsan_init") == nil }

  /// The most memory that was ever resident at once, in bytes.
  ///
  /// Only a process of its own, such as an exit test, tells something by it.
  package static var byteCount: Int {
    #if os(Linux)
    // `getrusage` goes on from the peak of the process that started this one.
    return status("VmHWM") ?? 0
    #else
    var usage = rusage()
    getrusage(RUSAGE_SELF, &usage)
    return Int(usage.ru_maxrss)
    #endif
  }

  /// How much of mapped files is resident now, in bytes; `nil` where the system does not tell.
  package static var mappedByteCount: Int? {
    status("RssFile")
  }

  private static func status(_ name: String) -> Int? {
    // There is no such file but on Linux.
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("\(name):") }
    return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Int($0) }
      .map { $0 * 1024 }
  }
}
