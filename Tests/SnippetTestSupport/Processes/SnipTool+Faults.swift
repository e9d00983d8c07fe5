#if os(Linux)

package import Foundation
import SnippetBase

/// What a run of `snip` under a plan came to.
package struct FaultedRun: Sendable {
  package var output: SnipOutput
  /// Whether it ended by itself, or by the plan, before the deadline.
  package var isInTime: Bool
  /// Whether the plan struck.
  package var isStruck: Bool
  /// The calls that it made, in order; only known of a run without a plan.
  package var calls: [FaultPlan.Call]

  package init(
    _ output: SnipOutput,
    isInTime: Bool = true,
    isStruck: Bool = true,
    calls: [FaultPlan.Call] = []
  ) {
    self.output = output
    self.isInTime = isInTime
    self.isStruck = isStruck
    self.calls = calls
  }
}

extension SnipTool {
  /// Runs `snip` while its calls on files of ``folder`` meet a fault.
  ///
  /// Without a plan they are only counted. What has not ended at the deadline is killed.
  package func run(
    _ arguments: [String],
    input: Data = Data(),
    under plan: FaultPlan?,
    deadline: Duration = .seconds(10)
  ) async throws -> FaultedRun {
    // Beside the folder, so that it is none of its files.
    let log = folder.appendingPathExtension("log")
    let tool = with([
      "LD_PRELOAD": try await FaultLibrary.file().path,
      "SNIPPET_FAULT_FOLDER": folder.path,
      "SNIPPET_FAULT_LOG": log.path,
      "SNIPPET_FAULT_PLAN": plan?.description ?? "",
    ])
    let process = try tool.start(arguments, input: input)
    let isLate = Lock(false)
    let watch = Task {
      try await Task.sleep(for: deadline)
      isLate.withLock { $0 = true }
      process.send(SIGKILL)
    }
    let output = try await process.output()
    watch.cancel()

    let lines = (try? String(contentsOf: log, encoding: .utf8))?.split(separator: "\n") ?? []
    try? FileManager.default.removeItem(at: log)
    return FaultedRun(
      output,
      isInTime: !isLate.withLock { $0 },
      isStruck: lines.contains { $0.hasPrefix("fired ") },
      calls: lines.compactMap { line in
        let words = line.split(separator: " ", maxSplits: 2)
        return words[0] == "call" ? FaultPlan.Call(rawValue: String(words[1])) : nil
      }
    )
  }
}

#endif
