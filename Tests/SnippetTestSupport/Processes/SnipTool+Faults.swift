#if os(Linux)

package import Foundation
import SnippetBase

/// The outcome of a run of `snip` under a plan.
package struct FaultedRun: Sendable {
  /// A call on a file.
  package struct Call: Sendable {
    package var family: FaultPlan.Call
    package var path: String
  }

  package var output: SnipOutput
  /// Whether it ended by itself, or by the plan, before the deadline.
  package var isInTime: Bool
  /// Whether the plan struck.
  package var isStruck: Bool
  /// The calls that it made, in order; only known for a run without a plan.
  package var calls: [Call]

  package init(
    _ output: SnipOutput,
    isInTime: Bool = true,
    isStruck: Bool = true,
    calls: [Call] = []
  ) {
    self.output = output
    self.isInTime = isInTime
    self.isStruck = isStruck
    self.calls = calls
  }

  /// The number of calls that a plan counts, whatever its own number.
  package func count(for plan: FaultPlan) -> Int {
    calls.count { call in
      plan.isAbout(call.family, of: call.path)
        && (plan.action != .short || call.family == .read || call.family == .write)
    }
  }
}

extension SnipTool {
  /// Runs `snip` while its calls on files of ``folder`` meet a fault.
  ///
  /// Without a plan they are only counted. A run that has not ended after two minutes is killed.
  package func run(
    _ arguments: [String],
    input: Data = Data(),
    under plan: FaultPlan?
  ) async throws -> FaultedRun {
    // Beside the folder, so that it is not one of its files.
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
      try await Task.sleep(for: .seconds(120))
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
        guard words[0] == "call", words.count == 3,
          let family = FaultPlan.Call(rawValue: String(words[1]))
        else { return nil }
        return FaultedRun.Call(family: family, path: String(words[2]))
      }
    )
  }
}

#endif
