internal import Foundation
import SnippetBase
public import SnippetStorage

/// Edits the text of one snippet at a time, or the note of an image or voice, and loses no
/// keystroke.
///
/// A text is saved at each pause in the typing, and when it is left. From the first keystroke on it
/// belongs to its snippet, whatever lists do: the snippet may leave them, be moved or be changed.
/// The text is saved over the version that it was made from and over no other.
///
/// - If others have changed the text, ``state`` is a conflict with their text, and the person
///   chooses: ``keepMine()``, ``takeTheirs()`` or ``saveAsNew()``.
/// - If the snippet is in the trash or deleted, ``keepMine()`` brings it back or makes a new one.
/// - If the store cannot save the text, it is kept in a private file beside the store and tried
///   again. The next start finds it by ``keptSnippets()``, and goes on with it once the snippet is
///   opened.
///
/// ```swift
/// let texts = SnippetTextEditor(store)
/// texts.textHandler = { text in view.text = text }
/// texts.stateHandler = { state in view.showState(state) }
/// try await texts.open(id)
/// texts.typed(view.text)  // at each keystroke
/// await texts.close()  // before the window or the program ends
/// ```
///
/// An app makes one for each view that edits texts. A ``SnippetEditor`` carries out commands on
/// rows, such as pins and tags.
@MainActor
public final class SnippetTextEditor {
  /// Where the text on screen is.
  public enum State: Hashable, Sendable {
    /// No snippet is open.
    case empty
    /// The text is in the store.
    case saved
    /// The text will be saved at the next pause, or is being saved.
    case unsaved
    /// The store could not save the text. It is kept, and tried again at the next pause.
    case failed
    /// Others have changed the text since; theirs is in the store, and this one is kept.
    case conflict(theirs: String)
    /// The snippet is in the trash.
    case inTrash
    /// The snippet was deleted for good.
    case deleted
  }

  /// Called with the text to show: when a snippet was opened, when others changed it while nothing
  /// was typed, and at an undo or a choice.
  public var textHandler: (@MainActor (String) -> Void)?
  /// Called when ``state`` or ``hasUnsavedText`` has changed.
  public var stateHandler: (@MainActor (State) -> Void)?
  /// Called when a text could not be saved or kept, even one that was left, with the reason.
  public var failureHandler: (@MainActor (SnippetID, any Error) -> Void)?

  private let editor: SnippetEditor?
  private let surroundings: TextSessionRun.Surroundings
  private let kept: ClaimedTexts
  private var current: TextSessionRun?
  /// The texts that were left and are not in the store yet.
  private var leaving: [TextSessionRun] = []
  private var observation: AnyObject?
  private var lastOpening = 0
  private var announced = (state: State.empty, hasUnsavedText: false)

  /// Makes an editor of the texts of a store.
  ///
  /// - Parameters:
  ///   - store: Has the texts.
  ///   - editor: Can undo all that was typed into a snippet once that was left, as one edit. The
  ///     default is none.
  ///   - pause: The time without a keystroke after which a text is saved. The default is half a
  ///     second. Without such a pause a text is saved after ten times as long.
  ///   - complete: Completes the edit that is to save a text of a snippet, for example with the title
  ///     and the tags in it; `SnippetExchange` has `completing(_:of:)` for notes in Markdown. The
  ///     text is saved in the same transaction, and one undo takes back both. A tag that the
  ///     snippet had before the text said it stays when the text does not any more. The default is
  ///     none.
  public convenience init(
    _ store: SnippetStore,
    editor: SnippetEditor? = nil,
    pause: Duration = .milliseconds(500),
    completing complete: (@Sendable (SnippetEdit, SnippetID) async throws -> SnippetEdit)? = nil
  ) {
    self.init(
      StoreTexts(store: store, complete: complete),
      keeping: UnsavedTexts(of: store),
      editor: editor,
      pause: pause,
      environment: LoaderEnvironment()
    )
  }

  init(
    _ texts: any EditedTexts,
    keeping unsaved: UnsavedTexts?,
    editor: SnippetEditor?,
    pause: Duration,
    environment: LoaderEnvironment
  ) {
    self.editor = editor
    surroundings = TextSessionRun.Surroundings(
      texts: texts,
      unsaved: unsaved,
      pause: pause,
      environment: environment
    )
    kept = ClaimedTexts(unsaved)
  }

  // MARK: - The text on screen

  /// The snippet that the text belongs to; `nil` if none is open.
  public var snippet: SnippetID? { current?.snippet }

