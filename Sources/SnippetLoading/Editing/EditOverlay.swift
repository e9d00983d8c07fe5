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

  /// The state of one snippet, which is small because there may be many.
  private struct Snippet {
    /// The actions that have not ended, in their order.
    var pending: [PendingAction] = []
    /// Whether the first of them is under way.
    var isRunning = false
    /// The newest row that an edit led to; lists may be behind it.
    var confirmed: SnippetRow?
    /// The revision whose deletion has ended, until the lists have followed.
    var deletedRevision: Int64?
  }

  /// The number of idle snippets that keep their last row, unless more became idle together.
  private static let capacity = 200

  private var snippets: [SnippetID: Snippet] = [:]
  /// The fields that are being edited in place, and the rows that have them.
  private var held: [SnippetID: (fields: SnippetFields, row: SnippetRow)] = [:]
  private var lastNumber: UInt64 = 0
  /// The snippets that have come to rest, those that did so first in front.
  private var atRest: [SnippetID] = []

  /// Prepares for actions of so many snippets more.
  mutating func reserve(_ count: Int) { snippets.reserveCapacity(snippets.count + count) }

  /// Takes an action in.
  ///
  /// - Returns: The number of the action; that of an edit that waits already, if this one joins it.
  mutating func add(_ action: EditAction, seen row: SnippetRow) -> UInt64 {
    // A move to the trash stays an edit of its own, so that it is undone by itself.
    if let snippet = snippets[row.id], let last = snippet.pending.indices.last,
      last > 0 || !snippet.isRunning, let edit = action.edit, edit.isInTrash == nil,
      let former = snippet.pending[last].action.edit, former.isInTrash == nil
    {
      snippets[row.id]?.pending[last].action = .edit(former.joined(with: edit))
      return snippet.pending[last].number
    }
    let number = newNumber()
    snippets[row.id, default: Snippet()].pending
      .append(PendingAction(number: number, action: action, seen: row))
    return number
  }

  /// A number that no action has had.
  mutating func newNumber() -> UInt64 {
    lastNumber += 1
    return lastNumber
  }

  /// The action to carry out now; `nil` when one is under way, or none waits.
  mutating func begin(of id: SnippetID) -> PendingAction? {
    guard let snippet = snippets[id], !snippet.isRunning, let next = snippet.pending.first else {
      return nil
    }
    snippets[id]?.isRunning = true
    return next
  }

  /// The action under way has succeeded; call ``rest(_:)`` afterwards.
  ///
  /// - Parameters:
  ///   - id: The snippet.
  ///   - outcome: The outcome of an edit; `nil` for a deletion.
  mutating func finish(_ id: SnippetID, _ outcome: EditOutcome?) {
    guard var snippet = snippets[id], snippet.isRunning else { return }
    let ended = snippet.pending.removeFirst()
    snippet.isRunning = false
    if let outcome {
      let row = outcome.row
      if snippet.confirmed.map({ $0.revision < row.revision }) ?? true { snippet.confirmed = row }
      // Without an edit by others in between, what was seen is what is there now.
      for index in snippet.pending.indices
      where snippet.pending[index].seen.revision == ended.seen.revision
        && outcome.formerRevision == ended.seen.revision
      {
        snippet.pending[index].seen = snippet.pending[index].seen.copy(revision: row.revision)
      }
    } else {
      snippet.deletedRevision = ended.seen.revision
    }
    snippets[id] = snippet
  }

  /// The action under way has failed; call ``rest(_:)`` afterwards.
  mutating func takeBack(_ id: SnippetID) {
    guard snippets[id]?.isRunning == true else { return }
    snippets[id]?.pending.removeFirst()
    snippets[id]?.isRunning = false
  }

  /// Forgets snippets that have been idle for longer than these, of which an action has ended.
  ///
  /// Those that come to rest together are all kept: the lists may be behind them all.
  mutating func rest(_ ids: [SnippetID]) {
    let resting = Set(ids.filter(isAtRest))
    guard !resting.isEmpty else { return }
    atRest.removeAll(where: resting.contains)
    atRest += resting
    let oldest = atRest.prefix(max(0, atRest.count - max(Self.capacity, resting.count)))
    for id in oldest where isAtRest(id) { snippets[id] = nil }
    atRest.removeFirst(oldest.count)
  }

  private func isAtRest(_ id: SnippetID) -> Bool {
    held[id] == nil && snippets[id].map(\.pending.isEmpty) == true
  }

  /// Keeps fields of a snippet as they are shown until ``release(_:)``.
  mutating func hold(_ fields: SnippetFields, of row: SnippetRow) {
    held[row.id] = (fields.union(held[row.id]?.fields ?? []), row)
  }

  /// Lets the fields of a snippet follow its rows again.
  mutating func release(_ id: SnippetID) {
    held[id] = nil
    rest([id])
  }

  /// The row that a cell is shown.
  ///
  /// - Parameter stored: The row as a list has it, which may be behind.
  /// - Returns: The row with the edits that are under way.
  func shown(_ stored: SnippetRow) -> SnippetRow {
    // Nearly always there is nothing.
    guard !snippets.isEmpty || !held.isEmpty else { return stored }
    var row = stored
    if let snippet = snippets[stored.id] {
      if let confirmed = snippet.confirmed, confirmed.revision > row.revision { row = confirmed }
      if let deletedRevision = snippet.deletedRevision, stored.revision <= deletedRevision {
        row = row.shown(after: .delete)
      }
      for pending in snippet.pending { row = row.shown(after: pending.action) }
    }
    guard let held = held[stored.id] else { return row }
    return row.keeping(held.fields, of: held.row)
  }
}

extension SnippetRow {
  /// The row as an action is expected to leave it.
  fileprivate func shown(after action: EditAction) -> SnippetRow {
    edited(by: action.edit ?? SnippetEdit(isInTrash: true))
  }

  /// The row with some fields as another has them.
  fileprivate func keeping(_ fields: SnippetFields, of other: SnippetRow) -> SnippetRow {
    // The preview stands for the text or the note, which is known by its revision or its blob.
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
      note: next.note ?? note,
      isPinned: next.isPinned ?? isPinned,
      createdAt: next.createdAt ?? createdAt,
      isInTrash: next.isInTrash ?? isInTrash,
      addedTags: addedTags.filter { !next.removedTags.contains($0) && !next.addedTags.contains($0) }
        + next.addedTags,
      removedTags: removedTags.filter {
        !next.addedTags.contains($0) && !next.removedTags.contains($0)
      } + next.removedTags
    )
  }
}
