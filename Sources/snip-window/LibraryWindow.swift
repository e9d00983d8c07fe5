#if GTK
import CGTK
import Foundation
import SnipCore
import SnippetGTK
import SnippetLoading
import SnippetMedia
import SnippetStorage

/// The window of a library: its list and its gallery over one loader, and the opened snippet.
@MainActor
final class LibraryWindow {
  let store: SnippetStore
  let builder = Builder(PackageResources.window_ui)
  let window: UnsafeMutablePointer<GtkWindow>
  let editor: SnippetEditor
  let model: SnippetGListModel
  let list: SnippetListView
  let grid: SnippetListView
  let opened: OpenedSnippet
  let search: SnippetSearch
  /// The conditions of the list, besides the search.
  var filter = SnippetFilter.all
  var shownList: any RowList
  var importing: Task<Void, Never>?
  /// The action of the banner's button.
  var remedy: (() -> Void)?
  var answerHandler: ((String) -> Void)?
  /// The folder of files that were dragged out.
  let draggedOut = FileManager.default.temporaryDirectory
    .appending(path: "snip-window-\(UUID().uuidString)")
  private let loader: SnippetLoader
  private let state: WindowState

  init(
    _ store: SnippetStore,
    _ media: WorkerMedia,
    application: UnsafeMutablePointer<GtkApplication>
  ) throws {
    self.store = store
    let pipeline = LoadPipeline(store: store, media: media)
    let snippets = store.list()
    shownList = snippets
    editor = SnippetEditor(store)
    // The model follows when the list has been counted.
    var configuration = SnippetLoader.Configuration()
    configuration.countsFirst = false
    loader = try SnippetLoader(
      list: snippets,
      pipeline: pipeline,
      rules: .media(media),
      configuration: configuration
    )
    loader.editor = editor
    // The first pictures load while GTK makes their widgets.
    loader.show(visible: 0..<10)
    model = SnippetGListModel(loader)
    let (rows, tiles) = (SnippetDataSource(loader: loader), SnippetDataSource(loader: loader))
    rows.register(RowView.self)
    tiles.register(TileView.self)
    list = SnippetListView(model, showing: rows)
    grid = SnippetListView(model, showing: tiles, layout: .grid)
    opened = OpenedSnippet(
      builder,
      store,
      try SnippetLoader(
        list: snippets,
        pipeline: pipeline,
        rules: .media(
          media,
          thumbnailSize: OpenedSnippet.pixelSize,
          peakCount: OpenedSnippet.peakCount,
          holdsWholeTexts: true
        ),
        configuration: configuration
      ),
      editor
    )
    search = SnippetSearch(store)
    window = UnsafeMutablePointer(OpaquePointer(gtk_application_window_new(application)))
    state = WindowState()
    layOut()
    addActions(to: application)
    connect()
    state.restore(self)
    showCount()
    gtk_window_present(window)
    gtk_widget_grab_focus(current.widget)
  }

  /// The view that shows the snippets at present.
  var current: SnippetListView { isGallery ? grid : list }
  var isGallery = false {
    didSet {
      guard isGallery != oldValue else { return }
      // The other view begins at the same place.
      let position = (oldValue ? grid : list).visible.lowerBound
      showPage()
      current.scroll(to: model.selectedPositions.first ?? position)
      gtk_widget_grab_focus(current.widget)
    }
  }
  var isOpened: Bool { opened.position != nil }

  private func layOut() {
    let css = gtk_css_provider_new()
    PackageResources.style_css.withUnsafeBytes { bytes in
      gtk_css_provider_load_from_data(
        css,
        bytes.bindMemory(to: CChar.self).baseAddress,
        gssize(bytes.count)
      )
    }
    gtk_style_context_add_provider_for_display(
      gtk_widget_get_display(Widget(OpaquePointer(window))),
      OpaquePointer(css),
      guint(GTK_STYLE_PROVIDER_PRIORITY_APPLICATION)
    )
    gtk_window_set_title(window, "Snippets")
    gtk_window_set_titlebar(window, builder.widget("header"))
    gtk_window_set_child(window, builder.widget("content"))
    gtk_scrolled_window_set_child(builder.object("list"), list.widget)
    gtk_scrolled_window_set_child(builder.object("grid"), grid.widget)
    gtk_grid_view_set_max_columns(OpaquePointer(grid.widget), 12)
    gtk_widget_set_parent(builder.widget("ask-popover"), builder.widget("header"))
  }

