import SnipCore
import SnippetLoading
import SnippetStorage
import TerminalKit

/// Keeps one place on the screen up to date with its snippet.
final class RowPresenter<View: RowView>: CellPresenter {
  func connect(_ view: View, to sender: EditSender) {
    view.retryHandler = { sender.retry() }
  }

  func update(_ field: SnippetField, of row: SnippetRow, in view: View) {
    view.number = "\(row.id)"
    view.revision = row.revision
    switch field {
    case .title: view.title = safe(row.title)
    case .preview: view.text = safe(String(row.previewWithoutFrontMatter))
    case .createdAt, .modifiedAt, .deletedAt: view.dates = RowDates(row)
    case .isPinned: view.isPinned = row.isPinned
    case .tags: view.tags = row.tags.map { "#" + safe($0) }.joined(separator: " ")
    case .byteCount: view.byteCount = ByteCountText(row.byteCount).description
    case .mediaType:
      view.format = ContentType(mediaType: row.mediaType)?.name ?? safe(row.mediaType)
    case .facts: (view.facts, view.flaw) = (row.factsText, row.flawText)
    case .kind, .blob: break
    }
  }

  func show(_ state: LoadState<LoadedBlob>, of recipe: Recipe, in view: View) {
    view.state = state
  }

  func prepareForReuse(_ view: View) {
    // Only the blob goes; the next snippet replaces everything else.
    view.state = .idle
  }

  private func safe(_ text: String) -> String {
    TerminalText(text, lines: .folded).description
  }
}
