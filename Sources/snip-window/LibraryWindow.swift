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
  /// The actions of the banner's buttons.
  private var remedies: [() -> Void] = []
  /// Whether the banner asks what to do with a text.
  private var isAskingOfText = false
  /// Whether all edits are in the store or kept, so the window may go.
  private var isFinished = false
  private var isFinishing = false
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
          thumbnailSize: OpenedPicture.pixelSize,
          peakCount: OpenedSound.peakCount
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
    offerKeptTexts()
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
      tell(nil, error, [("Try again", { [unowned self] in loader.reloadRows() })])
    }
    editor.failureHandler = { [unowned self] edit, _, error in
      tell(edit?.title.map { "The title “\($0)” was not saved." }, error)
    }
    opened.closeHandler = { [unowned self] in closeOpened() }
    opened.text.errorHandler = { [unowned self] in tell($0) }
    opened.text.editor.failureHandler = { [unowned self] _, error in
      tell("A text was not saved.", error)
    }
    opened.text.stateHandler = { [unowned self] in textDidReach($0) }
    connectFinding()
    connectImporting()
    connectAsking()
    onSignal("clicked", of: builder.object("dismiss")) { [unowned self] _ in hideBanner() }
    for (number, button) in Self.remedyButtons.enumerated() {
      onSignal("clicked", of: builder.object(button)) { [unowned self] _ in
        hideBanner()
        remedies[number]()
      }
    }
    onSignal("close-request", of: window) { [unowned self] signal in
      guard isFinished else {
        signal.answer(true)
        return finish()
      }
      if isOpened { opened.close() }
      state.save(self)
      try? FileManager.default.removeItem(at: draggedOut)
      gtk_widget_unparent(builder.widget("ask-popover"))
      signal.answer(false)
    }
  }

  /// Closes the window once all edits are in the store, or kept.
  func finish() {
    guard !isFinishing else { return }
    isFinishing = true
    Task {
      let isSafe = await opened.finish()
      isFinishing = false
      let close = { [unowned self] in
        isFinished = true
        gtk_window_close(window)
      }
      if isSafe { return close() }
      tell("A text can be neither saved nor kept.", nil, [("Close without it", close)])
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

  private static let remedyButtons = ["remedy", "second-remedy", "third-remedy"]

  /// Reports an error until the user dismisses it.
  func tell(_ error: any Error) { tell(nil, error) }

  /// Reports something until the user dismisses it, with buttons for what can be done about it.
  func tell(
    _ message: String?,
    _ error: (any Error)? = nil,
    _ remedies: [(label: String, action: () -> Void)] = []
  ) {
    isAskingOfText = false
    let advice = (error as? any LocalizedError)?.recoverySuggestion
    let parts = [message, error?.localizedDescription, advice].compactMap(\.self)
    gtk_label_set_text(builder.object("message"), parts.joined(separator: " "))
    gtk_widget_remove_css_class(builder.widget("banner"), "failed")
    if error != nil { gtk_widget_add_css_class(builder.widget("banner"), "failed") }
    self.remedies = remedies.map(\.action)
    for (number, name) in Self.remedyButtons.enumerated() {
      let button = builder.object(name)
      let label = number < remedies.count ? remedies[number].label : ""
      gtk_button_set_label(UnsafeMutablePointer(button), label)
      gtk_widget_set_visible(Widget(button), label.isEmpty ? 0 : 1)
    }
    gtk_revealer_set_reveal_child(builder.object("banner"), 1)
  }

  func hideBanner() { gtk_revealer_set_reveal_child(builder.object("banner"), 0) }

  // MARK: - Texts

  /// Asks what to do with a text that is not saved without the user.
  private func textDidReach(_ state: SnippetTextEditor.State) {
    let texts = opened.text.editor
    opened.followText()
    switch state {
    case .conflict(let theirs):
      let beginning = theirs.prefix(200)
      tell(
        "This text was changed elsewhere, and is kept as you have it. Theirs: “\(beginning)”",
        nil,
        [
          ("Keep mine", { texts.keepMine() }), ("Take theirs", { texts.takeTheirs() }),
          ("Keep both", { texts.saveAsNew() }),
        ]
      )
    case .inTrash where texts.hasUnsavedText:
      tell(
        "This text was moved to the trash elsewhere. What you typed is kept.",
        nil,
        [
          ("Bring it back", { texts.keepMine() }),
          ("Save as a new text", { texts.saveAsNew() }),
        ]
      )
    case .deleted where texts.hasUnsavedText:
      tell(
        "This text was deleted elsewhere. What you typed is kept.",
        nil,
        [("Save as a new text", { texts.keepMine() })]
      )
    default:
      if isAskingOfText { hideBanner() }
      isAskingOfText = false
      return
    }
    isAskingOfText = true
  }

  /// Offers a text that an earlier start could not save.
  private func offerKeptTexts() {
    Task {
      guard let id = await opened.text.editor.keptSnippets().first else { return }
      tell(
        "A text that could not be saved was kept.",
        nil,
        [("Open it", { [unowned self] in open(kept: id) })]
      )
    }
  }

  private func open(kept id: SnippetID) {
    opened.open(kept: id, in: store.list())
    showPage()
  }
}
#endif
