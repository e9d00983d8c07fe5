import SnippetStorage

/// A text that is being edited: its snippet, the version that it was made from, and how each
/// keystroke gets into the store.
///
/// Pure: inputs come in, and what to carry out comes back. A text is saved over the version that it
/// was made from and over no other. Whatever else the store has by then is shown beside it, and the
/// person chooses. A text that cannot be saved is kept until it can.
///
/// ``advance()`` alone decides when to save.
struct TextSession: Hashable {
  /// A text as the store has it.
  struct Version: Hashable {
    var text: String
    var revision: Int64
  }

  /// The state of a snippet in the store.
  enum Found: Hashable {
    case present(Version)
    case inTrash(Version)
    case deleted
  }

  /// The reason why a text is not saved at the next pause, or was not at the last.
  enum Obstacle: Hashable {
    /// The store could not do it; the next pause tries again.
    case failed
    /// The store has another text by now.
    case conflict(Version)
    case inTrash
    case deleted
  }

  /// The person's answer to an obstacle.
  enum Choice: Hashable {
    /// This text replaces that of the store, or comes back with its snippet.
    case mine
    /// The text of the store replaces this one.
    case theirs
    /// This text becomes a snippet of its own.
    case asNew
  }

  enum Input: Hashable {
    /// The whole text after a keystroke.
    case typed(String)
    /// Nothing was typed for a while.
    case paused
    case undo
    case redo
    case chosen(Choice)
    /// The person goes on to something else.
    case leave
    /// The window or the program ends.
    case close

    // The answers to a save; never are two under way.
    case saved(revision: Int64)
    case savedAsNew(SnippetID, revision: Int64)
    case failed(canRetry: Bool)
    case refused(Found)

    /// A look at the store; one that began before the last save ended is not to be told.
    case seen(Found)
    /// The answer to ``Output/keep(_:madeFrom:)``.
    case kept(String)
    case notKept
  }

  enum Output: Hashable {
    /// Saves a text if the snippet still has this revision, out of the trash too if it is to be
    /// brought back.
    case save(String, over: Version, bringsBack: Bool)
    case saveAsNew(String)
    /// Keeps a text where the next start finds it, in place of the one kept before.
    case keep(String, madeFrom: Version)
    /// Removes the kept text.
    case forget
    case show(String)
    /// Sends ``Input/paused`` after a while, as after a keystroke.
    case awaitPause
    /// The text belongs to another snippet from now on.
    case edits(SnippetID)
    /// The text is neither in the store nor kept, so it cannot be left.
    case stays
    /// The text is in the store or kept. Nothing follows.
    case left
  }

  private struct Sent: Hashable {
    let text: String
    let isNew: Bool
  }

  private(set) var snippet: SnippetID
  /// The text on screen.
  private(set) var text: String
  /// The version that the text was made from.
  private(set) var base: Version
  /// The version of others that the person began with.
  private(set) var origin: Version
  private(set) var obstacle: Obstacle?
  /// The save under way.
  private var sent: Sent?
  /// A text whose save failed, which may be in the store all the same.
  private var doubtful: String?
  /// Whether there was a pause while a save was under way.
  private var isDue = false
  private var isLeaving = false
  private var keptText: String?
  private var history: TextHistory
  /// The text that was given up for that of others, until going back brings it again.
  private var givenUp: String?

  /// Begins with a version, and with a text that was made from it and kept, if there is one.
  init(_ snippet: SnippetID, _ base: Version, kept text: String? = nil) {
    self.snippet = snippet
    (self.base, origin, keptText) = (base, base, text)
    self.text = text ?? base.text
    history = TextHistory(self.text)
  }

  /// Whether the store may have another text than the one on screen.
  var isDirty: Bool {
    !text.hasSameBytes(as: base.text) || other.map { !$0.hasSameBytes(as: base.text) } ?? false
  }

  var isSaving: Bool { sent != nil }

  /// Whether the person has to choose before the text can be saved.
  private var isBlocked: Bool { obstacle != nil && obstacle != .failed }

  /// The text that the store may have in place of the version: that of the save under way, or of one
  /// that failed.
  private var other: String? {
    guard let sent, !sent.isNew else { return doubtful }
    return sent.text
  }

  /// The version to keep a text with, from which it differs.
  private var keptBase: Version {
    guard text.hasSameBytes(as: base.text), let other else { return base }
    return Version(text: other, revision: base.revision)
  }

  private var isKept: Bool { keptText.map(text.hasSameBytes) ?? false }

  mutating func handle(_ input: Input) -> [Output] {
    switch input {
    case .typed(let new):
      text = new
      return []
    case .paused:
      history.note(text)
      return advance()
    case .undo:
      history.note(text)
      return go(to: history.undo())
    case .redo:
      history.note(text)
      return go(to: history.redo())
    case .chosen(let choice):
      return sent == nil ? choose(choice) : []
    case .leave:
      isLeaving = true
      history.note(text)
      return advance()
    case .close:
      isLeaving = true
      history.note(text)
      let next = advance()
      // The program may be killed before the save has ended.
      return isSaving && isDirty && !isKept ? [.keep(text, madeFrom: keptBase)] + next : next
    case .saved(let revision):
      return endSave(at: revision)
    case .savedAsNew(let id, let revision):
      snippet = id
      let outputs = endSave(at: revision)
      origin = base
      return [.edits(id)] + outputs
    case .failed(let canRetry):
      return endSave(canRetry: canRetry)
    case .refused(let found):
      sent = nil
      return meet(found, isAnswer: true)
    case .seen(let found):
      // The answer to the save under way tells more.
      return isSaving ? [] : meet(found)
    case .kept(let text):
      keptText = text
      return isLeaving && !isSaving && isKept ? [.left] : []
    case .notKept:
      // A save under way may still help.
      guard !isSaving else { return [] }
      isLeaving = false
      return [.stays]
    }
  }

