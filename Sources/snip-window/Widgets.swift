#if GTK
import CGTK
import SnippetGTK

typealias Widget = UnsafeMutablePointer<GtkWidget>

/// The widgets from a description for GTK's builder, by their names.
@MainActor
final class Builder {
  private let builder: OpaquePointer

  /// Makes the widgets.
  ///
  /// - Parameter description: A description of this program, which GTK can read.
  init(_ description: [UInt8]) {
    builder = description.withUnsafeBytes { bytes in
      gtk_builder_new_from_string(bytes.bindMemory(to: CChar.self).baseAddress, bytes.count)
    }
  }

  isolated deinit {
    g_object_unref(UnsafeMutableRawPointer(builder))
  }

  func object(_ name: String) -> OpaquePointer {
    guard let object = gtk_builder_get_object(builder, name) else {
      preconditionFailure("The description has no \(name).")
    }
    return OpaquePointer(object)
  }

  func widget(_ name: String) -> Widget { Widget(object(name)) }

  /// Shows one page of a stack.
  func show(_ page: String, in stack: String) {
    gtk_stack_set_visible_child(object(stack), widget(page))
  }

  /// The text of an entry.
  func text(of entry: String) -> String { String(cString: gtk_editable_get_text(object(entry))) }

  func isOn(_ button: String) -> Bool {
    gtk_check_button_get_active(UnsafeMutablePointer(object(button))) != 0
  }
}

extension String {
  /// Takes ownership of a text from GLib.
  init(taking text: UnsafeMutablePointer<CChar>?) {
    self = text.map { String(cString: $0) } ?? ""
    g_free(text)
  }
}

/// Has keys call an action of the windows of a program.
@MainActor
func setKeys(
  _ keys: [String],
  of action: String,
  in application: UnsafeMutablePointer<GtkApplication>
) {
  var keys: [UnsafePointer<CChar>?] = keys.map { UnsafePointer(strdup($0)) } + [nil]
  gtk_application_set_accels_for_action(application, action, &keys)
  for key in keys { free(UnsafeMutablePointer(mutating: key)) }
}
#endif
