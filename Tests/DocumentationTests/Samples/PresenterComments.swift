import Foundation
import SnippetLoading
import SnippetStorage

final class PhotoPresenter: CellPresenter {
  private weak var view: PhotoView?

  init(_ view: PhotoView, sender: CommandSender) {
    self.view = view
    view.onPin = { isPinned in sender.send(.edit(SnippetEdit(isPinned: isPinned))) }
  }

  func update(_ field: SnippetField, of row: SnippetRow) {
    switch field {
    case .title: view?.title = row.title
    case .isPinned: view?.isPinned = row.isPinned
    case .blob:
      view?.picture = nil  // it belongs to the former content
    case .kind, .preview, .createdAt, .modifiedAt, .tags, .byteCount, .mediaType, .facts,
      .deletedAt:
      break
    }
  }

  func show(_ state: LoadState, of recipe: Recipe) {
    if case .loaded(let blob) = state { view?.picture = blob }
  }

  func prepareForReuse() { view?.picture = nil }
}

/// What a photo is shown in, in any framework.
@MainActor final class PhotoView {
  var title = ""
  var isPinned = false
  var picture: LoadedBlob?
  var onPin: (Bool) -> Void = { _ in }
}

/// What a note or a recording is shown in.
@MainActor final class NoteView {
  var title = ""
  var isSelected = false
}

final class NotePresenter: CellPresenter {
  private weak var view: NoteView?

  init(_ view: NoteView, sender: CommandSender) { self.view = view }

  func update(_ field: SnippetField, of row: SnippetRow) {
    if field == .title { view?.title = row.title }
  }

  func show(_ state: LoadState, of recipe: Recipe) {}

  func prepareForReuse() { view?.title = "" }
}

typealias VoicePresenter = NotePresenter

/// Anything that lays out views.
@MainActor protocol Table: AnyObject {
  var message: String? { get set }

  func scrollToTop()
  func reloadData()
}

@MainActor func photoDataSource(
  of store: SnippetStore,
  for table: any Table
) -> SnippetDataSource {
  let dataSource = SnippetDataSource(list: store.list(), store: store)
  dataSource.register(NotePresenter.self, for: .text)
  dataSource.register(PhotoPresenter.self, for: .image)
  dataSource.register(VoicePresenter.self, for: .voice)
  dataSource.changeHandler = { [weak table] _ in table?.reloadData() }
  return dataSource
}

@MainActor final class FilteredScreen {
  let dataSource: SnippetDataSource
  let store: SnippetStore
  let search: SnippetSearch
  let table: any Table
  var selectedID: SnippetID?
  var logged: [String] = []

  init(_ dataSource: SnippetDataSource, of store: SnippetStore, in table: any Table) {
    (self.dataSource, self.store, self.table) = (dataSource, store, table)
    search = SnippetSearch(store)
  }

  func setHandlers() {
    func log(_ message: String) { logged.append(message) }
    dataSource.listErrorHandler = { [weak table] error in
      table?.message = error?.localizedDescription  // `nil` once the list can be read again
    }
    dataSource.commandFailureHandler = { [weak table] _, _, error in
      table?.message = error.localizedDescription
    }
    dataSource.misuseHandler = { message in log(message) }  // a kind without a presenter, say
  }

  func show(_ filter: SnippetFilter) {
    table.scrollToTop()
    dataSource.loader.show(store.list(filter))
    table.reloadData()
  }

  func find(_ words: String) async throws {
    let results = try await search.results(for: words)
    table.scrollToTop()
    dataSource.loader.show(results)
    table.reloadData()
  }

  func showSelection(in view: NoteView) {
    view.isSelected = selectedID != nil && dataSource.row(in: view)?.id == selectedID
  }
}
