import Foundation
import GRDB

/// Writes much in short transactions, so that other writers do not wait for long.
///
/// A step works until its time is up. That time depends on how long the previous steps held the
/// write lock, including their commits. Steps are separated by a pause, because a writer waiting
/// for SQLite's lock only looks at it now and then.
///
/// On a full disk the steps are as small as possible, and the log, which needs room too, is copied
/// into the file after each.
struct WriteSteps {
  let connections: Connections
  let operation: String
  /// Throws if the result is no longer needed.
  let check: () throws -> Void
  /// The longest time for which a step held the write lock.
  private(set) var longest = Duration.zero
  private var workTime = Duration.milliseconds(2)

  /// The target time for one step.
  ///
  /// It is far below the limit for other writers, because disks vary.
  private static let wantedTime = Duration.milliseconds(15)
  private static let workTimes = Duration.microseconds(200)...Duration.milliseconds(8)
  /// The pause in seconds.
  private static let pause = 0.01

  init(connections: Connections, operation: String, check: @escaping () throws -> Void) {
    self.connections = connections
    self.operation = operation
    self.check = check
  }

  /// Takes steps, with pauses between them, until one reports that all is done.
  mutating func run(_ step: (_ db: Database, _ isOver: () -> Bool) throws -> Bool) throws {
    while try !take(step) { letOthersWrite() }
  }

  /// Takes one step, and returns whether all is done.
  ///
  /// `step` does a part of the work, and should end soon after its closure says that the time is
  /// up. The closure never says so at the first call, so each step gets something done. If `check`
  /// or `step` throws, the previous steps stay done.
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
        foldingLogOf: isShort ? 0 : Checkpointer.dueByteCount,
        keeping: isShort ? .inMemory : .inFile,
        body
      )
      return (isDone, time)
    } catch {
      // This step changed nothing.
      throw error.keeping("The finished part stays done.", during: operation)
    }
  }

  /// Leaves the write lock to others for a moment.
  func letOthersWrite() {
    if !connections.isInMemory { Thread.sleep(forTimeInterval: Self.pause) }
  }
}
