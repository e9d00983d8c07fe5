/// One change of one snippet, as the database recorded it, by this process or any other.
public struct RecordedChange: Sendable, Hashable {
  /// What happened to the snippet.
  public enum Event: Sendable, Hashable {
    /// It was saved. The shell may have saved it straight into the trash.
    case inserted
    /// Its row, its text or its tags were changed.
    case updated
    /// It was moved to the trash.
    case movedToTrash
    /// It was brought back from the trash.
    case undeleted
    /// It was deleted for good.
    case deleted
    /// A tag was put on; ``updated`` follows.
    case tagAdded(String)
    /// A tag was taken off; ``updated`` or ``deleted`` stands beside it.
    case tagRemoved(String)
  }

  /// Its number among all changes of the store.
  public var number: ChangeNumber
  /// The snippet that was changed.
  public var snippetID: SnippetID
  /// What was done to it.
  public var event: Event
}

/// The number of a change: each change of a store has the number after the last.
///
/// It stays valid when the store is closed and opened again. It means nothing in another file.
public struct ChangeNumber: RawRepresentable, Hashable, Comparable, Codable, Sendable,
  CustomStringConvertible
{
  /// The number, as the database stores it in `change.number`.
  public var rawValue: Int64

  /// Wraps a number that came from a store.
  ///
  /// - Parameter rawValue: The number in `change.number`; 0 stands before the first.
  public init(rawValue: Int64) {
    self.rawValue = rawValue
  }

  /// The number in digits.
  public var description: String { String(rawValue) }

  /// Orders changes as they were made.
  public static func < (lhs: Self, rhs: Self) -> Bool { lhs.rawValue < rhs.rawValue }
}

/// Changes that follow each other.
public struct ChangeBatch: Sendable, Hashable {
  /// The changes, in the order in which they were made.
  public var changes: [RecordedChange]
  /// The change number to go on from.
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
