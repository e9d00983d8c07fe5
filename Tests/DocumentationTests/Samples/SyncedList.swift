import SnippetLoading
import SnippetStorage
import SnippetSync

@MainActor final class SyncedList {
  private let screen: TerminalList
  private let syncing: Task<Void, Never>

  init(of store: SnippetStore, by sync: StoreSync) {
    screen = TerminalList(store: store, height: 20)
    screen.scroll(to: 0)
    syncing = Task {
      await sync.run { event in
        if case .failed(let error, _) = event { print(error) }
      }
    }
  }

  var picture: String { screen.picture }
  func close() { syncing.cancel() }
}
