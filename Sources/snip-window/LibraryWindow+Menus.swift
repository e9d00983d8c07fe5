#if GTK
import CGTK
import SnipCore
import SnippetGTK
import SnippetLoading
import SnippetStorage

/// The menus of rows, the keys of the list, and windows beside this one.
extension LibraryWindow {
  private static let lists = ["list", "grid"]
  private static let openedPages = ["opened-picture-page", "opened-sound"]

  private var popover: UnsafeMutablePointer<GtkPopover> {
    UnsafeMutablePointer(OpaquePointer(menu))
  }

  func connectMenus(of application: UnsafeMutablePointer<GtkApplication>) {
    gtk_widget_set_parent(menu, builder.widget("content"))
    gtk_popover_set_has_arrow(popover, 0)
    gtk_widget_set_halign(menu, GTK_ALIGN_START)
    onSignal("closed", of: menu) { [unowned self] _ in
      // Once the chosen command has run, which may ask for something.
      Task {
        guard !isOpened, gtk_widget_get_mapped(builder.widget("ask-popover")) == 0 else { return }
        focusList()
      }
    }
    for name in Self.lists + Self.openedPages {
      let page = builder.widget(name)
      let clicks: OpaquePointer = gtk_gesture_click_new()
      gtk_gesture_single_set_button(clicks, guint(GDK_BUTTON_SECONDARY))
      onSignal("pressed", of: clicks) { [unowned self] signal in
        showMenu(at: (signal.double(2), signal.double(3)), in: page)
      }
      gtk_widget_add_controller(page, clicks)
      // A text that is typed needs these keys itself, so they belong to the pages without one.
      let keys: OpaquePointer = gtk_shortcut_controller_new()
      for (key, action) in [
        ("<Control>c", "win.copy"), ("<Control>z", "win.undo"), ("Menu", "win.menu"),
      ] {
        gtk_shortcut_controller_add_shortcut(
          keys,
          gtk_shortcut_new(gtk_shortcut_trigger_parse_string(key), gtk_named_action_new(action))
        )
      }
      gtk_widget_add_controller(page, keys)
    }
    for name in Self.lists { connectKeys(of: builder.widget(name)) }
    setKeys(["<Control>question"], of: "win.show-help-overlay", in: application)
    let keys = Builder(PackageResources.keys_ui)
    gtk_application_window_set_help_overlay(
      UnsafeMutablePointer(OpaquePointer(window)),
      keys.object("keys")
    )
  }

  /// Has the first key select a row, and Delete move rows to the trash or out of it for good.
  private func connectKeys(of list: Widget) {
    let arrows = [
      GDK_KEY_Down, GDK_KEY_Up, GDK_KEY_Left, GDK_KEY_Right, GDK_KEY_Page_Down, GDK_KEY_Page_Up,
    ].map(Int.init)
    let keys: OpaquePointer = gtk_event_controller_key_new()
    gtk_event_controller_set_propagation_phase(keys, GTK_PHASE_CAPTURE)
    onSignal("key-pressed", of: keys) { [unowned self] signal in
      let state = gtk_event_controller_get_current_event_state(keys).rawValue
      let modifiers =
        GDK_SHIFT_MASK.rawValue | GDK_CONTROL_MASK.rawValue | GDK_ALT_MASK.rawValue
      guard state & modifiers == 0 else { return signal.answer(false) }
      switch signal.number(1) {
      case Int(GDK_KEY_Delete):
        activate(filter.isInTrash ? "win.delete" : "win.trash")
        signal.answer(true)
      case let key where arrows.contains(key) && model.selectedPositions.isEmpty && model.count > 0:
        // Without a selection GTK starts from a row that is not to be seen, or from none.
        let first = current.visible.lowerBound
        model.select(first)
        current.focus(first)
        signal.answer(true)
      default: signal.answer(false)
      }
    }
    gtk_widget_add_controller(list, keys)
  }

  private func activate(_ action: String) {
    gtk_widget_activate_action_variant(builder.widget("content"), action, nil)
  }

  /// Shows the menu of the selected row, for a key.
  func showMenu() {
    let page = builder.widget(isOpened ? "opened" : isGallery ? "grid" : "list")
    let middle = (
      x: Double(gtk_widget_get_width(page)) / 2, y: Double(gtk_widget_get_height(page)) / 2
    )
    let selected = isOpened ? nil : model.selectedPositions.first
    guard isOpened || selected != nil else { return }
    popUp(at: selected.flatMap(current.middle) ?? middle, in: page)
  }

  /// Shows the menu of what is at a place, and selects a row there that is not selected.
  private func showMenu(at place: (x: Double, y: Double), in page: Widget) {
    if !isOpened {
      var (x, y) = (0.0, 0.0)
      gtk_widget_translate_coordinates(page, current.widget, place.x, place.y, &x, &y)
      guard let position = current.position(atX: x, y: y) else { return }
      if !model.selectedPositions.contains(position) { model.select(position) }
      current.focus(position)
    }
    popUp(at: place, in: page)
  }

  private func popUp(at place: (x: Double, y: Double), in page: Widget) {
    let name = isOpened ? "opened-menu" : filter.isInTrash ? "trash-menu" : "row-menu"
    gtk_popover_menu_set_menu_model(OpaquePointer(menu), UnsafeMutablePointer(builder.object(name)))
    var (x, y) = (0.0, 0.0)
    gtk_widget_translate_coordinates(page, builder.widget("content"), place.x, place.y, &x, &y)
    var point = GdkRectangle(x: Int32(x), y: Int32(y), width: 1, height: 1)
    gtk_popover_set_pointing_to(popover, &point)
    gtk_popover_popup(popover)
  }

  func showAbout() {
    let builder = Builder(PackageResources.about_ui)
    let about: UnsafeMutablePointer<GtkWindow> = UnsafeMutablePointer(builder.object("about"))
    gtk_about_dialog_set_version(OpaquePointer(about), ProgramVersion.current)
    gtk_about_dialog_set_logo_icon_name(OpaquePointer(about), DesktopEntry.identifier)
    gtk_window_set_transient_for(about, window)
    gtk_window_present(about)
  }
}
#endif
