import GRDB
import GRDBSQLite

extension Database {
  /// Has SQLite ask again and again whether it shall go on with what `body` has it do.
  ///
  /// Unlike an interruption, which ends only what has begun, this cannot come too early.
  ///
  /// - Parameters:
  ///   - check: Throws when it shall not.
  ///   - body: Has SQLite do something that takes long.
  /// - Returns: What `body` returns.
  /// - Throws: What `check` throws, else what `body` throws.
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

  /// What SQLite asks, on the thread that has it do something.
  private final class Question {
    /// After how many instructions of SQLite it is asked: a row that is copied takes four or so.
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
