import Foundation
import Synchronization

/// The table, a line at a time, and on standard error the work in progress.
package final class Table: Sendable {
  /// Whether a line is one of JSON.
  package let isJSON: Bool
  private let tolerance: Double?
  private let start = ContinuousClock.now
  private let unmet = Mutex<Set<String>>([])

  /// Starts the table, and prints its header if people read it.
  ///
  /// - Parameters:
  ///   - json: Whether a line is one of JSON.
  ///   - tolerance: How many times as much a ratio may be as its goal says. Lines whose goal depends
  ///     on the speed of the machine are then left out. By default, none is, and goals are as they
  ///     are.
  package init(json: Bool = false, tolerance: Double? = nil) {
    isJSON = json
    self.tolerance = tolerance
    if !json { tell(TableRow.header) }
  }

  /// The lines so far that have missed their goal, each by what it compares.
  package var unmetLines: Set<String> { unmet.withLock(\.self) }

  /// Prints a line as soon as it is measured, also into a pipe.
  package func add(_ row: TableRow) throws {
    guard let row = tolerance.map({ row.loosened(by: $0) }) ?? row else { return }
    if row.isMet == false { _ = unmet.withLock { $0.insert(row.comparison) } }
    tell(isJSON ? try row.json : row.line)
  }

  /// Prints a line that is not one of the table.
  package func tell(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
  }

  /// Says on standard error which work begins.
  package func begin(_ work: String) {
    let seconds = (ContinuousClock.now - start).components.seconds
    let time = String(format: "%2d:%02d", Int(seconds / 60), Int(seconds % 60))
    FileHandle.standardError.write(Data("[\(time)] \(work)\n".utf8))
  }
}
