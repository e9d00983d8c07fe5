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
  let table: any Table

  init(_ dataSource: SnippetDataSource, of store: SnippetStore, in table: any Table) {
    (self.dataSource, self.store, self.table) = (dataSource, store, table)
  }

  func show(_ filter: SnippetFilter) {
    dataSource.loader.show(store.list(filter))
    table.reloadData()
  }
}
