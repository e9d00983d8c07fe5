#if GTK
import CGTK
import Foundation
import SnippetBase
import SnippetExchange
import SnippetGTK
import SnippetStorage

/// Files that are dropped, chosen or dragged out, and pasted content.
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
    for view in [list, grid] { view.dragHandler = { [unowned self] in try await export($0) } }
    onSignal("clicked", of: builder.object("cancel")) { [unowned self] _ in importing?.cancel() }
  }

  /// Writes the files of rows that were dragged out; they stay until the window is closed.
  private func export(_ rows: [SnippetRow]) async throws -> [URL] {
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
      isFolder ? "Import a folder" : "Import files",
      window,
      isFolder ? GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER : GTK_FILE_CHOOSER_ACTION_OPEN,
      "Import",
      "Cancel"
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

  func importFiles(_ files: [URL]) {
    guard !files.isEmpty, importing == nil else { return }
    // The result of the last import would be mistaken for that of this one.
    hideBanner()
    gtk_revealer_set_reveal_child(builder.object("progress"), 1)
    let seen = Lock<(count: Int, error: SnippetStoreError?)>((0, nil))
    importing = Task {
      let ticker = Task {
        let total = await store.sizeOfImport(of: files).fileCount
        while !Task.isCancelled {
          show(seen.withLock(\.count), of: total)
          try? await Task.sleep(for: .milliseconds(100))
        }
      }
      do throws(SnippetStoreError) {
        let report = try await store.importFiles(at: files) { event in
          if event.isNotice { return }
          seen.withLock { $0 = ($0.count + 1, $0.error ?? event.error) }
        }
        tell(report.summary, seen.withLock(\.error))
      } catch {
        error.code == .cancelled
          ? tell("The import was cancelled. Imported files stay.") : tell(error)
      }
      ticker.cancel()
      importing = nil
      gtk_revealer_set_reveal_child(builder.object("progress"), 0)
    }
  }

  private func show(_ count: Int, of total: Int) {
    let bar = builder.object("progress-bar")
    gtk_progress_bar_set_fraction(bar, Double(count) / Double(max(total, 1)))
    gtk_progress_bar_set_text(bar, "\(count.formatted()) of \(total.formatted()) files")
  }

  /// Imports the clipboard: files, or else a picture, or else a text.
  func paste() {
    let clipboard: OpaquePointer = gdk_display_get_clipboard(gtk_widget_get_display(current.widget))
    let formats = gdk_clipboard_get_formats(clipboard)
    if gdk_content_formats_contain_gtype(formats, gdk_file_list_get_type()) != 0 {
      read(clipboard, gdk_file_list_get_type()) { [unowned self] value in
        importFiles(URL.files(value))
      }
    } else if gdk_content_formats_contain_gtype(formats, gdk_texture_get_type()) != 0 {
      read(clipboard, gdk_texture_get_type()) { [unowned self] value in
        guard let texture = g_value_get_object(value),
          let png = gdk_texture_save_to_png_bytes(OpaquePointer(texture))
        else { return }
        var count: gsize = 0
        let bytes = g_bytes_get_data(png, &count)
        save(.bytes(bytes.map { Data(bytes: $0, count: Int(count)) } ?? Data()))
        g_bytes_unref(png)
      }
    } else {
      read(clipboard, g_type_from_name("gchararray")) { [unowned self] value in
        if let text = g_value_get_string(value) { save(.text(String(cString: text))) }
      }
    }
  }

  private func save(_ content: SnippetContent) {
    Task {
      do { try await store.save(SnippetDraft(content)) } catch { tell(error) }
    }
  }

  /// Reads the clipboard, which another program may hold.
  private func read(
    _ clipboard: OpaquePointer,
    _ type: GType,
    _ done: @escaping @MainActor (UnsafePointer<GValue>) -> Void
  ) {
    final class Reading {
      let done: @MainActor (UnsafePointer<GValue>) -> Void
      init(_ done: @escaping @MainActor (UnsafePointer<GValue>) -> Void) { self.done = done }
    }
    gdk_clipboard_read_value_async(
      clipboard,
      type,
      0,
      nil,
      { source, result, context in
        guard let context else { return }
        let reading = Unmanaged<Reading>.fromOpaque(context).takeRetainedValue()
        // Unreadable content cannot be pasted.
        let value = gdk_clipboard_read_value_finish(OpaquePointer(source), result, nil)
        nonisolated(unsafe) let found = value
        let done = reading.done
        if let found { MainActor.assumeIsolated { done(found) } }
      },
      Unmanaged.passRetained(Reading(done)).toOpaque()
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

  /// The files in a value of a list of them.
  fileprivate static func files(_ value: UnsafePointer<GValue>) -> [URL] {
    let list = gdk_file_list_get_files(g_value_get_boxed(value).map { OpaquePointer($0) })
    defer { g_slist_free(list) }
    return sequence(first: list) { $0?.pointee.next }.prefix { $0 != nil }.compactMap { entry in
      entry?.pointee.data.flatMap { g_file_get_path(OpaquePointer($0)) }.map {
        URL(filePath: String(taking: $0))
      }
    }
  }
}

extension ImportReport {
  /// The outcome of an import, in a sentence.
  fileprivate var summary: String {
    let parts = [
      (self[.imported], "imported"), (self[.broughtBack], "brought back from the trash"),
      (self[.updated], "updated"), (self[.moved], "moved"),
      (self[.conflict], "changed on both sides"),
      (self[.duplicate] + self[.unchanged], "there already"),
      (self[.unsupported], "of no kind that can be kept"), (self[.failed], "could not be read"),
      (self[.unreadFrontMatter], "with front matter that cannot be read"),
    ].filter { $0.0 > 0 }
    return parts.isEmpty
      ? "There was nothing to import."
      : parts.map { "\($0.0.formatted()) \($0.1)" }.joined(separator: ", ") + "."
  }
}
#endif
