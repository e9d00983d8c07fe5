internal import SnippetStorage

/// Sends the commands of one view.
///
/// A command goes to the snippet that the view shows at that moment. Nothing is sent while the view
/// is empty, or once the view or the list is gone.
@MainActor
public struct CommandSender {
  private weak var target: (any CommandTarget)?
  private weak var view: AnyObject?

  init(target: any CommandTarget, view: AnyObject) {
    self.target = target
    self.view = view
  }

  /// Sends a command and returns at once.
  ///
  /// When this returns, every view of the snippet shows the change, including this one. If the
  /// command fails, the change is taken back there and ``SnippetEditor/failureHandler`` is called.
  ///
  /// - Parameter command: The command for the snippet on show.
  /// - Returns: The running command, to await its end; `nil` when nothing was sent.
  @discardableResult
  public func send(_ command: SnippetCommand) -> Task<Void, Never>? {
    guard let view else { return nil }
    return target?.send(command, from: view)
  }

  /// Keeps fields of the snippet as the view shows them while the user edits them there.
  ///
  /// - Parameter fields: The fields: the title, the preview, the pin or the tags.
  public func beginEditing(_ fields: SnippetFields) {
    guard let view, let row = target?.row(in: view) else { return }
    target?.editor?.beginEditing(fields, of: row)
  }

  /// Lets the fields follow the snippet again; send the edit first.
  public func endEditing() {
    guard let view, let row = target?.row(in: view) else { return }
    target?.editor?.endEditing(row.id)
  }

  /// Retries failed loads of the view at once.
  public func retry() {
    guard let view else { return }
    target?.retry(view)
  }
}

/// Takes the commands of views, and knows the snippet of each view.
@MainActor
protocol CommandTarget: AnyObject {
  /// Carries out the commands; `nil` when there is no editor.
  var editor: SnippetEditor? { get }

  /// The row that a view shows; `nil` when it is empty.
  func row(in view: AnyObject) -> SnippetRow?

  /// Carries out a command for the snippet of a view; `nil` when there is none.
  func send(_ command: SnippetCommand, from view: AnyObject) -> Task<Void, Never>?

  /// Retries failed loads of a view at once.
  func retry(_ view: AnyObject)
}
