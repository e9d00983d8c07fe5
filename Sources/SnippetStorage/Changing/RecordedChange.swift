/// A change of one snippet, as the database recorded it, by this process or any other.
public struct RecordedChange: Sendable, Hashable {
  /// The kind of a change.
  public enum Event: Sendable, Hashable {
    /// The snippet was saved.
    ///
    /// The shell may have saved it straight into the trash.
    case inserted
    /// Its row, its text or its tags changed.
    case updated
    /// It was moved to the trash.
    case movedToTrash
    /// It was brought back from the trash.
    case undeleted
    /// It was deleted for good.
    case deleted
    /// A tag was added; ``updated`` follows.
    case tagAdded(String)
    /// A tag was removed; ``updated`` or ``deleted`` comes with it.
    case tagRemoved(String)
  }

  /// The number of the change among all changes of the store.
  public var number: ChangeNumber
  /// The snippet that changed.
  public var snippetID: SnippetID
  /// The kind of change.
  public var event: Event
}

/// The number of a change.
///
/// Each change of a store gets the next number.
///
/// It stays valid after the store is closed and opened again. It has no meaning in another file.
public struct ChangeNumber: RawRepresentable, Hashable, Comparable, Codable, Sendable,
  CustomStringConvertible
{
  /// The number, as the database stores it in `change.number`.
  public var rawValue: Int64

  /// Wraps a number from a store.
  ///
  /// - Parameter rawValue: The number in `change.number`; 0 stands before the first.
  public init(rawValue: Int64) {
    self.rawValue = rawValue
  }

  /// The number in digits.
  public var description: String { String(rawValue) }

  /// Orders changes by the time they were made.
  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// Consecutive changes of a store.
public struct ChangeBatch: Sendable, Hashable {
  /// The changes, in the order in which they were made.
  public var changes: [RecordedChange]
  /// The number after which to continue.
  public var next: ChangeNumber
  /// Whether changes were missed, because the record no longer holds them or a backup was restored.
  ///
  /// Then ``changes`` is empty. Read everything again and continue from ``next``.
  public var hasFallenBehind: Bool
}

extension RecordedChange {
  init(_ record: ChangeRecord) {
    number = ChangeNumber(rawValue: record.number)
    snippetID = SnippetID(rawValue: record.snippet)
    event =
      switch record.event {
      case .inserted: .inserted
      case .updated where record.isInTrash != (record.former?.deletedAt != nil):
        record.isInTrash ? .movedToTrash : .undeleted
      case .updated: .updated
      case .deleted: .deleted
      case .tagPutOn: .tagAdded(record.tag ?? "")
      case .tagTakenOff: .tagRemoved(record.tag ?? "")
      }
  }
}