  private func connect() {
    for view in [list, grid] {
      view.activationHandler = { [unowned self] in open($0) }
    }
    model.changeHandler = { [unowned self] _ in showCount() }
    model.selectionHandler = { [unowned self] in showCount() }
    loader.listErrorHandler = { [unowned self] error in
      guard let error else { return hideBanner() }
      tell(error, remedy: "Try again") { [unowned self] in loader.reloadRows() }
    }
    editor.failureHandler = { [unowned self] _, _, error in tell(error) }
    opened.closeHandler = { [unowned self] in closeOpened() }
    connectFinding()
    connectImporting()
    connectAsking()
    onSignal("clicked", of: builder.object("dismiss")) { [unowned self] _ in hideBanner() }
    onSignal("clicked", of: builder.object("remedy")) { [unowned self] _ in
      hideBanner()
      remedy?()
    }
    onSignal("close-request", of: window) { [unowned self] signal in
      if isOpened { opened.close() }
      state.save(self)
      try? FileManager.default.removeItem(at: draggedOut)
      gtk_widget_unparent(builder.widget("ask-popover"))
      signal.answer(false)
    }
  }

  // MARK: - Opening

  func open(_ position: Int) {
    model.select(position)
    opened.open(shownList, at: position)
    showPage()
  }

  func closeOpened() {
    guard let position = opened.position else { return }
    opened.close()
    model.select(position)
    showPage()
    current.scroll(to: position)
    gtk_widget_grab_focus(current.widget)
  }

  // MARK: - The screen

  func showPage() {
    let isEmpty = model.count == 0
    for name in ["back", "neighbours"] {
      gtk_widget_set_visible(builder.widget(name), isOpened ? 1 : 0)
    }
    for name in ["search", "gallery", "filter"] {
      gtk_widget_set_visible(builder.widget(name), isOpened ? 0 : 1)
    }
    builder.show(
      isOpened ? "opened" : isEmpty ? "empty" : isGallery ? "grid" : "list",
      in: "pages"
    )
    guard isEmpty, !isOpened else { return }
    let isUnfiltered = filter == .all && query.isEmpty
    gtk_label_set_text(
      builder.object("empty-title"),
      isUnfiltered ? "No snippets yet" : "Nothing found"
    )
    gtk_label_set_text(
      builder.object("empty-text"),
      isUnfiltered
        ? "Drop files here, paste a picture or a text, or import a folder."
        : "No snippet has all of this. Search for less, or filter less."
    )
    gtk_widget_set_visible(builder.widget("beginnings"), isUnfiltered ? 1 : 0)
  }

  private func showCount() {
    let selected = model.selectedPositions.count
    let count = "\(model.count.formatted()) \(model.count == 1 ? "snippet" : "snippets")"
    gtk_label_set_text(
      builder.object("status"),
      selected > 1 ? "\(count), \(selected.formatted()) selected" : count
    )
    showPage()
  }

  /// Reports an error until the user dismisses it.
  func tell(_ error: any Error, remedy label: String? = nil, _ remedy: (() -> Void)? = nil) {
    tell(nil, error)
    self.remedy = remedy
    gtk_button_set_label(UnsafeMutablePointer(builder.object("remedy")), label ?? "")
    gtk_widget_set_visible(builder.widget("remedy"), label == nil ? 0 : 1)
  }

  func tell(_ message: String?, _ error: (any Error)? = nil) {
    let advice = (error as? any LocalizedError)?.recoverySuggestion
    let parts = [message, error?.localizedDescription, advice].compactMap(\.self)
    gtk_label_set_text(builder.object("message"), parts.joined(separator: " "))
    gtk_widget_remove_css_class(builder.widget("banner"), "failed")
    if error != nil { gtk_widget_add_css_class(builder.widget("banner"), "failed") }
    gtk_widget_set_visible(builder.widget("remedy"), 0)
    gtk_revealer_set_reveal_child(builder.object("banner"), 1)
  }

  func hideBanner() { gtk_revealer_set_reveal_child(builder.object("banner"), 0) }
}
#endif
