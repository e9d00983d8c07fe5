import SnippetLoading
import SnippetStorage

/// A view whose presenter sends an edit of its own.
@MainActor
final class EchoView {
  var sent: Task<Void, Never>?
}

/// Answers every look at the pin by setting it.
final class EchoPresenter: CellPresenter {
  private weak var view: EchoView?
  private let sender: CommandSender

  init(_ view: EchoView, sender: CommandSender) {
    self.view = view
    self.sender = sender
  }

  func update(_ field: SnippetField, of row: SnippetRow) {
    guard field == .isPinned else { return }
    view?.sent = sender.send(.edit(SnippetEdit(isPinned: true)))
  }

  func show(_ state: LoadState, of recipe: Recipe) {}
  func prepareForReuse() {}
}
