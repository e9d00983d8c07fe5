internal import Foundation
import SnippetBase
import SnippetStorage

/// Shows the text of a run, and hears what becomes of it.
@MainActor
protocol TextSessionHost: AnyObject {
  func isOnScreen(_ run: TextSessionRun) -> Bool
  /// Shows another text than the one that was typed.
  func show(_ text: String)
  /// The state of a text has changed.
  func textDidChange()
  /// A text could not be saved or kept.
  func didFail(_ run: TextSessionRun, with error: any Error)
  /// A text was left, and is in the store or kept.
  func didEnd(_ run: TextSessionRun)
}

/// A text on its way into the store: it carries out what its session says, and tells the session of
/// answers, pauses and what others do.
@MainActor
final class TextSessionRun {
  /// The surroundings that all texts of an editor share.
  struct Surroundings {
    let texts: any EditedTexts
    let unsaved: UnsavedTexts?
    let pause: Duration
    let environment: LoaderEnvironment
  }

  private(set) var session: TextSession
  private(set) var row: SnippetRow?
  /// Takes back what the saves since the version of others have changed besides the text.
  private(set) var inverse = SnippetEdit()
  /// The title of that version.
  private var formerTitle: String?
  /// The keys of the tags that the snippet had before a text said them.
  ///
  /// A pause behind `#work` on the way to `#workshop` does not make the tag that of the text.
  private var ownTags: Set<[UInt8]> = []
  /// The file that it is kept in.
  private(set) var claim: UnsavedTexts.Claim?
  private let surroundings: Surroundings
  private weak var host: (any TextSessionHost)?
  /// Gives the text on screen, from a keystroke on until it was asked.
  private var typed: (@MainActor () -> String)?
  /// The number of the last pause that was awaited.
  private var lastPause = 0
  /// The number of saves that have begun.
  private var saveCount = 0
  private var isLooking = false
  private var mustLook = false
  /// Whether it could be left; `nil` until that is known.
  private var outcome: Bool?
  private var waiters: [CheckedContinuation<Bool, Never>] = []

  /// Begins with the state of a snippet in the store, and with a text that was kept of it.
  init(
    of id: SnippetID,
    _ found: (row: SnippetRow, text: String)?,
    _ claim: UnsavedTexts.Claim?,
    in surroundings: Surroundings,
    for host: any TextSessionHost
  ) {
    let base =
      claim.map { TextSession.Version(text: $0.record.formerText, revision: $0.record.revision) }
      ?? TextSession.Version(text: found?.text ?? "", revision: found?.row.revision ?? 0)
    session = TextSession(id, base, kept: claim?.record.text)
    (row, self.claim, self.surroundings, self.host) = (found?.row, claim, surroundings, host)
  }

  var snippet: SnippetID { session.snippet }

  var text: String { typed?() ?? session.text }

  /// Whether the store lacks something of it.
  var isUnsaved: Bool { typed != nil || session.isDirty || session.isSaving }

  /// Whether the text has bytes that are no characters, and an edit would lose them.
  var wouldLoseBytes: Bool {
    guard let row, !session.isDirty else { return false }
    return row.wouldLoseBytes(byEditing: session.base.text)
  }

  /// Tells its snippet from another one with the same number.
  private var uuid: UUID? { row?.uuid ?? claim?.record.uuid }

  private var isOver: Bool { outcome == true }

  private var isOnScreen: Bool { host?.isOnScreen(self) ?? false }

  // MARK: - The person

  /// Takes a keystroke, with what gives the text on screen.
  func type(_ text: @escaping @MainActor () -> String) {
    if typed == nil {
      // A person who never pauses is saved too.
      wake(after: surroundings.pause * 10) { $0.typed != nil }
    }
    typed = text
    awaitPause()
    host?.textDidChange()
  }

  func choose(_ choice: TextSession.Choice) { tell(.chosen(choice)) }

  func undo() { tell(.undo) }

  func redo() { tell(.redo) }

  /// Saves or keeps the text, then is over.
  ///
  /// - Parameter isLast: Whether the program ends; then the text is kept before this returns.
  func leave(isLast: Bool = false) {
    outcome = nil
    tell(isLast ? .close : .leave)
  }

  /// Waits until it is known whether the text could be left.
  func untilLeft() async -> Bool {
    if let outcome { return outcome }
    return await withCheckedContinuation { waiters.append($0) }
  }

  // MARK: - The session

  /// Tells the session what was found in the store when the text was opened.
  func begin(with found: (row: SnippetRow, text: String)?) {
    let wasKept = claim != nil
    tell(.seen(Self.state(of: found)))
    if wasKept { tell(.paused) }
    // It may have been changed since it was read, when there was nothing to tell that yet.
    look()
  }

  private func tell(_ input: TextSession.Input) {
    guard !isOver else { return }
    if let typed {
      self.typed = nil
      let text = typed()
      _ = session.handle(.typed(text))
    }
    for output in session.handle(input) { carryOut(output) }
    host?.textDidChange()
  }

