import SnippetStorage

/// Drafts that are made one by one, as they are taken.
struct GeneratedDrafts: Sequence, IteratorProtocol, Sendable {
  private let count: Int
  private let make: @Sendable (Int) -> SnippetDraft
  private var index = 0

  init(_ count: Int, make: @escaping @Sendable (Int) -> SnippetDraft) {
    (self.count, self.make) = (count, make)
  }

  mutating func next() -> SnippetDraft? {
    guard index < count else { return nil }
    defer { index += 1 }
    return make(index)
  }
}
