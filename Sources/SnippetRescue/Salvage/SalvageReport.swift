public import SnippetStorage

/// The result of a salvage: the snippets copied from a damaged store, and the losses.
public struct SalvageReport: Sendable, Hashable {
  /// A snippet that was lost or damaged.
  public struct Loss: Sendable, Hashable {
    /// The id in the damaged store; `nil` if it is unknown.
    public var snippetID: SnippetID?
    /// The title, if it could be read.
    public var title: String?
    /// The loss or damage, as a sentence without its full stop.
    public var description: String
  }

  /// The number of copied snippets, including damaged ones.
  public var snippetCount = 0
  /// The copied snippets with a wrong or missing part.
  public var damaged: [Loss] = []
  /// The snippets that could not be copied.
  public var lost: [Loss] = []
  /// Ranges of ids whose rows are unreadable; snippets that existed there are lost too, in addition
  /// to ``lost``.
  public var unreadableIDs: [ClosedRange<SnippetID>] = []
  /// The number of bytes in the file that the medium could not read.
  public var unreadableByteCount: Int64 = 0

  /// Whether everything was copied as it was saved, as far as that can be known.
  public var isComplete: Bool {
    damaged.isEmpty && lost.isEmpty && unreadableIDs.isEmpty && unreadableByteCount == 0
  }
}
