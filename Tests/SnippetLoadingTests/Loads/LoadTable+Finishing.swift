import Foundation
@testable import SnippetLoading
import SnippetStorage
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
    func blob(byteCount: Int) -> LoadedBlob {
      LoadedBlob(key: running[id] ?? LoadKey(blob: 0), bytes: Data(), byteCount: byteCount)
    }
    let result: Result<LoadedBlob, LoadError> =
      switch end {
      case .kept: .success(blob(byteCount: 0))
      case .notKept: .success(blob(byteCount: .max))
      case .failed(let error): .failure(error)
      }
    let conclusion = finish(id, result, at: LoadMoment(now: .now, chance: 0))
    return RunResult(
      isWanted: conclusion.isWanted,
      tokens: conclusion.deliveries.flatMap(\.tokens),
      starts: conclusion.starts
    )
  }
}
