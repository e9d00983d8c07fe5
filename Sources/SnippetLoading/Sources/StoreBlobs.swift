internal import Foundation
public import SnippetStorage

/// The blobs, short texts and rows of a store.
package struct StoreBlobs: BlobSource {
  private let store: SnippetStore

  package init(_ store: SnippetStore) {
    self.store = store
  }

  /// Whether a recipe is the original, its beginning, or the row.
  package func offers(_ recipe: Recipe) -> Bool {
    recipe == .original || recipe == .beginning || recipe == .row
  }

  /// Reads a blob, a short text or a row of the store, into memory that the loaded blob takes over.
  ///
  /// A snippet is read as it is now, which may be a later revision than the key's.
  ///
  /// - Parameters:
  ///   - key: The original, its beginning, or the row. For a short text the first two are its
  ///     UTF-8; the row is content without bytes.
  ///   - context: Takes the bytes, and ends the load at the next MiB when no cell waits any more.
  /// - Throws: Errors of the context, unchanged; ``LoadError/Code/notFound`` when the blob or the
  ///   snippet is gone; ``LoadError/Code/recipeUnavailable`` for any other recipe; otherwise the
  ///   `SnippetStoreError`.
  package func read(_ key: LoadKey, into context: inout LoadContext) throws {
    guard offers(key.recipe) else { throw LoadError(missing: key.recipe) }
    let range = key.recipe == .beginning ? 0..<Int64(Recipe.beginningByteCount) : nil
    do {
      switch (key.content, range) {
      case (.blob, _) where key.recipe == .row: throw LoadError(missing: key.recipe)
      case (.blob(let id), nil):
        try context.append(store.blockingContent(of: id) { try context.check(byteCount: $0) })
      case (.blob(let id), let range?):
        try context.append(store.blockingContent(of: id, in: range))
      case (.snippet(let id, _), _) where key.recipe == .row:
        guard let row = try store.row(id) else { throw LoadError(.notFound) }
        try context.attach(row, byteCount: row.byteCountInMemory)
      case (.snippet(let id, _), let range):
        try context.append(store.blockingContent(of: id, in: range))
      }
    } catch let error as SnippetStoreError where error.code == .notFound {
      throw LoadError(.notFound)
    }
  }
}

extension Recipe {
  /// The first 64 KiB of a blob or a text, unchanged; all of it if it is shorter.
  ///
  /// A source that offers it spares a ``TextProcessor`` from reading all of a long text.
  public static let beginning = Recipe("beginning \(beginningByteCount)")

  /// The number of bytes in a ``beginning``, at most.
  static let beginningByteCount = 65_536

  /// The row of a snippet: a `SnippetRow` as content.
  ///
  /// A result that a processor computes from it, such as a chart of the numbers in the title, is
  /// computed again for each revision of the snippet.
  public static let row = Recipe("row")
}

extension SnippetRow {
  /// The approximate memory that a row takes.
  fileprivate var byteCountInMemory: Int {
    MemoryLayout<SnippetRow>.stride + title.utf8.count + preview.utf8.count
      + tags.reduce(0) { $0 + $1.utf8.count + MemoryLayout<String>.stride }
  }
}
