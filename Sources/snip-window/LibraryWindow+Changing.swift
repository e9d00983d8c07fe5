#if GTK
import CGTK
import Foundation
import SnipCore
import SnippetGTK
import SnippetLoading
import SnippetStorage

/// The actions of keys and of the menu.
extension LibraryWindow {
  func addActions(to application: UnsafeMutablePointer<GtkApplication>) {
    let actions: [(name: String, keys: [String], run: () -> Void)] = [
      ("back", ["Escape", "<Alt>Left"], { [unowned self] in goBack() }),
      ("next", ["<Control>Page_Down", "<Alt>Down"], { [unowned self] in opened.move(by: 1) }),
      ("previous", ["<Control>Page_Up", "<Alt>Up"], { [unowned self] in opened.move(by: -1) }),
      (
        "find", ["<Control>f"],
        { [unowned self] in gtk_widget_grab_focus(builder.widget("search")) }
      ),
      ("pin", ["<Control>d"], { [unowned self] in togglePin() }),
      ("rename", ["F2"], { [unowned self] in rename() }),
      ("tag", ["<Control>t"], { [unowned self] in tag() }),
      ("trash", ["<Control>Delete"], { [unowned self] in moveToTrash() }),
      (
        "undelete", ["<Control><Shift>Delete"],
        { [unowned self] in undelete() }
      ),
      ("undo", ["<Control><Alt>z"], { [unowned self] in editor.undo() }),
      ("copy", [], { [unowned self] in withChosenRows(copy) }),
      ("delete", [], { [unowned self] in withChosenRows(deleteForGood) }),
      ("empty-trash", [], { [unowned self] in emptyTrash() }),
      ("new-note", ["<Control>n"], { [unowned self] in addNote() }),
      (
        "open", [],
        { [unowned self] in
          if let position = model.selectedPositions.first { open(position) }
        }
      ),
      ("show-all", [], { [unowned self] in showAll() }),
      ("menu", ["<Shift>F10"], { [unowned self] in showMenu() }),
      ("full-screen", ["F11"], { [unowned self] in toggleFullScreen() }),
      ("about", [], { [unowned self] in showAbout() }),
      ("import", ["<Control>o"], { [unowned self] in chooseFiles() }),
      (
        "import-folder", ["<Control><Shift>o"],
        { [unowned self] in chooseFiles(orFolder: true) }
      ),
      ("paste", ["<Control><Shift>v"], { [unowned self] in paste() }),
      ("sample", [], { [unowned self] in addSampleLibrary() }),
      ("zoom-in", ["<Control>plus", "<Control>equal"], { [unowned self] in zoom(1) }),
      ("zoom-out", ["<Control>minus"], { [unowned self] in zoom(-1) }),
      ("zoom-fit", ["<Control>0"], { [unowned self] in zoom(0) }),
      ("play", ["<Control>space"], { [unowned self] in opened.sound.toggle() }),
    ]
    for action in actions {
      let made: OpaquePointer = g_simple_action_new(action.name, nil)
      onSignal("activate", of: made) { _ in action.run() }
      add(made, action.name, action.keys, to: application)
    }
    for (name, key) in [("gallery", "<Control>g"), ("dark", "<Control><Shift>d")] {
      let made: OpaquePointer = g_simple_action_new_stateful(name, nil, g_variant_new_boolean(0))
      onSignal("activate", of: made) { [unowned self] _ in setState(name, !state(of: name)) }
      add(made, name, [key], to: application)
    }
  }

  private func add(
    _ action: OpaquePointer,
    _ name: String,
    _ keys: [String],
    to application: UnsafeMutablePointer<GtkApplication>
  ) {
    g_action_map_add_action(OpaquePointer(window), action)
    g_object_unref(UnsafeMutableRawPointer(action))
    setKeys(keys, of: "win.\(name)", in: application)
  }

  private func action(_ name: String) -> OpaquePointer {
    g_action_map_lookup_action(OpaquePointer(window), name)
  }

  private func state(of name: String) -> Bool {
    let value = g_action_get_state(action(name))
    defer { g_variant_unref(value) }
    return g_variant_get_boolean(value) != 0
  }

  var isDark: Bool { state(of: "dark") }

