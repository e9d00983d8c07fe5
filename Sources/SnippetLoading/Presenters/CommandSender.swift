internal import SnippetStorage

/// Sends the commands of one view.
///
/// A command goes to the snippet that the view shows at that moment. Nothing is sent while it shows
/// none, or once the view or the list is gone.
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
  /// Every view that shows the snippet shows it changed by then, this one too. A command that fails
  /// is taken back there, and ``SnippetEditor/failureHandler`` is told.
  ///
  /// - Parameter command: What to do with the snippet on show.
  /// - Returns: The running command, to wait for its end; `nil` when nothing was sent.
  @discardableResult
  public func send(_ command: SnippetCommand) -> Task<Void, Never>? {
    guard let view else { return nil }
    return target?.send(command, from: view)
  }

  /// Keeps fields of the snippet as the view shows them while somebody edits them there.
  ///
  /// - Parameter fields: The fields: the title, the preview, the pin or the tags.
  public func beginEditing(_ fields: SnippetFields) {
    guard let view, let row = target?.row(in: view) else { return }
    target?.editor?.beginEditing(fields, of: row)
  }

  /// Lets the fields of the snippet show again what they are; send the edit first.
  public func endEditing() {
    guard let view, let row = target?.row(in: view) else { return }
    target?.editor?.endEditing(row.id)
  }

  /// Tries again at once to load what the view failed to get.
  public func retry() {
    guard let view else { return }
    target?.retry(view)
  }
}

/// Takes the commands of views, and knows which snippet each view shows.
@MainActor
protocol CommandTarget: AnyObject {
  /// Carries out the commands; `nil` when they lead nowhere.
  var editor: SnippetEditor? { get }

  /// The row that a view shows; `nil` when it shows none.
  func row(in view: AnyObject) -> SnippetRow?

  /// Carries out a command for the snippet that a view shows; `nil` when there is none.
  func send(_ command: SnippetCommand, from view: AnyObject) -> Task<Void, Never>?

  /// Tries again at once to load what a view failed to get.
  func retry(_ view: AnyObject)
}