  // MARK: - Saving

  /// Saves or keeps what is not in the store, and leaves once there is nothing.
  private mutating func advance() -> [Output] {
    guard !isSaving else {
      isDue = true
      return []
    }
    isDue = false
    guard isDirty else {
      var outputs: [Output] = []
      if case .conflict(let theirs) = obstacle { outputs = adopt(theirs) }
      if obstacle == .failed { obstacle = nil }
      return outputs + forget() + (isLeaving ? [.left] : [])
    }
    return isBlocked ? keep() : save()
  }

  private mutating func save(bringsBack: Bool = false) -> [Output] {
    sent = Sent(text: text, isNew: false)
    return [.save(text, over: base, bringsBack: bringsBack)]
  }

  private mutating func saveAsNew() -> [Output] {
    sent = Sent(text: text, isNew: true)
    return [.saveAsNew(text)]
  }

  private mutating func keep() -> [Output] {
    guard isKept else { return [.keep(text, madeFrom: keptBase)] }
    return isLeaving ? [.left] : []
  }

  private mutating func forget() -> [Output] {
    guard keptText != nil else { return [] }
    keptText = nil
    return [.forget]
  }

  private mutating func endSave(at revision: Int64) -> [Output] {
    guard let ended = sent.take() else { return [] }
    (base, obstacle, doubtful) = (Version(text: ended.text, revision: revision), nil, nil)
    return isDue || isLeaving || !isDirty ? advance() : []
  }

  private mutating func endSave(canRetry: Bool) -> [Output] {
    guard let ended = sent.take() else { return [] }
    isDue = false
    if !ended.isNew {
      doubtful = ended.text
      if !isBlocked { obstacle = .failed }
    }
    let outputs = isDirty || ended.isNew ? keep() : advance()
    return canRetry && outputs != [.left] ? outputs + [.awaitPause] : outputs
  }

  // MARK: - The store

  /// Compares the text with the store.
  private mutating func meet(_ found: Found, isAnswer: Bool = false) -> [Output] {
    let wasBlocked = isBlocked
    var outputs: [Output] = []
    switch found {
    case .deleted:
      obstacle = .deleted
    case .inTrash(let version):
      if obstacle == .inTrash || obstacle == .deleted { obstacle = nil }
      outputs = take(version)
      if !isBlocked { obstacle = .inTrash }
    case .present(let version):
      if obstacle == .inTrash || obstacle == .deleted { obstacle = nil }
      outputs = take(version)
    }
    if isDirty, isBlocked { return outputs + keep() }
    return outputs + (isAnswer || wasBlocked || !isDirty ? advance() : [])
  }

  /// Compares the text with the version in the store.
  private mutating func take(_ version: Version) -> [Output] {
    let doubtful = doubtful.take()
    if !isBlocked, version.text.hasSameBytes(as: base.text) {
      // Others changed other fields.
      base.revision = version.revision
    } else if !isBlocked, let doubtful, version.text.hasSameBytes(as: doubtful) {
      base = version
      return [.awaitPause]
    } else if version.text.hasSameBytes(as: text) {
      (base, obstacle) = (version, nil)
    } else if isDirty {
      obstacle = .conflict(version)
    } else {
      return adopt(version)
    }
    return []
  }

  /// Shows a version of others in place of a text that is not the person's.
  private mutating func adopt(_ version: Version) -> [Output] {
    (base, origin, text, obstacle) = (version, version, version.text, nil)
    // What others wrote is not taken back by going back, except to a text that is nowhere else.
    history = TextHistory(givenUp ?? text)
    history.note(text)
    return [.show(text)]
  }

  // MARK: - The person

  private mutating func choose(_ choice: Choice) -> [Output] {
    switch (choice, obstacle) {
    case (.asNew, _), (.mine, .deleted):
      return saveAsNew()
    case (.mine, .inTrash):
      return isDirty ? save(bringsBack: true) : []
    case (.mine, .conflict(let theirs)):
      (base, origin, obstacle) = (theirs, theirs, nil)
      return advance()
    case (.mine, _):
      return advance()
    case (.theirs, .conflict(let theirs)):
      (base, origin, obstacle) = (theirs, theirs, nil)
      return giveUp()
    case (.theirs, .inTrash), (.theirs, .deleted):
      return giveUp()
    case (.theirs, _):
      return []
    }
  }

  /// Shows the version of the store; going back brings the person's text again.
  private mutating func giveUp() -> [Output] {
    history.note(text)
    (givenUp, text) = (text, base.text)
    history.note(text)
    return [.show(text)] + forget()
  }

  private mutating func go(to text: String?) -> [Output] {
    guard let text else { return [] }
    self.text = text
    if let givenUp, givenUp.hasSameBytes(as: text) { self.givenUp = nil }
    return [.show(text), .awaitPause]
  }
}

extension String {
  /// Whether two texts are the same byte for byte: `==` does not tell composed letters from
  /// decomposed ones.
  func hasSameBytes(as other: String) -> Bool {
    var (own, other) = (self, other)
    // Texts may have megabytes, and views of UTF-8 are compared far slower than memory.
    return own.withUTF8 { own in
      other.withUTF8 { other in own.count == other.count && own.elementsEqual(other) }
    }
  }
}
