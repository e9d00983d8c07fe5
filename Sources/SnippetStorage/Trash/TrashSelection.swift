package import Foundation
package import GRDB

/// The snippets in the trash that go when it is emptied.
///
/// By age, those stay that were moved there before any store was made: the clock stood in the past,
/// and says nothing of how long ago that was. The rule looks at that date alone, so that no edit and
/// no other device changes it.
package struct TrashSelection: Sendable {
  /// The condition in SQL, of a row of `snippet`.
  package static let condition =
    "deleted_at IS NOT NULL AND deleted_at >= ? AND deleted_at < ?"

  /// The start of 2020, which no clock that is right shows; in milliseconds since 1970.
  private static let firstMoment: Int64 = 1_577_836_800_000

  /// The values of the condition.
  package let values: [DatabaseValue]

  /// Chooses what was moved to the trash before a date; all if that is `nil`.
  package init(before date: Date?) {
    let first = date == nil ? Int64.min : Self.firstMoment
    values = [first.databaseValue, (date?.milliseconds ?? .max).databaseValue]
  }
}