  /// Switches between the list and the gallery, or to the dark style and back.
  func setState(_ name: String, _ isOn: Bool) {
    g_simple_action_set_state(action(name), g_variant_new_boolean(isOn ? 1 : 0))
    if name == "gallery" { isGallery = isOn }
    guard name == "dark" else { return }
    var value = GValue()
    g_value_init(&value, g_type_from_name("gboolean"))
    g_value_set_boolean(&value, isOn ? 1 : 0)
    let settings = UnsafeMutablePointer<GObject>(gtk_settings_get_default())
    g_object_set_property(settings, "gtk-application-prefer-dark-theme", &value)
  }

  private func goBack() {
    if gtk_window_is_fullscreen(window) != 0 { return toggleFullScreen() }
    if let adding {
      // It is the note to come that is left.
      Task {
        await adding.value
        goBack()
      }
      return
    }
    if opened.giveUpTitle() { return }
    if isOpened { return closeOpened() }
    gtk_editable_set_text(builder.object("search"), "")
    focusList()
  }

  private func toggleFullScreen() {
    if gtk_window_is_fullscreen(window) != 0 {
      gtk_window_unfullscreen(window)
    } else {
      gtk_window_fullscreen(window)
    }
  }

  /// Makes the opened picture, or else all thumbnails, larger or smaller, or as they were.
  private func zoom(_ steps: Int) {
    if isOpened {
      guard steps != 0 else { return opened.picture.fit() }
      opened.picture.zoom(by: steps > 0 ? 1.25 : 0.8)
    } else {
      setThumbnailSize(steps == 0 ? .medium : ThumbnailSize.current.moved(by: steps))
    }
  }

  // MARK: - Commands

  /// Reads the target rows of a command, the opened snippet or else the selection, and then runs it.
  private func withChosenRows(_ command: @escaping ([SnippetRow]) -> Void) {
    if isOpened { return command([opened.row].compactMap(\.self)) }
    // The selection of now, which the next key may change.
    let rows = model.readSelectedRows()
    Task { command(await rows.value) }
  }

  private func moveToTrash() {
    let isOpened = isOpened
    withChosenRows { [unowned self] rows in
      let living = rows.filter { $0.deletedAt == nil }
      trashing = living.isEmpty ? nil : living
      Task {
        // What was typed goes to the trash with its snippet.
        if isOpened { await opened.text.leave() }
        editor.apply(SnippetEdit(isInTrash: true), to: rows)
      }
    }
  }

  private func undelete() {
    withChosenRows { [unowned self] in editor.apply(SnippetEdit(isInTrash: false), to: $0) }
  }

  /// Pins the chosen snippets; unpins them if all are pinned.
  private func togglePin() {
    withChosenRows { [unowned self] rows in
      editor.apply(SnippetEdit(isPinned: !rows.allSatisfy(\.isPinned)), to: rows)
    }
  }

  private func rename() {
    withChosenRows { [unowned self] rows in
      guard let row = rows.first else { return }
      ask(localized("Title"), row.title) { [unowned self] title in
        editor.apply(SnippetEdit(title: title), to: editor.shown(row))
      }
    }
  }

  private func tag() {
    withChosenRows { [unowned self] rows in
      guard let first = rows.first else { return }
      let common = first.tags.filter { tag in rows.allSatisfy { $0.tags.contains(tag) } }
      ask(localized("Tags"), common.joined(separator: " ")) { [unowned self] text in
        let words = text.tagWords
        let edit = SnippetEdit(
          addedTags: words.filter { !common.contains($0) },
          removedTags: common.filter { !words.contains($0) }
        )
        editor.apply(edit, to: rows.map(editor.shown))
      }
    }
  }

  /// Asks for a line of text.
  private func ask(_ label: String, _ text: String, _ done: @escaping (String) -> Void) {
    answerHandler = done
    gtk_label_set_text(builder.object("ask-label"), label)
    gtk_editable_set_text(builder.object("ask-entry"), text)
    gtk_popover_popup(UnsafeMutablePointer(builder.object("ask-popover")))
    gtk_widget_grab_focus(builder.widget("ask-entry"))
  }

  func connectAsking() {
    onSignal("activate", of: builder.object("ask-entry")) { [unowned self] _ in
      gtk_popover_popdown(UnsafeMutablePointer(builder.object("ask-popover")))
      answerHandler?(builder.text(of: "ask-entry"))
      gtk_widget_grab_focus(current.widget)
    }
  }

  private func addSampleLibrary() {
    Task {
      do {
        _ = try await store.save(
          contentsOf: DemoLibrary.drafts(until: Date()),
          skipsDuplicates: true
        )
      } catch { tell(error) }
    }
  }
}
#endif
