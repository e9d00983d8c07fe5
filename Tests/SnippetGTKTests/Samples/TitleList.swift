#if GTK
import CGTK
import SnippetGTK
import SnippetLoading
import SnippetStorage

final class TitleLabel: SnippetWidget {
  let widget: UnsafeMutablePointer<GtkWidget> = gtk_label_new(nil)
}

final class TitlePresenter: CellPresenter {
  static var designedHeight: Double? { 32 }

  func update(_ field: SnippetField, of row: SnippetRow, in view: TitleLabel) {
    if field == .title { gtk_label_set_text(OpaquePointer(view.widget), row.title) }
  }
}

@MainActor func showTitles(of store: SnippetStore) -> SnippetListView {
  let dataSource = SnippetDataSource(list: store.list(), store: store)
  for kind in SnippetKind.allCases { dataSource.register(TitlePresenter.init, for: kind) }
  let list = SnippetListView(dataSource)
  list.activationHandler = { position in print("opened", position) }

  let scroller: UnsafeMutablePointer<GtkWidget> = gtk_scrolled_window_new()
  gtk_scrolled_window_set_child(OpaquePointer(scroller), list.widget)
  let window = UnsafeMutablePointer<GtkWindow>(OpaquePointer(gtk_window_new()))
  gtk_window_set_default_size(window, 300, 400)
  gtk_window_set_child(window, scroller)
  gtk_window_present(window)
  return list
}
#endif
