extension SnippetStore {
  /// The result of a check.
  public struct CheckReport: Sendable, Hashable {
    /// A problem that a check found.
    public struct Problem: Sendable, Hashable {
      /// What part of the store is concerned.
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
        /// Derivatives of blobs, which can be computed again.
        case derivatives
        /// The words in the search index; no snippet is lost with them.
        case search
      }

      /// What part of the store is concerned.
      public var area: Area
      /// A description of the problem, as a sentence without its full stop.
      public var description: String
      /// The affected snippets, as far as they are known.
      public var snippetIDs: [SnippetID]
      /// Whether it is only an orphan or a wrong count, which
      /// ``SnippetStore/collectGarbage(onProgress:)`` mends without loss.
      public var isGarbage: Bool
    }

    /// The problems, at most 100 of each kind.
    public var problems: [Problem]
    /// Harmless findings, as sentences without their full stops: tables of other programs in the
    /// file, and the number of snippets that other programs wrote and that have no digest yet.
    public var notes: [String]
    /// The number of checked snippets, including those in the trash.
    public var snippetCount: Int
    /// The number of snippets in the trash.
    public var trashCount: Int
    /// The number of derivatives.
    public var derivativeCount: Int
    /// The number of blobs that were read and compared with their hash.
    public var blobCount: Int
    /// The size of those blobs in bytes.
    public var blobByteCount: Int64

    /// Whether the check found no problem.
    public var isSound: Bool { problems.isEmpty }

    /// Whether collecting garbage mends every problem.
    public var isGarbageOnly: Bool { !isSound && problems.allSatisfy(\.isGarbage) }
  }

  /// The progress of work on the whole store.
  public struct Progress: Sendable, Hashable {
    /// The number of bytes done.
    public var completedByteCount: Int64
    /// The total number of bytes.
    public var totalByteCount: Int64
  }
}
