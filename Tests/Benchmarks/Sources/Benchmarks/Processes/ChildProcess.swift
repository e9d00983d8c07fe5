import CoreBenchmarks
import Foundation

/// Another program, run to its end.
enum ChildProcess {
  /// The cost of a program from its start to its end.
  struct Cost {
    /// The most memory that it took, in bytes.
    let memory: Double
    /// The time for which processors worked, in the program and in the system.
    let processorTime: Duration

    fileprivate init(_ usage: rusage) {
      #if os(Linux)
      memory = Double(usage.ru_maxrss) * 1024
      #else
      memory = Double(usage.ru_maxrss)
      #endif
      processorTime = [usage.ru_utime, usage.ru_stime].reduce(.zero) { sum, time in
        sum + .seconds(time.tv_sec) + .microseconds(Int64(time.tv_usec))
      }
    }
  }

  /// Runs a program, of which nothing is shown, and returns its cost.
  @discardableResult
  static func run(_ program: String, _ arguments: [String]) throws -> Cost {
    let words = ([program] + arguments).map { strdup($0) }
    let environment = ProcessInfo.processInfo.environment.map { strdup("\($0.key)=\($0.value)") }
    defer { (words + environment).forEach { free($0) } }
    var process: pid_t = 0
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for output in [STDOUT_FILENO, STDERR_FILENO] {
      posix_spawn_file_actions_addopen(&actions, output, "/dev/null", O_WRONLY, 0)
    }
    guard posix_spawnp(&process, program, &actions, nil, words + [nil], environment + [nil]) == 0
    else {
      throw RawError(message: "\(program) not found")
    }
    var usage = rusage()
    var status: Int32 = 0
    guard wait4(process, &status, 0, &usage) == process, status == 0 else {
      throw RawError(message: "\(program) failed")
    }
    return Cost(usage)
  }

  /// The most memory that a program takes, in bytes.
  ///
  /// It is started by a process that is small itself: on Linux the count goes on from the peak of
  /// whoever started the program.
  ///
  /// - Parameters:
  ///   - program: The program.
  ///   - arguments: Its arguments.
  ///   - folder: A folder for what that process says.
  /// - Returns: The memory.
  /// - Throws: ``RawError`` when a program cannot be started or fails.
  static func memory(
    of program: String,
    _ arguments: [String],
    in folder: URL
  ) throws -> Double {
    let result = folder.appendingPathComponent("memory")
    try run(own.path, ["--memory-into", result.path, "--", program] + arguments)
    return Double(try String(contentsOf: result, encoding: .utf8)) ?? 0
  }

  /// This program.
  static var own: URL {
    Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
  }

  /// The command, which is built beside this program.
  static var snip: URL {
    get throws {
      let program = own.deletingLastPathComponent().appendingPathComponent("snip")
      guard FileManager.default.isExecutableFile(atPath: program.path) else {
        throw RawError(message: "there is no \(program.path)")
      }
      return program
    }
  }
}
