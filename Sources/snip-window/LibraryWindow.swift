#if GTK
import CGTK
import Foundation
import SnipCore
import SnippetExchange
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
  private(set) var views: LibraryViews
  let opened: OpenedSnippet
  let banner: Banner
  let search: SnippetSearch
  /// The conditions of the list, besides the search.
  var filter = SnippetFilter.all
  var shownList: any RowList
  let fileImport: FileImport
  /// Whether all edits are in the store or kept, so the window may go.
  private var isFinished = false
  private var isFinishing = false
  /// The making of a new note, until it is open.
  var adding: Task<Void, Never>?
  var answerHandler: ((String) -> Void)?
  /// The rows that a step moves to the trash, until that is said.
  var trashing: [SnippetRow]?
  let media: WorkerMedia
  /// The menu of a row.
  let menu: Widget = gtk_popover_menu_new_from_model(nil)
  /// The folder of files that were dragged out.
  let draggedOut = FileManager.default.temporaryDirectory
    .appending(path: "snip-window-\(UUID().uuidString)")
  private let loader: SnippetLoader
  private let state: WindowState
  /// The state of the synchronization with other devices, in words; `nil` where there is none.
  var syncWords: String? {
    didSet { if syncWords != oldValue { showCount() } }
  }
  var syncing: Task<Void, Never>?

  init(
    _ store: SnippetStore,
    _ media: WorkerMedia,
    application: UnsafeMutablePointer<GtkApplication>
  ) throws {
    (self.store, self.media) = (store, media)
    state = WindowState()
    state.restoreThumbnailSize()
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
      rules: .media(media, thumbnailSize: ThumbnailSize.pixelCount),
      configuration: configuration
    )
    loader.editor = editor
    // The first pictures load while GTK makes their widgets.
    loader.show(visible: 0..<10)
    model = SnippetGListModel(loader)
    views = LibraryViews(model)
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
    search = SnippetSearch(store) { [store] in try await store.findingFiles(for: $0) }
    banner = Banner(builder)
    fileImport = FileImport(store)
    window = UnsafeMutablePointer(OpaquePointer(gtk_application_window_new(application)))
    layOut()
    addActions(to: application)
    connect()
    connectMenus(of: application)
    state.restore(self)
    showCount()
    gtk_window_present(window)
    gtk_widget_grab_focus(current.widget)
    offerKeptTexts()
    followSync()
  }

  var list: SnippetListView { views.list }
  var grid: SnippetListView { views.grid }
  /// The view that shows the snippets at present.
  var current: SnippetListView { isGallery ? grid : list }
  var isGallery = false {
    didSet {
      guard isGallery != oldValue else { return }
      // The other view begins at the same place.
      let position = (oldValue ? grid : list).visible.lowerBound
      showPage()
      current.scroll(to: model.selectedPositions.first ?? position)
      focusList()
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
    gtk_window_set_title(window, localized("Snippets"))
    gtk_window_set_icon_name(window, DesktopEntry.identifier)
    gtk_window_set_titlebar(window, builder.widget("header"))
    gtk_window_set_child(window, builder.widget("content"))
    putViews()
    gtk_widget_set_parent(builder.widget("ask-popover"), builder.widget("header"))
  }

  private func putViews() {
    gtk_scrolled_window_set_child(builder.object("list"), list.widget)
    gtk_scrolled_window_set_child(builder.object("grid"), grid.widget)
    gtk_grid_view_set_max_columns(OpaquePointer(grid.widget), 12)
    for view in views.both {
      view.activationHandler = { [unowned self] in open($1) }
      view.dragHandler = { [unowned self] in try await export($0) }
    }
  }

  /// Shows larger or smaller pictures, from the same place on.
  func setThumbnailSize(_ size: ThumbnailSize) {
    guard size != ThumbnailSize.current else { return }
    let position = current.visible.lowerBound
    ThumbnailSize.current = size
    views = LibraryViews(model)
    putViews()
    current.focus(model.selectedPositions.first ?? position)
  }

  private func connect() {
    model.changeHandler = { [unowned self] _ in showCount() }
    model.selectionHandler = { [unowned self] in showCount() }
    loader.listErrorHandler = { [unowned self] error in
      guard let error else { return banner.hide(about: .list) }
      banner.show(
        words(error),
        isFailure: true,
        about: .list,
        [(localized("Try again"), { [unowned self] in loader.reloadRows() })]
      )
    }
    editor.failureHandler = { [unowned self] edit, id, error in tell(error, of: edit, to: id) }
    editor.undoHandler = { [unowned self] in lastStepDidChange() }
    banner.focusHandler = { [unowned self] in isOpened ? opened.focus() : focusList() }
    opened.closeHandler = { [unowned self] in closeOpened() }
    opened.sound.errorHandler = { [unowned self] in tellUnplayable($0) }
    opened.text.errorHandler = { [unowned self] in tell($0) }
    opened.note.errorHandler = { [unowned self] in tell($0) }
    opened.text.editor.failureHandler = { [unowned self] id, error in
      tell(localized("The text of “{1}” was not saved.", name(of: id)), because: error)
    }
    opened.text.stateHandler = { [unowned self] in textDidReach($0) }
    connectFinding()
    connectImporting()
    connectAsking()
    onSignal("close-request", of: window) { [unowned self] signal in
      guard isFinished else {
        signal.answer(true)
        return finish()
      }
      if isOpened { opened.close() }
      state.save(self)
      syncing?.cancel()
      try? FileManager.default.removeItem(at: draggedOut)
      gtk_widget_unparent(builder.widget("ask-popover"))
      gtk_widget_unparent(menu)
      signal.answer(false)
    }
  }

  /// Closes the window once all edits are in the store, or kept.
  func finish() {
    guard !isFinishing else { return }
    isFinishing = true
    Task {
      // Only an open note can be deleted as one that is empty.
      await adding?.value
      let isSafe = await opened.finish()
      isFinishing = false
      let close = { [unowned self] in
        isFinished = true
        gtk_window_close(window)
      }
      if isSafe { return close() }
      banner.show(
        localized("A text can be neither saved nor kept."),
        isFailure: true,
        [(localized("Close without it"), close)]
      )
    }
  }

  // MARK: - Opening

  func open(_ position: Int) {
    model.select(position)
    opened.open(shownList, at: position)
    showPage()
  }

  func closeOpened() {
    guard isOpened else { return }
    let id = opened.row?.id
    opened.close()
    showPage()
    // It may have been opened from another list.
    guard let position = id.flatMap({ try? shownList.position(of: $0) }) else { return focusList() }
    model.select(position)
    current.focus(position)
  }

  /// Gives the selected row the focus of the keyboard, or else the list.
  func focusList() {
    gtk_widget_grab_focus(current.widget)
    if let position = model.selectedPositions.first { current.focus(position) }
  }

  // MARK: - The screen

  func showPage() {
    let isEmpty = model.count == 0
    for name in ["back", "neighbours", "commands"] {
      gtk_widget_set_visible(builder.widget(name), isOpened ? 1 : 0)
    }
    for name in ["search", "gallery", "filter", "new-note"] {
      gtk_widget_set_visible(builder.widget(name), isOpened ? 0 : 1)
    }
    builder.show(
      isOpened ? "opened" : isEmpty ? "empty" : isGallery ? "grid" : "list",
      in: "pages"
    )
    gtk_widget_set_visible(builder.widget("filter-notice"), isOpened || filter == .all ? 0 : 1)
    guard isEmpty, !isOpened else { return }
    let isUnfiltered = filter == .all && query.isEmpty
    let isEmptyTrash = filter == .trash && query.isEmpty
    gtk_label_set_text(
      builder.object("empty-title"),
      isUnfiltered
        ? localized("No snippets yet")
        : isEmptyTrash ? localized("The trash is empty") : localized("Nothing found")
    )
    gtk_label_set_text(
      builder.object("empty-text"),
      isUnfiltered
        ? localized("Drop files here, paste a picture or a text, or import a folder.")
        : isEmptyTrash
          ? "" : localized("No snippet has all of this. Search for less, or filter less.")
    )
    gtk_widget_set_visible(builder.widget("beginnings"), isUnfiltered ? 1 : 0)
  }

  private func showCount() {
    let selected = model.selectedPositions.count
    let count = localizedCount("{1} snippet", "{1} snippets", count: model.count)
    let selection = localizedCount("{1} selected", "{1} selected", count: selected)
    let parts = [selected > 1 ? "\(count), \(selection)" : count, syncWords].compactMap(\.self)
    gtk_label_set_text(builder.object("status"), parts.joined(separator: " · "))
    showPage()
  }

  /// Reports an error until the user dismisses it.
  func tell(_ error: any Error, before message: String? = nil) {
    banner.show([message, words(error)].compactMap(\.self).joined(separator: " "), isFailure: true)
  }

  /// Reports an edit or a deletion that failed, by the title that the user knows.
  private func tell(_ error: any Error, of edit: SnippetEdit?, to id: SnippetID) {
    let message =
      if edit == nil {
        localized("“{1}” was not deleted.", name(of: id))
      } else if let title = edit?.title {
        localized("The title “{1}” was not saved.", title)
      } else {
        localized("“{1}” was not changed.", name(of: id))
      }
    tell(message, because: error)
  }

  /// Reports a failure in words of the window, with the reason of an error and what helps.
  private func tell(_ message: String, because error: any Error) {
    guard let error = error as? SnippetStoreError else { return tell(error, before: message) }
    // The window has no setting for a longer wait.
    let advice = error.code == .busy ? localized("Try again.") : error.recoverySuggestion
    let reason = error.reason.prefix(1).uppercased() + error.reason.dropFirst() + "."
    banner.show(
      [message, reason, advice].compactMap(\.self).joined(separator: " "),
      isFailure: true
    )
  }

  /// The title of a snippet, as the user knows it.
  private func name(of id: SnippetID) -> String {
    if let row = opened.row, row.id == id { return row.name }
    return (try? store.row(id))?.name ?? localized("Untitled")
  }

  /// An error, its reason and what helps.
  private func words(_ error: any Error) -> String {
    let advice = (error as? any LocalizedError)?.recoverySuggestion
    return [error.localizedDescription, advice].compactMap(\.self).joined(separator: " ")
  }

  /// Reports a recording that cannot be played, and the packages that a player of GTK needs.
  private func tellUnplayable(_ reason: String) {
    // GStreamer puts its element before the reason, and where it was found on further lines.
    let line = reason.prefix { !$0.isNewline }
    let place = line.hasPrefix("Error from element") ? line.range(of: ": ") : nil
    banner.show(
      localized(
        "“{1}” cannot be played: {2} Install {3}, then open the window again.",
        opened.row?.title ?? "",
        String(place.map { line[$0.upperBound...] } ?? line),
        "libgtk-4-media-gstreamer, gstreamer1.0-plugins-good, gstreamer1.0-libav"
      ),
      isFailure: true
    )
  }
}
#endif
