import Foundation
import SnippetLoading
import SnippetStorage

final class NotePresenter: CellPresenter {
  func connect(_ view: NoteView, to sender: EditSender) {
    view.onPin = { isPinned in sender.send(SnippetEdit(isPinned: isPinned)) }
  }

  func update(_ field: SnippetField, of row: SnippetRow, in view: NoteView) {
    switch field {
    case .title: view.title = row.title
    case .preview: view.text = row.preview
    case .isPinned: view.isPinned = row.isPinned
    case .kind, .createdAt, .modifiedAt, .tags, .byteCount, .mediaType, .facts, .blob,
      .deletedAt:
      break
    }
  }
}

/// What a note or a recording is shown in, in any framework.
@MainActor final class NoteView {
  var title = ""
  var text = ""
  var isPinned = false
  var isSelected = false
  var onPin: (Bool) -> Void = { _ in }
}

final class TextPresenter: ContentPresenter {
  let recipe = TypedRecipe<String>.excerpt

  func update(_ field: SnippetField, of row: SnippetRow, in view: NoteView) {
    if field == .title { view.title = row.title }
  }

  func show(_ text: LoadState<String>, in view: NoteView) {
    view.text = text.content ?? ""
  }
}

final class CaptionPresenter: ModelPresenter {
  typealias View = CaptionView

  nonisolated struct Caption: Equatable {
    var title: String
    var size: String
  }

  var shown: Caption?

  func model(of row: SnippetRow) -> Caption {
    Caption(title: row.title, size: "\(row.byteCount) bytes")
  }

  func show(_ caption: Caption, in view: CaptionView) {
    view.text = "\(caption.title), \(caption.size)"
  }
}

/// A caption.
@MainActor final class CaptionView {
  var text = ""
}

extension TypedRecipe<[Double]> {
  static var chart: Self { Self(Recipe("chart")) }
}

typealias PhotoPresenter = NotePresenter
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
  dataSource.register(NotePresenter.init, for: .text)
  dataSource.register(PhotoPresenter.init, for: .image)
  dataSource.register(VoicePresenter.init, for: .voice)
  dataSource.changeHandler = { [weak table] _ in table?.reloadData() }
  return dataSource
}

@MainActor final class FilteredScreen {
  let dataSource: SnippetDataSource
  let store: SnippetStore
  let table: any Table
  var selectedID: SnippetID?
  var logged: [String] = []
  var search: Task<Void, Never>?

  init(_ dataSource: SnippetDataSource, of store: SnippetStore, in table: any Table) {
    (self.dataSource, self.store, self.table) = (dataSource, store, table)
  }

  func setHandlers() {
    func log(_ message: String) { logged.append(message) }
    dataSource.listErrorHandler = { [weak table] error in
      table?.message = error?.localizedDescription  // `nil` once the list can be read again
    }
    dataSource.editor?.failureHandler = { [weak table] _, _, error in
      table?.message = error.localizedDescription
    }
    dataSource.misuseHandler = { message in log(message) }  // a kind without a presenter, say
  }

  func show(_ list: any RowList) {
    table.scrollToTop()
    dataSource.loader.show(list)
    table.reloadData()
  }

  func find(_ words: String) {
    search?.cancel()
    let query = SearchQuery(words)
    if let filter = SnippetFilter.all.narrowed(by: query) { return show(store.list(filter)) }
    search = Task {
      do throws(SnippetStoreError) {
        let results = try await store.search(query)
        if !Task.isCancelled { show(results) }
      } catch {
        if error.code != .cancelled { table.message = error.localizedDescription }
      }
    }
  }

  func moveToTrash(_ rows: [SnippetRow]) {
    dataSource.editor?.apply(SnippetEdit(isInTrash: true), to: rows)
  }

  func undo() {
    dataSource.editor?.undo()
  }

  func showSelection(in view: NoteView) {
    view.isSelected = selectedID != nil && dataSource.row(in: view)?.id == selectedID
  }
}
