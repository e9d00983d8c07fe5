import Foundation
@testable import SnippetLoading
import SnippetStorage
import SnippetTestSupport
import SnippetTesting

/// How a run ends, without what the table passes through.
enum RunEnd: Sendable {
  case kept
  case notKept
  case failed(LoadError)
}

/// What came of a run, in short.
struct RunResult: Equatable {
  var isWanted: Bool
  var tokens: [BindingToken] = []
  var starts: [LoadStart] = []
}

extension LoadTable {
  /// Ends a run at a time that does not matter.
  mutating func finish(_ id: LoadID, _ end: RunEnd) -> RunResult {
    let conclusion = conclude(id, end)
    return RunResult(
      isWanted: conclusion.isWanted,
      tokens: conclusion.deliveries.flatMap(\.tokens),
      starts: conclusion.starts
    )
  }

  /// Ends a run.
  mutating func conclude(
    _ id: LoadID,
    _ end: RunEnd,
    at now: ContinuousClock.Instant = .now
  ) -> LoadConclusion {
    let blob = LoadedBlob(key: running[id] ?? LoadKey(blob: 0), bytes: Data())
    let reading: LoadReading =
      switch end {
      case .kept: .loaded(blob, isKept: true)
      case .notKept: .loaded(blob, isKept: false)
      case .failed(let error): .failed(error)
      }
    return finish(id, reading, at: LoadMoment(now: now, chance: 0))
  }
}
