public import SnippetStorage

/// What a salvage copied out of a damaged store, and what it could not.
public struct SalvageReport: Sendable, Hashable {
  /// A snippet that is not what it was.
  public struct Loss: Sendable, Hashable {
    /// Its id in the damaged store; `nil` where nobody can tell.
    public var snippetID: SnippetID?
    /// Its title, where that could be read.
    public var title: String?
    /// What happened to it, as a sentence without its full stop.
    public var description: String
  }

  /// How many snippets were copied, the damaged ones included.
  public var snippetCount = 0
  /// What was copied although a part of it is wrong or missing.
  public var damaged: [Loss] = []
  /// What could not be copied.
  public var lost: [Loss] = []
  /// Ids whose rows nobody can read: as many of them as there were are lost too, besides ``lost``.
  public var unreadableIDs: [ClosedRange<SnippetID>] = []
  /// How many bytes of the file the medium did not give.
  public var unreadableByteCount: Int64 = 0

  /// Whether everything was copied as it was saved, as far as anybody can tell.
  public var isComplete: Bool {
    damaged.isEmpty && lost.isEmpty && unreadableIDs.isEmpty && unreadableByteCount == 0
  }
}
