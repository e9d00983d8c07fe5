import SnippetStorage

@testable import SnippetLoading

/// One thing that happens to a text that is being edited.
enum TextEvent: Hashable, CaseIterable {
  case type, pause, undo, redo, mine, theirs, asNew, leave, close
  /// The process is killed.
  case kill
  /// The next start or the next turn opens the snippet, or the other one.
  case open, openOther
  /// The save under way ends, or fails; or it is done and its answer is lost.
  case answer, fail, loseAnswer
  /// Others change the text, or something else of the snippet.
  case edit, pin
  case trash, restore, delete
  /// The editor looks at the store.
  case look
  case fillDisk, emptyDisk
}

/// A text that is being edited, its store and the files of kept texts.
///
/// Each keystroke is a small letter and each edit of others a capital one, so every letter can be
/// followed to where it ends.
struct TextWorld: Hashable {
  private struct Stored: Hashable {
    var text: String
    var revision: Int64 = 1
    var isInTrash = false

    var version: TextSession.Version { .init(text: text, revision: revision) }
  }

  private struct Kept: Hashable {
    var snippet: SnippetID
    var text: String
    var base: TextSession.Version
  }

  private static let (first, other) = (SnippetID(rawValue: 1), SnippetID(rawValue: 2))

  private(set) var violations: [String] = []
  private(set) var session: TextSession?
  private var stored = [first: Stored(text: "1"), other: Stored(text: "2")]
  private var saving: TextSession.Output?
  /// The file of the open text, and those of texts that are not open.
  private var kept: Kept?
  private var files: [Kept] = []
  private var isDiskFull = false
  private var isNowhere = false
  /// Whether the text was kept before it was opened.
  private var isResumed = false
  private var hasTimer = false
  private var isLeaving = false
  private var isClosing = false
  private var screen = ""
  private var pausedText = ""
  private var counts: [TextEvent: Int] = [:]
  private var lastID: Int64 = 10
  /// The letters typed into each snippet, and into those that it went on as.
  private var typed: [SnippetID: String] = [:]
  /// The letters that the person, others or a kill took away.
  private var excused: Set<Character> = []
  private var deleted: Set<Character> = []
  /// The letters of others that the person decided to do without.
  private var givenUp: Set<Character> = []

  /// Opens the first snippet, after which some things have happened.
  init(after events: [TextEvent] = []) {
    open(Self.first)
    for event in events { happen(event) }
  }

  // MARK: - Events

  /// What may happen next; each kind so often that all pairs of them occur.
  var events: [TextEvent] {
    TextEvent.allCases.filter { event in
      counts[event, default: 0] < Self.limit(event) && isPossible(event)
    }
  }

  private static func limit(_ event: TextEvent) -> Int {
    switch event {
    case .type, .pause: 3
    case .look, .answer: 4
    case .edit, .mine, .undo, .fail, .open, .leave: 2
    default: 1
    }
  }

  private func isPossible(_ event: TextEvent) -> Bool {
    let snippet = stored[Self.first]
    switch event {
    case .type, .undo, .redo, .look, .kill: return session != nil
    case .pause: return session != nil && hasTimer
    case .leave, .close: return session != nil
    case .mine, .theirs, .asNew:
      let obstacle = session?.obstacle
      return obstacle != nil && obstacle != .failed && saving == nil
    case .open: return session == nil && (snippet != nil || !files.isEmpty)
    case .openOther: return session == nil
    case .answer, .loseAnswer: return saving != nil && !isDiskFull
    case .fail: return saving != nil
    case .edit, .pin, .trash: return snippet?.isInTrash == false
    case .restore: return snippet?.isInTrash == true
    case .delete: return snippet != nil
    case .fillDisk: return !isDiskFull
    case .emptyDisk: return isDiskFull
    }
  }