  /// The text on screen; empty if no snippet is open.
  public var text: String { current?.text ?? "" }

  /// Whether the store lacks something of the text on screen.
  public var hasUnsavedText: Bool { current?.isUnsaved ?? false }

  /// Whether the text on screen can be edited.
  ///
  /// One with bytes that are no characters cannot: each is a U+FFFD on screen, and would be saved as
  /// that. Ask whenever ``textHandler`` was called.
  public var isEditable: Bool { !(current?.wouldLoseBytes ?? false) }

  /// Where the text on screen is.
  public var state: State {
    guard let current else { return .empty }
    return switch current.session.obstacle {
    case .conflict(let theirs): .conflict(theirs: theirs.text)
    case .inTrash: .inTrash
    case .deleted: .deleted
    case .failed: .failed
    case nil: hasUnsavedText ? .unsaved : .saved
    }
  }

  /// Opens a snippet, with the text that was kept of it if there is one.
  ///
  /// The snippet that was open is left; what it still needs goes on beside. On return
  /// ``textHandler`` was called, and every keystroke counts for this snippet. Let nothing be typed
  /// before.
  ///
  /// - Parameter id: The snippet; one in the trash can be opened too. Of an image or voice the note
  ///   is edited, which is empty if there is none.
  /// - Throws: `SnippetStoreError`: `.notFound`, unless a text was kept; `.damaged`.
  ///   `CancellationError` if another snippet was opened, or this one left, in the meantime. No
  ///   snippet is open then.
  /// - Complexity: O(*m*) for *m* bytes of text; the first call also looks through the folder of
  ///   the store.
  public func open(_ id: SnippetID) async throws {
    try await open(id) { [self] found in
      kept.take { $0.snippet == id && (found == nil || $0.uuid == found?.uuid) }
    }
  }

  /// Opens the snippet of a kept text with that text, as ``open(_:)`` does.
  ///
  /// A snippet that has the number of another one by now counts as deleted.
  package func open(kept text: UnsavedText) async throws {
    try await open(text.snippet) { [self] _ in kept.take { $0 == text } }
  }

  private func open(
    _ id: SnippetID,
    takingClaim takeClaim: (SnippetRow?) -> UnsavedTexts.Claim?
  ) async throws {
    if let current {
      leaving.append(current)
      self.current = nil
      current.leave()
    }
    lastOpening += 1
    let opening = lastOpening
    textDidChange()
    if observation == nil {
      let environment = surroundings.environment
      observation = surroundings.texts.observe { [weak self] in
        environment.schedule { [weak self] in self?.lookAtAll() }
      }
    }
    for run in leaving where run.snippet == id {
      let isOver = await run.untilLeft()
      guard !isOver, opening == lastOpening else { continue }
      // It has text that is nowhere else.
      leaving.removeAll { $0 === run }
      return show(run)
    }
    await kept.look()
    var found = try await surroundings.texts.find(id)
    guard opening == lastOpening else { throw CancellationError() }
    let claim = takeClaim(found?.row)
    if let uuid = claim?.record.uuid, found?.row.uuid != uuid { found = nil }
    guard found != nil || claim != nil else { throw Self.noSuchSnippet(id) }
    let run = TextSessionRun(of: id, found, claim, in: surroundings, for: self)
    show(run)
    run.begin(with: found)
  }

  private func show(_ run: TextSessionRun) {
    current = run
    textHandler?(run.session.text)
    textDidChange()
  }

  private func lookAtAll() {
    for run in leaving + [current].compactMap(\.self) { run.look() }
  }

  /// Notes that the text on screen has changed.
  ///
  /// It costs next to nothing: the text is asked for at the next pause, or when it is left before.
  ///
  /// - Parameter text: Gives the whole text on screen. It may be called any time later while this
  ///   snippet is open.
  /// - Returns: Whether the text was taken: a snippet is open, and its text ``isEditable``.
  @discardableResult
  public func typed(_ text: @autoclosure @escaping @MainActor () -> String) -> Bool {
    guard let current, !current.wouldLoseBytes else { return false }
    current.type(text)
    return true
  }

  /// Leaves the snippet that is open, or being opened.
  ///
  /// - Returns: Whether the text is in the store or kept; `true` too if no snippet is open.
  ///   Otherwise the snippet stays open, and ``failureHandler`` was called.
  @discardableResult
  public func leave() async -> Bool {
    lastOpening += 1
    guard let current else { return true }
    current.leave()
    return await current.untilLeft()
  }

