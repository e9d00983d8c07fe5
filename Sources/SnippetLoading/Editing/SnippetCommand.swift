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

/// What a command came to.
public struct CommandOutcome: Sendable, Hashable {
  /// The row after the command; `nil` where there is none to tell.
  public var row: SnippetRow?
  /// The revision that the command found; `nil` where it does not matter.
  public var formerRevision: Int64?
  /// What takes the command back; `nil` when nothing can.
  public var inverse: SnippetCommand?

  /// Describes an outcome.
  ///
  /// - Parameters:
  ///   - row: The row after the command. The default is that it is not known.
  ///   - formerRevision: The revision that the command found. The default is that it is not known.
  ///   - inverse: What takes the command back. The default is that nothing can.
  public init(
    row: SnippetRow? = nil,
    formerRevision: Int64? = nil,
    inverse: SnippetCommand? = nil
  ) {
    self.row = row
    self.formerRevision = formerRevision
    self.inverse = inverse
  }
}

/// Carries out commands from cells.
public protocol CommandReceiver: Sendable {
  /// Carries out a command.
  ///
  /// - Parameters:
  ///   - command: What to do.
  ///   - row: The snippet that it is for, as whoever sends the command has seen it.
  /// - Returns: What came of it.
  /// - Throws: Why it failed; the editor passes that on.
  func perform(_ command: SnippetCommand, on row: SnippetRow) async throws -> CommandOutcome

  /// Carries out a command for several snippets.
  ///
  /// The default does so one after the other.
  ///
  /// - Parameters:
  ///   - command: What to do.
  ///   - rows: The snippets that it is for, as whoever sends the command has seen them.
  /// - Returns: What came of it for each, in the same order.
  func perform(
    _ command: SnippetCommand,
    on rows: [SnippetRow]
  ) async -> [Result<CommandOutcome, any Error>]
}

extension CommandReceiver {
  /// Carries out a command for several snippets, one after the other.
  ///
  /// - Parameters:
  ///   - command: What to do.
  ///   - rows: The snippets that it is for, as whoever sends the command has seen them.
  /// - Returns: What came of it for each, in the same order.
  public func perform(
    _ command: SnippetCommand,
    on rows: [SnippetRow]
  ) async -> [Result<CommandOutcome, any Error>] {
    await performEach(command, on: rows)
  }

  fileprivate func performEach(
    _ command: SnippetCommand,
    on rows: [SnippetRow]
  ) async -> [Result<CommandOutcome, any Error>] {
    var outcomes: [Result<CommandOutcome, any Error>] = []
    for row in rows {
      do {
        outcomes.append(.success(try await perform(command, on: row)))
      } catch {
        outcomes.append(.failure(error))
      }
    }
    return outcomes
  }
}

extension SnippetStore: CommandReceiver {
  /// Carries out a command in one transaction, which is durable on return.
  ///
  /// - Parameters:
  ///   - command: What to do. Deleting what is already gone is no error, nor is moving what is
  ///     already there.
  ///   - row: The snippet that it is for, as it was seen: an edit of what somebody else changed
  ///     since fails.
  /// - Returns: The row after the command, and what takes it back; a snippet that is deleted for good
  ///   cannot be brought back, and what was there already has nothing to take back.
  /// - Throws: `SnippetStoreError`, as `apply(_:to:)` does.
  public func perform(
    _ command: SnippetCommand,
    on row: SnippetRow
  ) async throws -> CommandOutcome {
    switch command {
    case .edit(let edit):
      let outcome = try await apply(edit, to: row)
      return CommandOutcome(
        row: outcome.row,
        formerRevision: outcome.formerRevision,
        inverse: .edit(outcome.inverse)
      )
    case .moveToTrash:
      return CommandOutcome(ofMoving: try await rowsMovedToTrash([row.id]).first, .undelete)
    case .undelete:
      return CommandOutcome(ofMoving: try await rowsUndeleted([row.id]).first, .moveToTrash)
    case .delete:
      try await delete([row.id])
      return CommandOutcome()
    }
  }

  /// Carries out a command for several snippets: an edit in a transaction for each, anything else in
  /// one for all, which is durable on return.
  ///
  /// - Parameters:
  ///   - command: What to do.
  ///   - rows: The snippets that it is for.
  /// - Returns: For each the outcome, or the `SnippetStoreError`, as of `perform(_:on:)` for one.
  public func perform(
    _ command: SnippetCommand,
    on rows: [SnippetRow]
  ) async -> [Result<CommandOutcome, any Error>] {
    let ids = rows.map(\.id)
    do {
      switch command {
      case .edit: return await performEach(command, on: rows)
      case .moveToTrash:
        return outcomes(ofMoving: try await rowsMovedToTrash(ids), .undelete, of: ids)
      case .undelete:
        return outcomes(ofMoving: try await rowsUndeleted(ids), .moveToTrash, of: ids)
      case .delete:
        try await delete(ids)
        return ids.map { _ in .success(CommandOutcome()) }
      }
    } catch {
      return ids.map { _ in .failure(error) }
    }
  }

  /// What moving snippets into the trash or out of it came to.
  private func outcomes(
    ofMoving moved: [SnippetRow],
    _ inverse: SnippetCommand,
    of ids: [SnippetID]
  ) -> [Result<CommandOutcome, any Error>] {
    let moved = Dictionary(moved.map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    return ids.map { .success(CommandOutcome(ofMoving: moved[$0], inverse)) }
  }
}

extension CommandOutcome {
  /// A move is one revision; what was not moved has nothing to take back.
  fileprivate init(ofMoving row: SnippetRow?, _ inverse: SnippetCommand) {
    self.init(
      row: row,
      formerRevision: row.map { $0.revision - 1 },
      inverse: row == nil ? nil : inverse
    )
  }
}
