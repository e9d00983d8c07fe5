#if GTK
import CGTK
import Foundation
import SnippetBase
import SnippetExchange
import SnippetGTK
import SnippetStorage

/// Files that are dropped, chosen or dragged out.
extension LibraryWindow {
  func connectImporting() {
    let target: OpaquePointer = gtk_drop_target_new(gdk_file_list_get_type(), GDK_ACTION_COPY)
    onSignal("drop", of: target) { [unowned self] signal in
      let files = URL.files(signal.boxed(1))
      importFiles(files)
      signal.answer(!files.isEmpty)
    }
    onSignal("accept", of: target) { signal in
      // Files dragged out of this window are already in it.
      let drop = signal.object(1)
      signal.answer(
        gdk_drop_get_drag(drop) == nil
          && gdk_content_formats_contain_gtype(gdk_drop_get_formats(drop), gdk_file_list_get_type())
            != 0
      )
    }
    gtk_widget_add_controller(builder.widget("content"), target)
    onSignal("clicked", of: builder.object("cancel")) { [unowned self] _ in fileImport.cancel() }
    fileImport.progressHandler = { [unowned self] in show($0) }
    fileImport.endHandler = { [unowned self] words, error in
      guard let error else { return banner.show(words) }
      tell(error, before: words)
    }
  }

  /// Writes the files of rows that were dragged out; they stay until the window is closed.
  func export(_ rows: [SnippetRow]) async throws -> [URL] {
    let files = Lock<[URL]>([])
    do {
      try FileManager.default.createDirectory(at: draggedOut, withIntermediateDirectories: true)
      let folder = draggedOut.appending(path: UUID().uuidString)
      try await store.export(rows.map(\.id), to: folder) { event in
        guard event.outcome == .exported, let file = event.file else { return }
        files.withLock { $0.append(file) }
      }
    } catch {
      tell(error)
      throw error
    }
    return files.withLock(\.self)
  }

  /// Asks for files, or for a folder, and imports what the user chooses.
  func chooseFiles(orFolder isFolder: Bool = false) {
    let chooser: OpaquePointer = gtk_file_chooser_native_new(
      isFolder ? localized("Import a folder") : localized("Import files"),
      window,
      isFolder ? GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER : GTK_FILE_CHOOSER_ACTION_OPEN,
      localized("Import"),
      localized("Cancel")
    )
    gtk_file_chooser_set_select_multiple(chooser, 1)
    onSignal("response", of: chooser) { [unowned self] signal in
      // What is selected when the user leaves was not chosen.
      if signal.signedNumber(1) == Int(GTK_RESPONSE_ACCEPT.rawValue) {
        importFiles(URL.files(chosenIn: chooser))
      }
      g_object_unref(UnsafeMutableRawPointer(chooser))
    }
    gtk_native_dialog_show(UnsafeMutablePointer(chooser))
  }

  /// Imports files and folders, after those that are being imported.
  func importFiles(_ files: [URL]) {
    // The result of the last import would be mistaken for that of this one.
    if !files.isEmpty { banner.hide() }
    fileImport.start(files)
  }

  private func show(_ progress: (done: Int, total: Int)?) {
    gtk_widget_set_visible(builder.widget("progress"), progress == nil ? 0 : 1)
    guard let (done, total) = progress else { return }
    let bar = builder.object("progress-bar")
    gtk_progress_bar_set_fraction(bar, Double(done) / Double(max(total, 1)))
    gtk_progress_bar_set_text(
      bar,
      localized("{1} of {2} files", done.formatted(), total.formatted())
    )
  }
}

extension URL {
  /// The files that are selected in a chooser.
  fileprivate static func files(chosenIn chooser: OpaquePointer) -> [URL] {
    let model: OpaquePointer = gtk_file_chooser_get_files(chooser)
    defer { g_object_unref(UnsafeMutableRawPointer(model)) }
    return (0..<g_list_model_get_n_items(model)).compactMap { place in
      let file = g_list_model_get_item(model, place)
      defer { g_object_unref(file) }
      return file.flatMap { g_file_get_path(OpaquePointer($0)) }.map {
        URL(filePath: String(taking: $0))
      }
    }
  }
}
#endif
