import SnippetLoading
import SnippetStorage

extension BrowseList {
  /// Says that a view on screen shows something else.
  func viewDidChange() {
    // Its row may be another by an edit.
    if !isDisplaying { followFindings() }
    changeHandler?()
  }

  /// Shows in the views where a search found their rows, and sees to it that what is not known of
  /// that is read.
  func followFindings() {
    guard !isDisplaying else { return }
    isDisplaying = true
    defer { isDisplaying = false }
    var rows: [SnippetRow] = []
    for view in views.compactMap(\.self) {
      let row = findings == nil ? nil : source.row(in: view)
      view.marks = findings?.marks
      view.excerpt = row.flatMap { findings?.excerpt(of: $0) }
      if let row { rows.append(row) }
    }
    // Two signs tell that something was left out.
    let length = layout.height > 1 ? layout.textColumns * max(1, layout.height - 2) - 4 : 0
    guard let findings, findings.want(rows, length: length) else { return }
    workHandler? { [weak self] in
      try await findings.read { if self?.findings === findings { self?.followFindings() } }
    }
  }
}
