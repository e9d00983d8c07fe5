import SnippetStorage

extension SnippetStore {
  /// Saves one draft and blocks meanwhile.
  @discardableResult
  func saveHere(_ draft: SnippetDraft) throws -> SnippetRow {
    var saved: SnippetRow?
    try blockingSave(contentsOf: [draft]) { event in
      if case .saved(_, let id, _) = event { saved = try? row(id) }
    }
    guard let saved else { throw RawError(message: "not saved") }
    return saved
  }
}
