import GRDB
import GRDBSQLite

extension Database {
  /// Lets SQLite ask repeatedly whether to continue with the work of `body`; `check` throws to
  /// stop.
  ///
  /// Unlike an interruption, which only stops work that has begun, this cannot come too early.
  func asking<Result>(
    _ check: () throws -> Void,
    during body: () throws -> Result
  ) throws -> Result {
    try withoutActuallyEscaping(check) { check in
      let question = Question(check)
      sqlite3_progress_handler(
        sqliteConnection,
        Question.instructionCount,
        { context in
          guard let context else { return 0 }
          return Unmanaged<Question>.fromOpaque(context).takeUnretainedValue().isAnsweredByNo
            ? 1 : 0
        },
        Unmanaged.passUnretained(question).toOpaque()
      )
      defer {
        sqlite3_progress_handler(sqliteConnection, 0, nil, nil)
        withExtendedLifetime(question) {}
      }
      do {
        return try body()
      } catch {
        throw question.error ?? error
      }
    }
  }

  /// The question that SQLite asks, on the thread that does the work.
  private final class Question {
    /// The number of SQLite's instructions between two questions; copying a row takes about four.
    static let instructionCount: Int32 = 100

    private let check: () throws -> Void
    private(set) var error: (any Error)?

    init(_ check: @escaping () throws -> Void) {
      self.check = check
    }

    var isAnsweredByNo: Bool {
      do {
        try check()
        return false
      } catch {
        self.error = error
        return true
      }
    }
  }
}