  private func carryOut(_ output: TextSession.Output) {
    switch output {
    case .save(let text, let base, let bringsBack):
      let id = snippet
      if base.text.hasSameBytes(as: session.origin.text) {
        (inverse, formerTitle) = (SnippetEdit(), row?.title)
      }
      answer { [self] texts in
        let (edit, outcome) = try await texts.save(
          text,
          of: id,
          at: base.revision,
          bringsBack: bringsBack,
          keepingTags: ownTags
        )
        noteInverse(outcome.inverse)
        noteTags(saidBy: edit, new: outcome.inverse.removedTags)
        return (outcome.row, .saved(revision: outcome.row.revision))
      }
    case .saveAsNew(let text):
      let title = row?.title ?? claim?.record.title
      let tags = row?.tags ?? claim?.record.tags
      answer { texts in
        let row = try await texts.saveAsNew(text, title: title, tags: tags ?? [])
        return (row, .savedAsNew(row.id, revision: row.revision))
      }
    case .keep(let text, let base): keep(text, madeFrom: base)
    case .forget:
      claim?.file.remove()
      claim = nil
    case .show(let text):
      if isOnScreen { host?.show(text) }
    case .awaitPause: awaitPause()
    case .edits: break
    case .stays:
      end(with: false)
      if !isOnScreen { wake(after: surroundings.pause * 10) { _ in true } }
    case .left:
      host?.didEnd(self)
      end(with: true)
    }
  }

  /// Notes how to take back what a save has changed besides the text.
  private func noteInverse(_ made: SnippetEdit) {
    let last = SnippetEdit(
      // A title may have followed the text in a save before.
      title: made.title.map { formerTitle ?? $0 },
      isPinned: made.isPinned,
      createdAt: made.createdAt,
      addedTags: made.addedTags,
      removedTags: made.removedTags
    )
    inverse = last.joined(with: inverse)
  }

  /// Notes which tags that a text says the snippet had already.
  private func noteTags(saidBy edit: SnippetEdit, new: [String]) {
    ownTags.formUnion(edit.addedTags.map(TextRules.key(ofTag:)))
    ownTags.subtract(new.map(TextRules.key(ofTag:)))
  }

  private func end(with outcome: Bool) {
    self.outcome = outcome
    for waiter in waiters { waiter.resume(returning: outcome) }
    waiters = []
  }

  /// Saves, and tells the session the answer.
  private func answer(
    _ save:
      @escaping @MainActor (any EditedTexts) async throws -> (SnippetRow, TextSession.Input)
  ) {
    saveCount += 1
    Task {
      do {
        let (row, answer) = try await save(surroundings.texts)
        self.row = row
        tell(answer)
      } catch {
        await tell(failure: error)
      }
      look()
    }
  }

  private func tell(failure: any Error) async {
    var failure = failure
    let code = (failure as? SnippetStoreError)?.code
    if code == .conflict || code == .inTrash || code == .notFound {
      do {
        let found = try await find()
        row = found?.row ?? row
        return tell(.refused(Self.state(of: found)))
      } catch {
        failure = error
      }
    }
    tell(.failed(canRetry: (failure as? SnippetStoreError)?.isRetryable ?? false))
    host?.didFail(self, with: failure)
  }

  private func keep(_ text: String, madeFrom base: TextSession.Version) {
    let record = UnsavedText(
      snippet: snippet,
      uuid: uuid,
      isNote: row.map { $0.kind != .text } ?? claim?.record.isNote ?? false,
      title: row?.title ?? claim?.record.title,
      tags: row?.tags ?? claim?.record.tags,
      text: text,
      formerText: base.text,
      revision: base.revision
    )
    do throws(SnippetStoreError) {
      guard let kept = try surroundings.unsaved?.keep(record) else { return tell(.notKept) }
      claim?.file.remove()
      claim = kept
      tell(.kept(text))
    } catch {
      tell(.notKept)
      host?.didFail(self, with: error)
    }
  }

  // MARK: - Time

  private func awaitPause() {
    lastPause += 1
    let number = lastPause
    wake(after: surroundings.pause) { $0.lastPause == number }
  }

  /// Tells the session of a pause after a while, if it still is one.
  private func wake(
    after delay: Duration,
    if isPause: @escaping @MainActor @Sendable (TextSessionRun) -> Bool
  ) {
    let environment = surroundings.environment
    environment.wake(delay) { [weak self] in
      environment.schedule { [weak self] in
        guard let self, !isOver, isPause(self) else { return }
        // The failure of an earlier attempt is not the outcome of this one.
        if isOnScreen { tell(.paused) } else { leave() }
      }
    }
  }

  // MARK: - The store

  /// Tells the session how the snippet is in the store, unless it knows.
  func look() {
    // The answer to a save is looked at again.
    guard !isOver, !session.isSaving else { return }
    guard !isLooking else {
      mustLook = true
      return
    }
    if let row = try? surroundings.texts.row(snippet), row.uuid == uuid, session.knows(row) {
      self.row = row
      return
    }
    isLooking = true
    let saveCount = saveCount
    Task {
      do {
        let found = try await find()
        // A save may have changed it since.
        if self.saveCount == saveCount {
          row = found?.row ?? row
          tell(.seen(Self.state(of: found)))
        }
      } catch {
        // Where reading fails saving will too, and says so.
      }
      isLooking = false
      guard mustLook else { return }
      mustLook = false
      look()
    }
  }

  /// The snippet of the text; `nil` if it is gone, also if another one has its number.
  private func find() async throws -> (row: SnippetRow, text: String)? {
    let found = try await surroundings.texts.find(snippet)
    return uuid == nil || found?.row.uuid == uuid ? found : nil
  }

  private static func state(of found: (row: SnippetRow, text: String)?) -> TextSession.Found {
    guard let found else { return .deleted }
    let version = TextSession.Version(text: found.text, revision: found.row.revision)
    return found.row.deletedAt == nil ? .present(version) : .inTrash(version)
  }
}

extension TextSession {
  /// Whether a row of the store tells nothing new.
  fileprivate func knows(_ row: SnippetRow) -> Bool {
    switch obstacle {
    case nil, .failed: row.deletedAt == nil && row.revision == base.revision
    case .conflict(let theirs): row.deletedAt == nil && row.revision == theirs.revision
    case .inTrash: row.deletedAt != nil && row.revision == base.revision
    case .deleted: false
    }
  }
}
