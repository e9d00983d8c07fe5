import SnippetLoading
import SnippetStorage

/// What ours shows in a cell of the trial.
@MainActor
final class TrialPresenter<View: TrialCell>: CellPresenter {
  func update(_ field: SnippetField, of row: SnippetRow, in view: View) {
    switch (field, row.kind) {
    case (.title, .image): view.title = row.title
    case (.preview, .text): view.title = row.preview
    default: break
    }
  }

  func show(_ state: LoadState<LoadedBlob>, of recipe: Recipe, in view: View) {
    view.content =
      switch state {
      case .idle: .nothing
      case .loading(let progress): .placeholder(failedCount: progress.failedAttemptCount)
      case .loaded(let blob): TrialPicture(blob.bytes).map { .picture($0) } ?? .failure
      case .failed: .failure
      }
  }

  func prepareForReuse(_ view: View) {
    view.title = nil
    view.content = .nothing
  }
}
