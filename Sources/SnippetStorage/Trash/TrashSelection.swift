package import Foundation
package import GRDB

/// The snippets in the trash that go when it is emptied.
///
/// By age, those stay whose last change came more than a day after their move to the trash: the
/// clock stood in the past when they were moved, and says nothing of how long ago that was. A change
/// that is still to come is the date of a file, and no evidence. The day is for the clocks of
/// devices that synchronize.
package struct TrashSelection: Sendable {
  /// The condition in SQL, of a row of `snippet`.
  package static let condition = """
    deleted_at IS NOT NULL AND deleted_at < ?
      AND modified_at NOT BETWEEN deleted_at + 86400000 AND ?
    """

  /// The values of the condition.
  package let values: [DatabaseValue]

  /// Chooses what was moved to the trash before a date; all if that is `nil`.
  package init(before date: Date?, at now: Date) {
    let moments = date.map { ($0.milliseconds, now.milliseconds) } ?? (Int64.max, Int64.min)
    values = [moments.0.databaseValue, moments.1.databaseValue]
  }
}