  mutating func happen(_ event: TextEvent) {
    counts[event, default: 0] += 1
    let number = counts[event, default: 0]
    switch event {
    case .type: type(["a", "b", "c"][number - 1])
    case .pause:
      hasTimer = false
      pausedText = session?.text ?? ""
      tell(.paused)
    case .undo: takeAway { $0.tell(.undo) }
    case .redo: takeAway { $0.tell(.redo) }
    case .mine:
      if case .conflict(let theirs) = session?.obstacle { givenUp.formUnion(theirs.text) }
      tell(.chosen(.mine))
    case .theirs:
      let isDeleted = session?.obstacle == .deleted
      takeAway { $0.tell(.chosen(.theirs)) }
      if isDeleted { deleted.formUnion(session?.text ?? "") }
    case .asNew: tell(.chosen(.asNew))
    case .leave:
      isLeaving = true
      tell(.leave)
    case .close:
      (isLeaving, isClosing) = (true, true)
      tell(.close)
    case .kill: kill()
    case .open: open(files.first?.snippet ?? Self.first)
    case .openOther: open(Self.other)
    case .answer: answer()
    case .fail:
      fail(canRetry: number == 1)
    case .loseAnswer:
      _ = commit()
      fail(canRetry: true)
    case .edit: change { $0.text += ["X", "Y"][number - 1] }
    case .pin: change { _ in }
    case .trash: change { $0.isInTrash = true }
    case .restore: change { $0.isInTrash = false }
    case .delete: deleted.formUnion(stored.removeValue(forKey: Self.first)?.text ?? "")
    case .look: look()
    case .fillDisk: isDiskFull = true
    case .emptyDisk: isDiskFull = false
    }
    check()
  }

  private mutating func type(_ letter: String) {
    guard let session else { return }
    typed[session.snippet, default: ""] += letter
    screen = session.text + letter
    hasTimer = true
    isClosing = false
    tell(.typed(screen))
  }

  /// Lets the person take letters from the screen.
  private mutating func takeAway(_ choose: (inout TextWorld) -> Void) {
    let before = session?.text ?? ""
    isClosing = false
    choose(&self)
    let gone = Set(before).subtracting(session?.text ?? "")
    excused.formUnion(gone)
    givenUp.formUnion(gone)
    // What comes back has not been paused after.
    pausedText.removeAll { gone.contains($0) }
  }

  private mutating func change(_ edit: (inout Stored) -> Void) {
    guard var snippet = stored[Self.first] else { return }
    edit(&snippet)
    snippet.revision += 1
    stored[Self.first] = snippet
  }

  private mutating func kill() {
    guard let session else { return }
    // What was typed since the last pause is lost, unless the program was being closed.
    let isSafe = isClosing || saving == nil && session.obstacle != nil
    let safe = isNowhere ? "" : isClosing ? session.text : isSafe ? pausedText : ""
    let lost = Set(session.text).subtracting(safe)
    excused.formUnion(lost)
    end()
  }

  private mutating func end() {
    if let kept { files.append(kept) }
    (session, kept, saving) = (nil, nil, nil)
    (hasTimer, isLeaving, isClosing, isNowhere) = (false, false, false, false)
    pausedText = ""
  }

  private mutating func open(_ id: SnippetID) {
    let place = files.firstIndex { $0.snippet == id }
    kept = place.map { files.remove(at: $0) }
    isResumed = kept != nil
    let version = stored[id]?.version ?? TextSession.Version(text: "", revision: 0)
    session = TextSession(id, kept?.base ?? version, kept: kept?.text)
    screen = session?.text ?? ""
    pausedText = screen
    look()
    if kept != nil { tell(.paused) }
  }

  // MARK: - The store

  private mutating func look() {
    if let session { tell(.seen(found(session.snippet))) }
  }

  private func found(_ id: SnippetID) -> TextSession.Found {
    guard let snippet = stored[id] else { return .deleted }
    return snippet.isInTrash ? .inTrash(snippet.version) : .present(snippet.version)
  }

  private mutating func answer() {
    let answer = commit()
    saving = nil
    tell(answer)
  }

  private mutating func fail(canRetry: Bool) {
    saving = nil
    tell(.failed(canRetry: canRetry))
    guard canRetry, session?.isDirty == true, !hasTimer else { return }
    violations.append("It is not tried again.")
  }

