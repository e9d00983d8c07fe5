internal import Foundation
import SnippetStorage

/// Changes a snippet, or deletes it for good.
enum EditAction: Hashable {
  case edit(SnippetEdit)
  case delete

  /// The edit; `nil` for a deletion.
  var edit: SnippetEdit? {
    if case .edit(let edit) = self { edit } else { nil }
  }
}

/// What cells show of snippets beyond their rows: the edits that are under way, and the fields that
/// are being edited in place.
///
/// Pure: actions come in, and what to carry out next comes back. Of one snippet one action is
/// carried out at a time, in their order; edits that wait become one.
struct EditOverlay {
  /// An edit or a deletion that has not ended yet.
  struct PendingAction: Equatable {
    let number: UInt64
    var action: EditAction
    /// The row that it was made from.
    var seen: SnippetRow
  }

  private struct Snippet {
    var running: PendingAction?
    var waiting: [PendingAction] = []
    /// The newest row that an edit led to; lists may be behind it.
    var confirmed: SnippetRow?
    /// The deletion that has ended, until the lists have followed.
    var deletion: PendingAction?
    /// The fields that are being edited in place, and the row that has them.
    var heldFields: SnippetFields = []
    var heldRow: SnippetRow?

    var isAtRest: Bool { running == nil && waiting.isEmpty && heldRow == nil }
  }

  /// How many idle snippets keep their last row.
  private static let capacity = 200

  private var snippets: [SnippetID: Snippet] = [:]
  private var lastNumber: UInt64 = 0
  /// The snippets that have come to rest, those that did so first in front.
  private var atRest: [SnippetID] = []

  /// Takes an action in.
  ///
  /// - Returns: The number of the action; that of an edit that waits already, if this one joins it.
  mutating func add(_ action: EditAction, seen row: SnippetRow) -> UInt64 {
    var snippet = snippets[row.id] ?? Snippet()
    defer { snippets[row.id] = snippet }
    // A move to the trash stays an edit of its own, so that it is undone by itself.
    if let edit = action.edit, edit.isInTrash == nil, let last = snippet.waiting.indices.last,
      let former = snippet.waiting[last].action.edit, former.isInTrash == nil
    {
      snippet.waiting[last].action = .edit(former.joined(with: edit))
      return snippet.waiting[last].number
    }
    let number = newNumber()
    snippet.waiting.append(PendingAction(number: number, action: action, seen: row))
    return number
  }

  /// A number that no action has had.
  mutating func newNumber() -> UInt64 {
    lastNumber += 1
    return lastNumber
  }

  /// The action to carry out now; `nil` when one is under way, or none waits.
  mutating func begin(of id: SnippetID) -> PendingAction? {
    guard var snippet = snippets[id], snippet.running == nil, !snippet.waiting.isEmpty else {
      return nil
    }
    let next = snippet.waiting.removeFirst()
    snippet.running = next
    snippets[id] = snippet
    return next
  }

  /// The action under way has succeeded.
  ///
  /// - Parameters:
  ///   - id: The snippet.
  ///   - outcome: The outcome of an edit; `nil` for a deletion.
  mutating func finish(_ id: SnippetID, _ outcome: EditOutcome?) {
    guard var snippet = snippets[id], let ended = snippet.running else { return }
    snippet.running = nil
    if let outcome {
      let row = outcome.row
      if snippet.confirmed.map({ $0.revision < row.revision }) ?? true { snippet.confirmed = row }
      // Without an edit by others in between, what was seen is what is there now.
      for index in snippet.waiting.indices
      where snippet.waiting[index].seen.revision == ended.seen.revision
        && outcome.formerRevision == ended.seen.revision
      {
        snippet.waiting[index].seen = snippet.waiting[index].seen.copy(revision: row.revision)
      }
    } else {
      snippet.deletion = ended
    }
    snippets[id] = snippet
    noteRest(of: id)
  }

  /// The action under way has failed.
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
  /// - Returns: The row with the edits that are under way.
  func shown(_ stored: SnippetRow) -> SnippetRow {
    // Nearly always there is nothing.
    guard !snippets.isEmpty, let snippet = snippets[stored.id] else { return stored }
    var row = stored
    if let confirmed = snippet.confirmed, confirmed.revision > row.revision { row = confirmed }
    if let deletion = snippet.deletion, stored.revision <= deletion.seen.revision {
      row = row.shown(after: deletion.action)
    }
    for pending in [snippet.running].compactMap(\.self) + snippet.waiting {
      row = row.shown(after: pending.action)
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
  /// The row as an action is expected to leave it.
  fileprivate func shown(after action: EditAction) -> SnippetRow {
    edited(by: action.edit ?? SnippetEdit(isInTrash: true))
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
      isInTrash: next.isInTrash ?? isInTrash,
      addedTags: addedTags.filter { !next.removedTags.contains($0) && !next.addedTags.contains($0) }
        + next.addedTags,
      removedTags: removedTags.filter {
        !next.addedTags.contains($0) && !next.removedTags.contains($0)
      } + next.removedTags
    )
  }
}
