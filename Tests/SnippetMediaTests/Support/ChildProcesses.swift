import Foundation

/// The processes that this one has started and not waited for.
enum ChildProcesses {
  static func numbers() throws -> [String] {
    #if os(Linux)
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")
      .flatMap { thread in
        // A thread may have ended meanwhile.
        (try? String(contentsOfFile: "/proc/self/task/\(thread)/children", encoding: .utf8))?
          .split(separator: " ").map(String.init) ?? []
      }
    #else
    []
    #endif
  }

  /// What the system says of each thread of a process, by name.
  static func threads(of process: String) throws -> [[String: String]] {
    let folder = "/proc/\(process)/task"
    return try FileManager.default.contentsOfDirectory(atPath: folder).map { thread in
      let text = try String(contentsOfFile: "\(folder)/\(thread)/status", encoding: .utf8)
      let facts = text.split(separator: "\n").map { $0.split(separator: ":", maxSplits: 1) }
      return Dictionary(
        facts.map { fact in
          (String(fact[0]), fact.last?.trimmingCharacters(in: .whitespaces) ?? "")
        },
        uniquingKeysWith: { first, _ in first }
      )
    }
  }
}
