import Foundation

/// The table, a line at a time, and on standard error what is being measured meanwhile.
struct Table: Sendable {
  /// Whether a line is one of JSON.
  let json: Bool
  private let start = ContinuousClock.now

  /// Starts the table, and prints its header if people read it.
  init(json: Bool) {
    self.json = json
    if !json { tell(TableRow.header) }
  }

  /// Prints a line as soon as it is measured, also into a pipe.
  func add(_ row: TableRow) throws {
    tell(json ? try row.json : row.line)
  }

  /// Prints a line that is not one of the table.
  func tell(_ line: String) {
    FileHandle.standardOutput.write(Data("\(line)\n".utf8))
  }

  /// Says on standard error what is being done, and when it began.
  func begin(_ work: String) {
    let seconds = (ContinuousClock.now - start).components.seconds
    let time = String(format: "%2d:%02d", Int(seconds / 60), Int(seconds % 60))
    FileHandle.standardError.write(Data("[\(time)] \(work)\n".utf8))
  }
}
