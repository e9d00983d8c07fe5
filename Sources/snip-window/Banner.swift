#if GTK
import CGTK
import Foundation
import SnippetGTK

/// The message above the list, with buttons for what can be done about it.
@MainActor
final class Banner {
  typealias Remedy = (label: String, action: () -> Void)

  /// The subject of a message that is hidden once it is settled in another way.
  enum Subject {
    /// The text that is edited.
    case text
    /// The step that was taken last, which can be undone.
    case lastStep
    /// The list, which could not be read.
    case list
  }

  /// Called when a message is hidden that had the focus of the keyboard.
  var focusHandler: (() -> Void)?

  private static let buttons = ["remedy", "second-remedy", "third-remedy"]
  private let builder: Builder
  private var remedies: [() -> Void] = []
  private var subject: Subject?

  init(_ builder: Builder) {
    self.builder = builder
    onSignal("clicked", of: builder.object("dismiss")) { [unowned self] _ in hide() }
    for (number, button) in Self.buttons.enumerated() {
      onSignal("clicked", of: builder.object(button)) { [unowned self] _ in
        hide()
        remedies[number]()
      }
    }
  }

  /// Shows a message until the user dismisses it, or another one comes.
  ///
  /// - Parameters:
  ///   - message: The message.
  ///   - isFailure: Whether it tells of a failure. The default is that it does not.
  ///   - needsAnswer: Whether only a button of a remedy hides it: it must not be put away with the
  ///     question open. The default is that it can be closed.
  ///   - subject: The subject, to hide the message by. The default is none.
  ///   - remedies: The buttons, at most three; none by default.
  func show(
    _ message: String,
    isFailure: Bool = false,
    needsAnswer: Bool = false,
    about subject: Subject? = nil,
    _ remedies: [Remedy] = []
  ) {
    self.subject = subject
    gtk_label_set_text(builder.object("message"), message)
    gtk_widget_remove_css_class(builder.widget("banner"), "failed")
    if isFailure { gtk_widget_add_css_class(builder.widget("banner"), "failed") }
    self.remedies = remedies.map(\.action)
    for (number, name) in Self.buttons.enumerated() {
      let label = number < remedies.count ? remedies[number].label : ""
      gtk_button_set_label(UnsafeMutablePointer(builder.object(name)), label)
      gtk_widget_set_visible(builder.widget(name), label.isEmpty ? 0 : 1)
    }
    // It keeps its place, so that the other buttons do not move.
    gtk_widget_set_opacity(builder.widget("dismiss"), needsAnswer ? 0 : 1)
    gtk_widget_set_sensitive(builder.widget("dismiss"), needsAnswer ? 0 : 1)
    gtk_widget_set_visible(builder.widget("banner"), 1)
  }

  func hide() {
    subject = nil
    let hadFocus = gtk_widget_get_focus_child(builder.widget("banner")) != nil
    gtk_widget_set_visible(builder.widget("banner"), 0)
    if hadFocus { focusHandler?() }
  }

  /// Hides the message if it is about a subject.
  func hide(about subject: Subject) {
    if self.subject == subject { hide() }
  }
}
#endif
