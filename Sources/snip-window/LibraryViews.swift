#if GTK
import SnippetGTK
import SnippetLoading

/// The list and the gallery over one loader, with thumbnails of one size.
@MainActor
struct LibraryViews {
  let list: SnippetListView
  let grid: SnippetListView

  init(_ model: SnippetGListModel) {
    let rows = SnippetDataSource(loader: model.loader)
    rows.register(RowView.self)
    list = SnippetListView(model, showing: rows)
    let tiles = SnippetDataSource(loader: model.loader)
    tiles.register(TileView.self)
    grid = SnippetListView(model, showing: tiles, layout: .grid)
  }

  var both: [SnippetListView] { [list, grid] }
}
#endif
