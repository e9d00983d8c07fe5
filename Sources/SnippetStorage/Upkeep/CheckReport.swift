/// What a check found.
public struct CheckReport: Sendable, Hashable {
  /// One thing that is wrong.
  public struct Problem: Sendable, Hashable {
    /// What part of the store is concerned.
    public enum Area: String, Sendable {
      /// The structure of the file.
      case structure
      /// The tables, indexes, triggers and views.
      case schema
      /// A reference from one row to another.
      case references
      /// What a row says of its snippet, or a short text.
      case rows
      /// The bytes of a blob.
      case blobs
      /// What was computed from blobs, and is computed again when it is wanted.
      case derivatives
      /// The words that a search finds snippets by; nothing is lost with them.
      case search
    }

    /// What part of the store is concerned.
    public var area: Area
    /// What is wrong, as a sentence without its full stop.
    public var description: String
    /// The snippets that are concerned, if any can be named.
    public var snippetIDs: [SnippetID]
    /// Whether it is only an orphan or a wrong count, which
    /// ``SnippetStore/collectGarbage(onProgress:)`` mends without loss.
    public var isGarbage: Bool
  }

  /// What is wrong, at most 100 of each kind.
  public var problems: [Problem]
  /// What is no problem and yet worth knowing, as sentences without their full stops: what other
  /// programs keep in the file beside the snippets, and how many snippets they have written that
  /// nothing is known to hold against yet.
  public var notes: [String]
  /// How many snippets were checked, including those in the trash.
  public var snippetCount: Int
  /// How many of them are in the trash.
  public var trashCount: Int
  /// How many derivatives there are.
  public var derivativeCount: Int
  /// How many blobs were read and compared with their hash.
  public var blobCount: Int
  /// The size of those blobs in bytes.
  public var blobByteCount: Int64

  /// Whether nothing is wrong.
  public var isSound: Bool { problems.isEmpty }

  /// Whether collecting garbage mends everything that is wrong.
  public var isGarbageOnly: Bool { !isSound && problems.allSatisfy(\.isGarbage) }
}
