import SnippetLoading
import SnippetMedia
import SnippetStorage

/// The samples on lists that share their loads and edits.
@MainActor enum SeveralLists {
  static func making(
    of store: SnippetStore,
    by media: any MediaMaking
  ) throws -> [SnippetDataSource] {
    let pipeline = LoadPipeline(store: store, media: media)
    let editor = SnippetEditor(store)
    let lists = try [SnippetFilter.all, SnippetFilter(isPinned: true)].map { filter in
      let list = store.list(filter)
      let loader = try SnippetLoader(list: list, pipeline: pipeline, rules: .media(media))
      return SnippetDataSource(loader: loader, editor: editor)
    }
    return lists
  }

  static func warning(_ lists: [SnippetDataSource]) {
    for list in lists { list.loader.respond(to: .warning) }
  }

  static func editing(_ list: SnippetListModel, of store: SnippetStore) -> SnippetEditor {
    let editor = SnippetEditor(store)
    list.loader.editor = editor
    if let row = list.rows.first?.row { editor.apply(SnippetEdit(isPinned: true), to: row) }
    return editor
  }
}

/// A view whose controls edit its snippet.
@MainActor final class EditableView {
  var title = ""
  var isPinned = false
  var onPin: (Bool) -> Void = { _ in }
  var onTag: (String) -> Void = { _ in }
  var onTrash: () -> Void = {}
  var onRetry: () -> Void = {}
  var onTitleFocus: () -> Void = {}
  var onTitle: (String) -> Void = { _ in }
}

final class EditablePresenter: CellPresenter {
  func connect(_ view: EditableView, to sender: EditSender) {
    view.onPin = { isPinned in sender.send(SnippetEdit(isPinned: isPinned)) }
    view.onTag = { tag in sender.send(SnippetEdit(addedTags: [tag])) }
    view.onTrash = { sender.send(SnippetEdit(isInTrash: true)) }
    view.onRetry = { sender.retry() }  // loads that failed

    view.onTitleFocus = { sender.beginEditing(SnippetFields(.title)) }
    view.onTitle = { title in
      sender.send(SnippetEdit(title: title))
      sender.endEditing()
    }
  }

  func update(_ field: SnippetField, of row: SnippetRow, in view: EditableView) {
    if field == .title { view.title = row.title }
    if field == .isPinned { view.isPinned = row.isPinned }
  }
}
