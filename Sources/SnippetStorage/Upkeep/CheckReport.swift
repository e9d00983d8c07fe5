/// The findings of a check.
public struct CheckReport: Sendable, Hashable {
  /// A problem that a check found.
  public struct Problem: Sendable, Hashable {
    /// A part of the store.
    public enum Area: String, Sendable {
      /// The structure of the file.
      case structure
      /// The tables, indexes, triggers and views.
      case schema
      /// A reference from one row to another.
      case references
      /// The row of a snippet, or a short text.
      case rows
      /// The bytes of a blob.
      case blobs
      /// Derivatives, which are computed again when they are needed.
      case derivatives
      /// The words in the search index; no snippet is lost with them.
      case search
    }

    /// The affected part of the store.
    public var area: Area
    /// The problem, as a sentence without its full stop.
    public var description: String
    /// The affected snippets, as far as they are known.
    public var snippetIDs: [SnippetID]
    /// Whether it is only an orphan or a wrong count, which
    /// ``SnippetStore/collectGarbage(onProgress:)`` repairs without loss.
    public var isGarbage: Bool
  }

  /// The problems, at most 100 of each kind.
  public var problems: [Problem]
  /// Facts that are not problems, as sentences without their full stops: the tables of other
  /// programs in the file, and the number of snippets that other programs wrote and that have no
  /// digest yet.
  public var notes: [String]
  /// The number of snippets that were checked, including those in the trash.
  public var snippetCount: Int
  /// The number of them that are in the trash.
  public var trashCount: Int
  /// The number of derivatives.
  public var derivativeCount: Int
  /// The number of blobs that were read and compared with their hash.
  public var blobCount: Int
  /// The size of those blobs in bytes.
  public var blobByteCount: Int64

  /// Whether the check found no problem.
  public var isSound: Bool { problems.isEmpty }

  /// Whether collecting garbage repairs every problem.
  public var isGarbageOnly: Bool { !isSound && problems.allSatisfy(\.isGarbage) }
}
