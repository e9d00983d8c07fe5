public import SnippetStorage

/// An edit of a snippet, as a user makes it in a cell.
public enum SnippetCommand: Hashable, Sendable {
  /// Change the title, the text, the pin or the tags.
  case edit(SnippetEdit)
  /// Move the snippet to the trash.
  case moveToTrash
  /// Bring the snippet back from the trash.
  case undelete
  /// Delete the snippet for good.
  case delete
}

/// Carries out commands from cells.
public protocol CommandReceiver: Sendable {
  /// Carries out a command.
  ///
  /// - Parameters:
  ///   - command: What to do.
  ///   - id: The snippet that it is for.
  /// - Throws: Why it failed; the data source passes that to its failure handler.
  func perform(_ command: SnippetCommand, on id: SnippetID) async throws
}

extension SnippetStore: CommandReceiver {
  /// Carries out a command in one transaction, which is durable on return.
  ///
  /// - Parameters:
  ///   - command: What to do. Deleting what is already gone is no error, nor is moving what is
  ///     already there.
  ///   - id: The snippet that it is for.
  /// - Throws: `SnippetStoreError`, as `update(_:with:)` does.
  public func perform(_ command: SnippetCommand, on id: SnippetID) async throws {
    switch command {
    case .edit(let edit): try await update(id, with: edit)
    case .moveToTrash: try await moveToTrash([id])
    case .undelete: try await undelete([id])
    case .delete: try await delete([id])
    }
  }
}

/// Sends the commands of one view.
///
/// A command goes to the snippet that the view shows at that moment. Nothing is sent while it shows
/// none, or once the view or the list is gone.
@MainActor
public struct CommandSender {
  private weak var dataSource: SnippetDataSource?
  private weak var view: AnyObject?

  init(dataSource: SnippetDataSource, view: AnyObject) {
    self.dataSource = dataSource
    self.view = view
  }

  /// Sends a command and returns at once.
  ///
  /// The change comes back to every view that shows the snippet, this one too. A failure goes to
  /// ``SnippetDataSource/commandFailureHandler``.
  ///
  /// - Parameter command: What to do with the snippet on show.
  /// - Returns: The running command, to wait for its end; `nil` when nothing was sent.
  @discardableResult
  public func send(_ command: SnippetCommand) -> Task<Void, Never>? {
    guard let view else { return nil }
    return dataSource?.send(command, from: view)
  }

  /// Tries again at once to load what the view failed to get.
  public func retry() {
    guard let view else { return }
    dataSource?.retry(view)
  }
}
