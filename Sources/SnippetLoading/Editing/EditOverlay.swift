internal import Foundation
import SnippetStorage

/// What cells show of snippets beyond their rows: the commands that are under way, and the fields
/// that somebody is editing.
///
/// Pure: commands come in, and what to carry out next comes back. Of one snippet one command is
/// carried out at a time, in their order; edits that wait become one.
struct EditOverlay {
  /// A command that has not come to anything yet.
  struct Command: Equatable {
    let number: UInt64
    var command: SnippetCommand
    /// The row that it was made from.
    var seen: SnippetRow
  }

  private struct Snippet {
    var running: Command?
    var waiting: [Command] = []
    /// The newest row that a command came to; lists may be behind it.
    var confirmed: SnippetRow?
    /// A command that told no row, until the lists have one.
    var settled: Command?
    /// The fields that somebody is editing, as they are shown meanwhile.
    var heldFields: SnippetFields = []
    var heldRow: SnippetRow?

    var isAtRest: Bool { running == nil && waiting.isEmpty && heldRow == nil }
  }

  /// Of how many snippets at rest the last row is kept.
  private static let capacity = 200

  private var snippets: [SnippetID: Snippet] = [:]
  private var lastNumber: UInt64 = 0
  /// The snippets that have come to rest, those that did so first in front.
  private var atRest: [SnippetID] = []

  /// Takes a command in.
  ///
  /// - Returns: The number of the command; that of an edit that waits already, if this one joins it.
  mutating func add(_ command: SnippetCommand, seen row: SnippetRow) -> UInt64 {
    var snippet = snippets[row.id] ?? Snippet()
    defer { snippets[row.id] = snippet }
    if case .edit(let edit) = command, let last = snippet.waiting.indices.last,
      case .edit(let former) = snippet.waiting[last].command
    {
      snippet.waiting[last].command = .edit(former.joined(with: edit))
      return snippet.waiting[last].number
    }
    lastNumber += 1
    snippet.waiting.append(Command(number: lastNumber, command: command, seen: row))
    return lastNumber
  }

  /// The command to carry out now; `nil` when one is under way, or none waits.
  mutating func begin(of id: SnippetID) -> Command? {
    guard var snippet = snippets[id], snippet.running == nil, !snippet.waiting.isEmpty else {
      return nil
    }
    let command = snippet.waiting.removeFirst()
    snippet.running = command
    snippets[id] = snippet
    return command
  }

  /// The command under way has come to something.
  mutating func finish(_ id: SnippetID, _ outcome: CommandOutcome) {
    guard var snippet = snippets[id], let command = snippet.running else { return }
    snippet.running = nil
    if let row = outcome.row {
      if snippet.confirmed.map({ $0.revision < row.revision }) ?? true { snippet.confirmed = row }
      // Where nobody else came between, what was seen is what is there now.
      for index in snippet.waiting.indices
      where snippet.waiting[index].seen.revision == command.seen.revision
        && outcome.formerRevision == command.seen.revision
      {
        snippet.waiting[index].seen = snippet.waiting[index].seen.copy(revision: row.revision)
      }
    } else {
      snippet.settled = command
    }
    snippets[id] = snippet
    noteRest(of: id)
  }

  /// The command under way has failed.
  mutating func takeBack(_ id: SnippetID) {
    snippets[id]?.running = nil
    noteRest(of: id)
  }

  /// Keeps fields of a snippet as they are shown until ``release(_:)``.
  mutating func hold(_ fields: SnippetFields, of row: SnippetRow) {
    snippets[row.id, default: Snippet()].heldFields.formUnion(fields)
    snippets[row.id]?.heldRow = row
  }

  /// Lets the fields of a snippet follow its rows again.
  mutating func release(_ id: SnippetID) {
    snippets[id]?.heldFields = []
    snippets[id]?.heldRow = nil
    noteRest(of: id)
  }

  /// The row that a cell is shown.
  ///
  /// - Parameter stored: The row as a list has it, which may be behind.
  /// - Returns: The row with the commands that are under way.
  func shown(_ stored: SnippetRow) -> SnippetRow {
    // Nearly always there is nothing.
    guard !snippets.isEmpty, let snippet = snippets[stored.id] else { return stored }
    var row = stored
    if let confirmed = snippet.confirmed, confirmed.revision > row.revision { row = confirmed }
    if let settled = snippet.settled, stored.revision <= settled.seen.revision {
      row = row.shown(after: settled.command)
    }
    for command in [snippet.running].compactMap(\.self) + snippet.waiting {
      row = row.shown(after: command.command)
    }
    guard let held = snippet.heldRow else { return row }
    return row.keeping(snippet.heldFields, of: held)
  }

  private mutating func noteRest(of id: SnippetID) {
    guard snippets[id]?.isAtRest == true else { return }
    atRest.removeAll { $0 == id }
    atRest.append(id)
    guard atRest.count > Self.capacity else { return }
    let oldest = atRest.removeFirst()
    if snippets[oldest]?.isAtRest == true { snippets[oldest] = nil }
  }
}

extension SnippetRow {
  /// The row as a command is expected to leave it.
  fileprivate func shown(after command: SnippetCommand) -> SnippetRow {
    switch command {
    case .edit(let edit): edited(by: edit)
    case .moveToTrash, .delete: copy(deletedAt: deletedAt ?? modifiedAt)
    case .undelete: copy(deletedAt: .some(nil))
    }
  }

  /// The row with some fields as another has them.
  fileprivate func keeping(_ fields: SnippetFields, of other: SnippetRow) -> SnippetRow {
    // The preview stands for the text, which is known by its revision or its blob.
    let keepsText = fields.contains(.preview)
    return copy(
      title: fields.contains(.title) ? other.title : nil,
      preview: keepsText ? other.preview : nil,
      isPinned: fields.contains(.isPinned) ? other.isPinned : nil,
      tags: fields.contains(.tags) ? other.tags : nil,
      byteCount: keepsText ? other.byteCount : nil,
      revision: keepsText ? other.revision : nil,
      blobID: keepsText ? .some(other.blobID) : nil
    )
  }
}

extension SnippetEdit {
  /// Both edits as one, of which the second comes later.
  func joined(with next: SnippetEdit) -> SnippetEdit {
    SnippetEdit(
      title: next.title ?? title,
      text: next.text ?? text,
      isPinned: next.isPinned ?? isPinned,
      addedTags: addedTags.filter { !next.removedTags.contains($0) && !next.addedTags.contains($0) }
        + next.addedTags,
      removedTags: removedTags.filter {
        !next.addedTags.contains($0) && !next.removedTags.contains($0)
      } + next.removedTags
    )
  }
}
