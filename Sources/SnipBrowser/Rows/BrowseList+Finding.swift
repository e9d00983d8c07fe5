import SnippetLoading
import SnippetStorage

extension BrowseList {
  /// Notes that a view on screen shows something else.
  func viewDidChange() {
    // An edit may have changed its row.
    if !isDisplaying { followFindings() }
    changeHandler?()
  }

  /// Shows in the views whether their rows are marked and where a search found them, and has texts
  /// read that this still needs.
  func followFindings() {
    guard !isDisplaying else { return }
    isDisplaying = true
    defer { isDisplaying = false }
    var rows: [SnippetRow] = []
    for view in views.compactMap(\.self) {
      let row = source.row(in: view)
      view.isMarked = row.map { marks.contains($0.id) } ?? false
      view.dateKey = dateKey
      view.marks = findings?.marks
      view.excerpt = row.flatMap { findings?.excerpt(of: $0) }
      if let row { rows.append(row) }
    }
    guard let findings, findings.want(rows, length: layout.textLength) else { return }
    workHandler? { [weak self] in
      try await findings.read { if self?.findings === findings { self?.followFindings() } }
    }
  }
}
