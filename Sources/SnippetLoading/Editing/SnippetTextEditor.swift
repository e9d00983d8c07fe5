internal import Foundation
import SnippetBase
public import SnippetStorage

/// Edits the text of one snippet at a time, and loses no keystroke.
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

  private let texts: any EditedTexts
  private let unsaved: UnsavedTexts?
  private let editor: SnippetEditor?
  private let pause: Duration
  private let environment: LoaderEnvironment
  private var current: Run?
  /// The texts that were left and are not in the store yet.
  private var leaving: [Run] = []
  /// The kept texts that are not open; `nil` until they were looked for.
  private var kept: [UnsavedTexts.Claim]?
  private var observation: AnyObject?
  private var lastOpening = 0
  private var announced = (state: State.empty, hasUnsavedText: false)

  /// A text on its way into the store.
  @MainActor
  private final class Run {
    var session: TextSession
    var row: SnippetRow?
    var claim: UnsavedTexts.Claim?
    /// Gives the text on screen, from a keystroke on until it was asked.
    var typed: (@MainActor () -> String)?
    /// The number of the last pause that was awaited.
    var lastPause = 0
    /// The number of saves that have begun.
    var saveCount = 0
    var isLooking = false
    var mustLook = false
    /// Whether it could be left; `nil` until that is known.
    var outcome: Bool?
    var waiters: [CheckedContinuation<Bool, Never>] = []

    init(_ session: TextSession, _ row: SnippetRow?, _ claim: UnsavedTexts.Claim?) {
      (self.session, self.row, self.claim) = (session, row, claim)
    }

    var isOver: Bool { outcome == true }

    /// Tells its snippet from another one with the same number.
    var uuid: UUID? { row?.uuid ?? claim?.record.uuid }

    func end(with outcome: Bool) {
      self.outcome = outcome
      for waiter in waiters { waiter.resume(returning: outcome) }
      waiters = []
    }
  }

  /// Makes an editor of the texts of a store.
  ///
  /// - Parameters:
  ///   - store: Has the texts.
  ///   - editor: Can undo all that was typed into a snippet once that was left, as one edit. The
  ///     default is none.
  ///   - pause: The time without a keystroke after which a text is saved. The default is half a
  ///     second. Without such a pause a text is saved after ten times as long.
  public convenience init(
    _ store: SnippetStore,
    editor: SnippetEditor? = nil,
    pause: Duration = .milliseconds(500)
  ) {
    self.init(
      StoreTexts(store: store),
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
    self.texts = texts
    self.unsaved = unsaved
    self.editor = editor
    self.pause = pause
    self.environment = environment
  }

  // MARK: - The text on screen

  /// The snippet that the text belongs to; `nil` if none is open.
  public var snippet: SnippetID? { current?.session.snippet }

  /// The text on screen; empty if no snippet is open.
  public var text: String { current.map { $0.typed?() ?? $0.session.text } ?? "" }

  /// Whether the store lacks something of the text on screen.
  public var hasUnsavedText: Bool {
    current.map { $0.typed != nil || $0.session.isDirty || $0.session.isSaving } ?? false
  }

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
  /// - Parameter id: The snippet, which must be a text; one in the trash can be opened too.
  /// - Throws: `SnippetStoreError`: `.notFound`, unless a text was kept; `.invalidInput` for other
  ///   kinds; `.damaged`. `CancellationError` if another snippet was opened, or this one left, in
  ///   the meantime. No snippet is open then.
  /// - Complexity: O(*m*) for *m* bytes of text; the first call also looks through the folder of
  ///   the store.
  public func open(_ id: SnippetID) async throws {
    try await open(id) { [self] found in
      takeClaim { $0.snippet == id && (found == nil || $0.uuid == found?.uuid) }
    }
  }

  /// Opens the snippet of a kept text with that text, as ``open(_:)`` does.
  ///
  /// A snippet that has the number of another one by now counts as deleted.
  package func open(kept text: UnsavedText) async throws {
    try await open(text.snippet) { [self] _ in takeClaim { $0 == text } }
  }

  private func open(
    _ id: SnippetID,
    takingClaim takeClaim: (SnippetRow?) -> UnsavedTexts.Claim?
  ) async throws {
    if let current {
      leaving.append(current)
      self.current = nil
      current.outcome = nil
      tell(current, .leave)
    }
    lastOpening += 1
    let opening = lastOpening
    announce()
    if observation == nil {
      observation = texts.observe { [environment, weak self] in
        environment.schedule { [weak self] in self?.lookAtAll() }
      }
    }
    for run in leaving where run.session.snippet == id {
      let isOver = await end(of: run)
      guard !isOver, opening == lastOpening else { continue }
      // It has text that is nowhere else.
      leaving.removeAll { $0 === run }
      return show(run)
    }
    await claimKept()
    var found = try await texts.find(id)
    guard opening == lastOpening else { throw CancellationError() }
    let claim = takeClaim(found?.row)
    if let uuid = claim?.record.uuid, found?.row.uuid != uuid { found = nil }
    guard found != nil || claim != nil else { throw Self.noSuchSnippet(id) }
    let base =
      claim.map { TextSession.Version(text: $0.record.formerText, revision: $0.record.revision) }
      ?? TextSession.Version(text: found?.text ?? "", revision: found?.row.revision ?? 0)
    let session = TextSession(id, base, kept: claim?.record.text)
    let run = Run(session, found?.row, claim)
    show(run)
    tell(run, .seen(Self.state(of: found)))
    if claim != nil { tell(run, .paused) }
    // It may have been changed since it was read, when there was nothing to tell that yet.
    look(run)
  }

  /// Notes that the text on screen has changed.
  ///
  /// It costs next to nothing: the text is asked for at the next pause, or when it is left before.
  ///
  /// - Parameter text: Gives the whole text on screen. It may be called any time later while this
  ///   snippet is open.
  /// - Returns: Whether a snippet is open; otherwise the text belongs to none.
  @discardableResult
  public func typed(_ text: @autoclosure @escaping @MainActor () -> String) -> Bool {
    guard let run = current else { return false }
    if run.typed == nil {
      // A person who never pauses is saved too.
      wake(after: pause * 10, of: run) { $0.typed != nil }
    }
    run.typed = text
    awaitPause(of: run)
    announce()
    return true
  }

  /// Leaves the snippet that is open, or being opened.
  ///
  /// - Returns: Whether the text is in the store or kept; `true` too if no snippet is open.
  ///   Otherwise the snippet stays open, and ``failureHandler`` was called.
  @discardableResult
  public func leave() async -> Bool {
    lastOpening += 1
    guard let run = current else { return true }
    run.outcome = nil
    tell(run, .leave)
    return await end(of: run)
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
    let runs = leaving + [current].compactMap(\.self)
    for run in runs {
      run.outcome = nil
      tell(run, .close)
    }
    var areSafe = true
    for run in runs {
      let isSafe = await end(of: run)
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
    await claimKept()
    return kept?.map(\.record.snippet) ?? []
  }

  // MARK: - Choices

  /// Saves the text on screen in place of that of others; brings its snippet back from the trash;
  /// or makes a new snippet if it was deleted.
  ///
  /// Should others change the text once more in between, that is another conflict.
  public func keepMine() { choose(.mine) }

  /// Shows the text of the store and forgets that on screen, which ``undo()`` brings back.
  public func takeTheirs() { choose(.theirs) }

  /// Saves the text on screen as a new snippet with the same title and tags, and goes on with that.
  ///
  /// The former snippet stays as others have left it.
  public func saveAsNew() { choose(.asNew) }

  /// Goes back to the text before the last pause, also if that was saved.
  public func undo() {
    if let current { tell(current, .undo) }
  }

  /// Takes an ``undo()`` back.
  public func redo() {
    if let current { tell(current, .redo) }
  }

  private func choose(_ choice: TextSession.Choice) {
    if let current { tell(current, .chosen(choice)) }
  }

  // MARK: - Kept texts

  private func claimKept() async {
    guard kept == nil, let unsaved else { return }
    let claims = await OwnThreads.run { unsaved.claim() }
    // A second call may have been faster; those that it claimed are not among these.
    kept = (kept ?? []) + claims
  }

  private func takeClaim(_ isSought: (UnsavedText) -> Bool) -> UnsavedTexts.Claim? {
    let place = kept?.firstIndex { isSought($0.record) }
    return place.flatMap { kept?.remove(at: $0) }
  }

  /// The texts of ``keptSnippets()``.
  package func keptTexts() async -> [UnsavedText] {
    await claimKept()
    return kept?.map(\.record) ?? []
  }

  /// Reads the text of a snippet for an editor outside of this program, to which no change of
  /// others comes; ``keep(_:)`` takes what the editor makes of it.
  ///
  /// - Throws: `SnippetStoreError`: `.notFound`, `.damaged`.
  package func original(of id: SnippetID) async throws -> UnsavedText {
    guard let (row, text) = try await texts.find(id) else { throw Self.noSuchSnippet(id) }
    return UnsavedText(
      snippet: id,
      uuid: row.uuid,
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
    await claimKept()
    guard let unsaved else {
      throw SnippetStoreError(
        .inputOutput,
        "keep the text of snippet \(text.snippet)",
        because: "the store is in memory"
      )
    }
    let claim = try unsaved.keep(text)
    kept = (kept ?? []) + [claim]
  }

  /// Forgets a kept text, which then is nowhere.
  package func drop(kept text: UnsavedText) {
    takeClaim { $0 == text }?.file.remove()
  }

  private func keep(_ text: String, madeFrom base: TextSession.Version, of run: Run) {
    let record = UnsavedText(
      snippet: run.session.snippet,
      uuid: run.row?.uuid ?? run.claim?.record.uuid,
      title: run.row?.title ?? run.claim?.record.title,
      tags: run.row?.tags ?? run.claim?.record.tags,
      text: text,
      formerText: base.text,
      revision: base.revision
    )
    do throws(SnippetStoreError) {
      guard let claim = try unsaved?.keep(record) else { return tell(run, .notKept) }
      run.claim?.file.remove()
      run.claim = claim
      tell(run, .kept(text))
    } catch {
      tell(run, .notKept)
      failureHandler?(run.session.snippet, error)
    }
  }

  // MARK: - The machine

  private func show(_ run: Run) {
    current = run
    textHandler?(run.session.text)
    announce()
  }

  private func tell(_ run: Run, _ input: TextSession.Input) {
    guard !run.isOver else { return }
    if let typed = run.typed {
      run.typed = nil
      let text = typed()
      _ = run.session.handle(.typed(text))
    }
    for output in run.session.handle(input) { carryOut(output, of: run) }
    announce()
  }

  private func carryOut(_ output: TextSession.Output, of run: Run) {
    switch output {
    case .save(let text, let base, let bringsBack):
      let id = run.session.snippet
      answer(run) { texts in
        let row = try await texts.save(text, of: id, at: base.revision, bringsBack: bringsBack)
        return (row, .saved(revision: row.revision))
      }
    case .saveAsNew(let text):
      let title = run.row?.title ?? run.claim?.record.title
      let tags = run.row?.tags ?? run.claim?.record.tags
      answer(run) { texts in
        let row = try await texts.saveAsNew(text, title: title, tags: tags ?? [])
        return (row, .savedAsNew(row.id, revision: row.revision))
      }
    case .keep(let text, let base): keep(text, madeFrom: base, of: run)
    case .forget:
      run.claim?.file.remove()
      run.claim = nil
    case .show(let text):
      if run === current { textHandler?(text) }
    case .awaitPause: awaitPause(of: run)
    case .edits: break
    case .stays:
      run.end(with: false)
      if run !== current { wake(after: pause * 10, of: run) { _ in true } }
    case .left: end(run)
    }
  }

  /// Saves, and tells the machine the answer.
  private func answer(
    _ run: Run,
    _ save:
      @escaping @MainActor (any EditedTexts) async throws -> (SnippetRow, TextSession.Input)
  ) {
    run.saveCount += 1
    Task {
      do {
        let (row, answer) = try await save(texts)
        run.row = row
        tell(run, answer)
      } catch {
        await tell(run, failure: error)
      }
      look(run)
    }
  }

  private func tell(_ run: Run, failure: any Error) async {
    var failure = failure
    let code = (failure as? SnippetStoreError)?.code
    if code == .conflict || code == .inTrash || code == .notFound {
      do {
        let found = try await find(run)
        run.row = found?.row ?? run.row
        return tell(run, .refused(Self.state(of: found)))
      } catch {
        failure = error
      }
    }
    tell(run, .failed(canRetry: (failure as? SnippetStoreError)?.isRetryable ?? false))
    failureHandler?(run.session.snippet, failure)
  }

  /// Ends a text that is in the store or kept.
  private func end(_ run: Run) {
    if let claim = run.claim { kept = (kept ?? []) + [claim] }
    leaving.removeAll { $0 === run }
    if current === run { current = nil }
    run.end(with: true)
    let session = run.session
    guard let row = run.row, row.id == session.snippet, row.revision == session.base.revision,
      !session.base.text.hasSameBytes(as: session.origin.text)
    else { return }
    editor?.remember(
      SnippetEdit(text: session.base.text),
      EditOutcome(
        row: row,
        formerRevision: session.origin.revision,
        inverse: SnippetEdit(text: session.origin.text)
      )
    )
  }

  /// Waits until it is known whether a text could be left.
  private func end(of run: Run) async -> Bool {
    if let outcome = run.outcome { return outcome }
    return await withCheckedContinuation { run.waiters.append($0) }
  }

  private func announce() {
    let now = (state: state, hasUnsavedText: hasUnsavedText)
    guard now != announced else { return }
    announced = now
    stateHandler?(now.state)
  }

  // MARK: - Time

  private func awaitPause(of run: Run) {
    run.lastPause += 1
    let number = run.lastPause
    wake(after: pause, of: run) { $0.lastPause == number }
  }

  /// Tells a text of a pause after a while, if it still is one.
  private func wake(
    after delay: Duration,
    of run: Run,
    if isPause: @escaping @MainActor @Sendable (Run) -> Bool
  ) {
    environment.wake(delay) { [environment, weak self, weak run] in
      environment.schedule { [weak self, weak run] in
        guard let self, let run, isPause(run) else { return }
        self.tell(run, run === self.current ? .paused : .leave)
      }
    }
  }

  // MARK: - The store

  private func lookAtAll() {
    for run in leaving + [current].compactMap(\.self) { look(run) }
  }

  /// Tells the machine how the snippet is in the store, unless it knows.
  private func look(_ run: Run) {
    // The answer to a save is looked at again.
    guard !run.isOver, !run.session.isSaving else { return }
    guard !run.isLooking else {
      run.mustLook = true
      return
    }
    if let row = try? texts.row(run.session.snippet), row.uuid == run.uuid, run.session.knows(row) {
      run.row = row
      return
    }
    run.isLooking = true
    let saveCount = run.saveCount
    Task {
      do {
        let found = try await find(run)
        // A save may have changed it since.
        if run.saveCount == saveCount {
          run.row = found?.row ?? run.row
          tell(run, .seen(Self.state(of: found)))
        }
      } catch {
        // Where reading fails saving will too, and says so.
      }
      run.isLooking = false
      guard run.mustLook else { return }
      run.mustLook = false
      look(run)
    }
  }

  /// The snippet of a text; `nil` if it is gone, also if another one has its number.
  private func find(_ run: Run) async throws -> (row: SnippetRow, text: String)? {
    let found = try await texts.find(run.session.snippet)
    return run.uuid == nil || found?.row.uuid == run.uuid ? found : nil
  }

  private static func state(of found: (row: SnippetRow, text: String)?) -> TextSession.Found {
    guard let found else { return .deleted }
    let version = TextSession.Version(text: found.text, revision: found.row.revision)
    return found.row.deletedAt == nil ? .present(version) : .inTrash(version)
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
