import Foundation
import GRDB

/// Writes much in transactions that are short, so that nobody else who writes waits for long.
///
/// A step works until it is told that its time is over. How much time it is given follows how long
/// the steps before it have held the write lock, their commits included. Between two steps there is
/// a pause: who waits for the lock of SQLite looks only now and then whether it is free.
///
/// On a full disk the steps are as small as can be, and the log, which needs room too, is folded
/// into the file after each.
struct WriteSteps {
  let connections: Connections
  let operation: String
  /// Throws when nobody waits for the result any more.
  let check: () throws -> Void
  /// The longest that a step has held the write lock.
  private(set) var longest = Duration.zero
  private var workTime = Duration.milliseconds(2)

  /// What a whole step shall take: well below what others may have to wait, since disks are uneven.
  private static let wantedTime = Duration.milliseconds(15)
  private static let workTimes = Duration.microseconds(200)...Duration.milliseconds(8)
  /// The pause in seconds.
  private static let pause = 0.01
  /// So long a log is folded into the file between two steps, which keeps others waiting as well.
  private static let logByteCount: Int64 = 5 << 20

  init(connections: Connections, operation: String, check: @escaping () throws -> Void) {
    self.connections = connections
    self.operation = operation
    self.check = check
  }

  /// Takes steps until one says that all is done.
  ///
  /// - Parameter step: As for ``take(_:)``.
  /// - Throws: What `check` and `step` throw; the steps before stay done.
  mutating func run(_ step: (_ db: Database, _ isOver: () -> Bool) throws -> Bool) throws {
    while try !take(step) { letOthersWrite() }
  }

  /// Takes one step.
  ///
  /// - Parameter step: Does a part of the work, and ends soon after the closure that it is given
  ///   says that its time is over, which is never before it was asked twice: so each step gets
  ///   something done. Returns whether all is done.
  /// - Returns: Whether all is done.
  /// - Throws: What `check` and `step` throw; the steps before stay done.
  mutating func take(
    _ step: (_ db: Database, _ isOver: () -> Bool) throws -> Bool
  ) throws -> Bool {
    try check()
    let isShort = connections.reserve?.isShort == true
    let workTime = isShort ? Self.workTimes.lowerBound : workTime
    let (isDone, time) = try write(isShort: isShort) { db in
      let end = ContinuousClock.now + workTime
      var isFirst = true
      return try step(db) {
        defer { isFirst = false }
        return !isFirst && ContinuousClock.now >= end
      }
    }
    longest = max(longest, time)
    let next = time > Self.wantedTime ? workTime * (Self.wantedTime / time) : workTime * 1.25
    self.workTime = min(max(next, Self.workTimes.lowerBound), Self.workTimes.upperBound)
    return isDone
  }

  private func write(
    isShort: Bool,
    _ body: (Database) throws -> Bool
  ) throws -> (isDone: Bool, time: Duration) {
    do throws(SnippetStoreError) {
      let (isDone, time) = try connections.timedWrite(
        to: operation,
        foldingLogOf: isShort ? 0 : Self.logByteCount,
        keeping: isShort ? .inMemory : .inFile,
        body
      )
      return (isDone, time)
    } catch {
      // Of the one step nothing was changed.
      throw error.keeping("What was done by then stays done.", during: operation)
    }
  }

  /// Leaves the write lock to others for a moment.
  func letOthersWrite() {
    if !connections.isInMemory { Thread.sleep(forTimeInterval: Self.pause) }
  }
}
