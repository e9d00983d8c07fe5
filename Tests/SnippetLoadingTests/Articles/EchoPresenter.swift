import SnippetLoading
import SnippetStorage

/// A view whose presenter sends an edit of its own.
@MainActor
final class EchoView {
  var sent: Task<Void, Never>?
}

/// Answers every look at the pin by setting it.
final class EchoPresenter: CellPresenter {
  private var sender: EditSender?

  func connect(_ view: EchoView, to sender: EditSender) {
    self.sender = sender
  }

  func update(_ field: SnippetField, of row: SnippetRow, in view: EchoView) {
    guard field == .isPinned else { return }
    view.sent = sender?.send(SnippetEdit(isPinned: true))
  }
}
