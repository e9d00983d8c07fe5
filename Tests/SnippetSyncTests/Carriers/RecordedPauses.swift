import Foundation
import SnippetBase
import SnippetSync

/// A clock that stands still, and pauses that are noted instead of waited for.
final class RecordedPauses: Sendable {
  private let pauses = Lock<[Duration]>([])

  /// The pauses so far.
  var lengths: [Duration] { pauses.withLock(\.self) }

  /// Returns the timing for a carrier, at a time of the clock.
  func timing(at date: Date = Date(timeIntervalSince1970: 1_764_000_000)) -> BucketTiming {
    BucketTiming(
      now: { date },
      pause: { [pauses] length in pauses.withLock { $0.append(length) } },
      jitter: { 0.5 }
    )
  }
}