  private mutating func commit() -> TextSession.Input {
    guard let session, let saving else { return .failed(canRetry: false) }
    guard case .save(let text, let base, let bringsBack) = saving else {
      guard case .saveAsNew(let text) = saving else { return .failed(canRetry: false) }
      lastID += 1
      let id = SnippetID(rawValue: lastID)
      stored[id] = Stored(text: text)
      typed[id] = typed[session.snippet]
      return .savedAsNew(id, revision: 1)
    }
    let id = session.snippet
    guard var snippet = stored[id], bringsBack || !snippet.isInTrash,
      snippet.revision == base.revision
    else { return .refused(found(id)) }
    let gone = Set(snippet.text).subtracting(text).subtracting(givenUp)
    if gone.contains(where: \.isUppercase) { violations.append("\(gone) were written over.") }
    (snippet.text, snippet.isInTrash) = (text, false)
    snippet.revision += 1
    stored[id] = snippet
    return .saved(revision: snippet.revision)
  }

  // MARK: - The machine

  private mutating func tell(_ input: TextSession.Input) {
    guard let outputs = session?.handle(input) else { return }
    for output in outputs where session != nil { carryOut(output) }
  }

  private mutating func carryOut(_ output: TextSession.Output) {
    guard let session else { return }
    switch output {
    case .save, .saveAsNew:
      if saving != nil { violations.append("Two saves are under way.") }
      saving = output
    case .keep(let text, let base):
      isNowhere = isDiskFull
      guard !isDiskFull else { return tell(.notKept) }
      kept = Kept(snippet: session.snippet, text: text, base: base)
      tell(.kept(text))
    case .forget: kept = nil
    case .show(let text): screen = text
    case .awaitPause: hasTimer = true
    case .edits(let id):
      if session.snippet != id { violations.append("It edits another snippet.") }
    case .stays: (isLeaving, isClosing) = (false, false)
    case .left:
      if !isLeaving { violations.append("It was left by itself.") }
      end()
    }
  }

  // MARK: - The rules

  private mutating func check() {
    let onScreen = session?.text ?? ""
    excused.subtract(onScreen)
    if session != nil, screen != onScreen { violations.append("Another text is on screen.") }
    for (id, snippet) in stored {
      let letters = Set(snippet.text.filter(\.isLowercase))
      let strange = letters.subtracting(typed[id] ?? "")
      if !strange.isEmpty { violations.append("\(strange) are in snippet \(id).") }
    }
    let texts = stored.values.map(\.text) + [onScreen] + files.map(\.text) + [kept?.text ?? ""]
    let lost = Set(typed.values.joined()).subtracting(excused).subtracting(deleted)
      .subtracting(texts.joined())
    if !lost.isEmpty { violations.append("\(lost) are lost.") }
    if let session, session.isDirty, session.obstacle == nil, saving == nil, !hasTimer {
      violations.append("Nothing saves the text.")
    }
    // After two failures, or a start, it may take its own text for that of others.
    if case .conflict(let theirs) = session?.obstacle, counts[.fail] == nil, !isResumed,
      !theirs.text.contains(where: \.isUppercase)
    {
      violations.append("It is in conflict with itself.")
    }
    if saving == nil && session?.isSaving == true { violations.append("It waits for nothing.") }
  }

  /// Lets everything come to its end, and leaves.
  mutating func rest() {
    isDiskFull = false
    for _ in 0..<4 {
      if saving != nil { answer() }
      look()
      hasTimer = false
      tell(.paused)
    }
    check()
    guard let session else { return }
    let isBlocked = session.obstacle != nil && session.obstacle != .failed
    if session.isDirty, isBlocked, kept?.text != session.text {
      violations.append("What cannot be saved is not kept.")
    }
    if !isBlocked, session.isDirty || stored[session.snippet]?.text != session.text || kept != nil {
      violations.append("It does not come to rest.")
    }
    isLeaving = true
    tell(.leave)
    if self.session != nil { violations.append("It cannot be left.") }
    check()
  }
}