  /// Leaves everything, before the window is closed or the program ends.
  ///
  /// Texts that are not in the store are kept before this call first suspends, so a kill while it
  /// waits loses nothing.
  ///
  /// - Returns: Whether every text is in the store or kept.
  @discardableResult
  public func close() async -> Bool {
    lastOpening += 1
    let all = leaving + [current].compactMap(\.self)
    for run in all { run.leave(isLast: true) }
    var areSafe = true
    for run in all {
      let isSafe = await run.untilLeft()
      areSafe = areSafe && isSafe
    }
    return areSafe
  }

  /// The snippets with texts that were kept, by this process or one that has ended.
  ///
  /// Open one to go on with its text, also if the snippet was deleted in the meantime.
  ///
  /// - Complexity: O(*n*) for *n* files in the folder of the store at the first call.
  public func keptSnippets() async -> [SnippetID] {
    await kept.look()
    return kept.records.map(\.snippet)
  }

  // MARK: - Choices

  /// Saves the text on screen in place of that of others; brings its snippet back from the trash;
  /// or makes a new snippet if it was deleted.
  ///
  /// Should others change the text once more in between, that is another conflict.
  public func keepMine() { current?.choose(.mine) }

  /// Shows the text of the store and forgets that on screen, which ``undo()`` brings back, also
  /// after others have changed theirs again.
  public func takeTheirs() { current?.choose(.theirs) }

  /// Saves the text on screen as a new text with the same title and tags, and goes on with that.
  ///
  /// The former snippet stays as others have left it.
  public func saveAsNew() { current?.choose(.asNew) }

  /// Goes back to the text before the last pause, also if that was saved.
  public func undo() { current?.undo() }

  /// Takes an ``undo()`` back.
  public func redo() { current?.redo() }

  // MARK: - Kept texts

  /// The texts of ``keptSnippets()``.
  package func keptTexts() async -> [UnsavedText] {
    await kept.look()
    return kept.records
  }

  /// Reads the text or note of a snippet for an editor outside of this program, to which no change of
  /// others comes; ``keep(_:)`` takes what the editor makes of it.
  ///
  /// - Throws: `SnippetStoreError`: `.notFound`, `.damaged`.
  package func original(of id: SnippetID) async throws -> UnsavedText {
    guard let (row, text) = try await surroundings.texts.find(id) else {
      throw Self.noSuchSnippet(id)
    }
    return UnsavedText(
      snippet: id,
      uuid: row.uuid,
      isNote: row.kind != .text,
      title: row.title,
      tags: row.tags,
      text: text,
      formerText: text,
      revision: row.revision
    )
  }

  /// Keeps a text that was made outside of this editor.
  ///
  /// On return it is on the disk, and one of ``keptTexts()``.
  ///
  /// - Throws: `SnippetStoreError`, also for a store in memory.
  package func keep(_ text: UnsavedText) async throws(SnippetStoreError) {
    await kept.look()
    try kept.keep(text)
  }

  /// Forgets a kept text, which then is nowhere.
  package func drop(kept text: UnsavedText) {
    kept.take { $0 == text }?.file.remove()
  }

  private static func noSuchSnippet(_ id: SnippetID) -> SnippetStoreError {
    SnippetStoreError(
      .notFound,
      "open snippet \(id)",
      because: "it does not exist",
      do: "It may have been deleted in the meantime."
    )
  }
}

extension SnippetTextEditor: TextSessionHost {
  func isOnScreen(_ run: TextSessionRun) -> Bool { run === current }

  func show(_ text: String) { textHandler?(text) }

  func textDidChange() {
    let now = (state: state, hasUnsavedText: hasUnsavedText)
    guard now != announced else { return }
    announced = now
    stateHandler?(now.state)
  }

  func didFail(_ run: TextSessionRun, with error: any Error) {
    failureHandler?(run.snippet, error)
  }

  func didEnd(_ run: TextSessionRun) {
    if let claim = run.claim { kept.add(claim) }
    leaving.removeAll { $0 === run }
    if current === run { current = nil }
    let session = run.session
    guard let row = run.row, row.id == session.snippet, row.revision == session.base.revision,
      !session.base.text.hasSameBytes(as: session.origin.text)
    else { return }
    func edit(to text: String, _ others: SnippetEdit = SnippetEdit()) -> SnippetEdit {
      var edit = others
      if row.kind == .text { edit.text = text } else { edit.note = text }
      return edit
    }
    editor?.remember(
      edit(to: session.base.text),
      EditOutcome(
        row: row,
        formerRevision: session.origin.revision,
        inverse: edit(to: session.origin.text, run.inverse)
      )
    )
  }
}
