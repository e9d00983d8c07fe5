import Foundation
import SnippetBase
import SnippetRecognition
import SnippetStorage

/// The date that an import gives a picture or a recording without a side file.
struct FileDates {
  /// The date.
  let date: Date
  /// The greatest distance of a date that the clock of the disk makes the same.
  private let tolerance: TimeInterval

  /// Collects what a file tells; `nil` if that is nothing.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - nanoseconds: The date of its last change.
  ///   - told: What another file tells of it.
  ///   - embedded: The dates within its bytes.
  ///   - now: The present.
  init?(
    of path: String,
    changedAt nanoseconds: Int64,
    _ told: ToldFacts?,
    _ embedded: DateEvidence,
    now: Date
  ) {
    let stamp = FileStamp(modifiedNanoseconds: nanoseconds, byteCount: 0)
    var evidence = embedded
    if let told {
      evidence.add(.draft, told.created.map { Date(milliseconds: $0) })
      evidence.add(.libraryTaken, told.taken.map { Date(milliseconds: $0) })
      evidence.add(.libraryAdded, told.added.map { Date(milliseconds: $0) })
    }
    let modifiedAt = stamp.modifiedAt
    evidence.add(fileNamed: path.fileName, isText: false, modifiedAt: modifiedAt, now: now)
    guard let date = evidence.best else { return nil }
    self.date = date
    tolerance = stamp.isCoarse ? FileStamp.coarsestGrain : FileStamp.finestGrain
  }

  /// Whether a snippet with a date has it from the file.
  func tell(_ date: Date) -> Bool { abs(self.date.timeIntervalSince(date)) < tolerance }
}
