#if GTK
import CGTK
import Foundation
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
  list.activationHandler = { row, _ in print("opened", row.title) }

  let scroller: UnsafeMutablePointer<GtkWidget> = gtk_scrolled_window_new()
  gtk_scrolled_window_set_child(OpaquePointer(scroller), list.widget)
  let window = UnsafeMutablePointer<GtkWindow>(OpaquePointer(gtk_window_new()))
  gtk_window_set_default_size(window, 300, 400)
  gtk_window_set_child(window, scroller)
  gtk_window_present(window)
  return list
}

/// Keeps the list on screen.
@MainActor var titles: SnippetListView?

@MainActor func runTitles(of file: URL) {
  gtk_init()
  GTKMainLoop.attachMainActor()
  let loop = g_main_loop_new(nil, 0)
  Task {
    do {
      titles = showTitles(of: try await SnippetStore.open(at: file))
    } catch {
      print(error)
      g_main_loop_quit(loop)
    }
  }
  g_main_loop_run(loop)
}

@MainActor func drawLine(in area: UnsafeMutablePointer<GtkWidget>) {
  onDrawing(of: OpaquePointer(area)) { cairo, width, height in
    cairo_move_to(cairo, 0, height / 2)
    cairo_line_to(cairo, width, height / 2)
    cairo_stroke(cairo)
  }
}
#endif
