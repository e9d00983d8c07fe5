import SnippetLoading
import SnippetStorage

extension BrowseList {
  /// Says that a view on screen shows something else.
  func viewDidChange() {
    // Its row may be another by an edit.
    if !isDisplaying { followFindings() }
    changeHandler?()
  }

  /// Shows in the views whether their rows are marked and where a search found them, and sees to it
  /// that what is not known of that is read.
  func followFindings() {
    guard !isDisplaying else { return }
    isDisplaying = true
    defer { isDisplaying = false }
    var rows: [SnippetRow] = []
    for view in views.compactMap(\.self) {
      let row = source.row(in: view)
      view.isMarked = row.map { marks.contains($0.id) } ?? false
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
