#if GTK
import Foundation
import SnippetStorage
import SnippetTestSupport
import Testing

/// A person types into a note while another program changes that very note.
///
/// With `SNIP_LONG_TESTS` set it goes on for ten minutes.
@Suite(.seeded, .temporaryDirectory, .timeLimit(.minutes(30)))
struct WindowStormTests {
  @Test func `in a storm of changes to the note that is typed no text is lost or written over`()
    async throws
  {
    var random = SeededGenerator()
    let store = try TemporaryStore.open()
    let id = try await store.save(SnippetDraft(.text("note"), title: "Note")).id
    let file = TemporaryDirectory.file("store.sqlite")
    let window = try WindowRun(["--store", file.path])
    try await window.openFirstText(id, of: store)
    try await window.press("ctrl+End")
    try await window.type(" ")
    let other = SecondWriter(of: file)
    var person = TypingPerson(at: window, beside: other, in: store)

    let end = ContinuousClock.now + .seconds(600)
    var turnCount = 0
    while LongTests.isOn ? ContinuousClock.now < end : turnCount < 40 {
      turnCount += 1
      // Both at once, so neither waits for the other.
      let changes = (0..<random.below(4)).map { _ in SecondWriter.Change.any(using: &random) }
      async let changed: Void = other.make(changes)
      try await person.takeTurn(using: &random)
      try await changed
    }
    try await window.press("ctrl+q")
    #expect(try await window.end() == 0)
    #expect(window.complaints == "")

    var texts: [SnippetID: String] = [:]
    for row in try store.list().rows(in: 0..<store.list().count) {
      texts[row.id] = try await store.text(of: row.id)
    }
    #expect(person.answers.count > 3)
    let kept = try WindowRun.keptTexts(beside: file)
    let found = (texts.values + kept).joined(separator: "\n")
    let lost = (1...person.tokenCount).filter { !found.contains(TypingPerson.token($0)) }
    #expect(lost == [], "They were typed, and are nowhere.")
    let ledger = await other.ledger
    let overwritten = ledger.overwritten(by: texts)
    let unseen = overwritten.filter { lapse in !person.answers.contains { $0.excuses(lapse) } }
    #expect(unseen.isEmpty, "They were written over without an answer.")
    if let title = ledger.title { #expect(try store.row(id)?.title == title) }
    print(
      "\(person.keystrokeCount) keystrokes in \(person.tokenCount) words,",
      "\(ledger.texts.count) texts and \(ledger.otherCount) other changes by the other program,",
      "\(ledger.saveCount) saves between them, \(person.answers.count) conflicts answered,",
      "\(overwritten.count) texts of the other written over by an answer, \(lost.count) words and",
      "\(unseen.count) texts lost; \(texts.count) notes and \(kept.count) kept texts at the end."
    )
  }
}

/// A person who types numbered words into the opened note, and answers what the window asks.
private struct TypingPerson {
  /// An answer to a conflict.
  struct Answer {
    enum Choice: CaseIterable {
      case mine, theirs, both
    }

    var choice: Choice
    /// The number of changes of the other program before the answer, and once it was carried out.
    var changes: ClosedRange<Int>

    /// Whether it may have replaced a text, and knowingly so.
    func excuses(_ lapse: SecondWriter.Ledger.Lapse) -> Bool {
      choice != .both && lapse.number <= changes.upperBound
        && changes.overlaps(lapse.between)
    }
  }

  private let window: WindowRun
  private let other: SecondWriter
  private let store: SnippetStore
  private(set) var tokenCount = 0
  private(set) var keystrokeCount = 0
  private(set) var answers: [Answer] = []

  init(at window: WindowRun, beside other: SecondWriter, in store: SnippetStore) {
    (self.window, self.other, self.store) = (window, other, store)
  }

  static func token(_ number: Int) -> String { "p\(number) " }

  mutating func takeTurn(using random: inout SeededGenerator) async throws {
    for _ in 0..<1 + random.below(3) { try await typeWord() }
    // A pause, in which the text is saved or kept.
    if random.chance(0.3) { try await untilSafe() }
    if random.chance(0.5) { try await answer(random.element(of: Answer.Choice.allCases)) }
  }

  private mutating func typeWord() async throws {
    tokenCount += 1
    let token = Self.token(tokenCount)
    keystrokeCount += token.count
    try await window.type(token)
  }

  /// Waits until the last word is in the store, or beside it.
  private func untilSafe() async throws {
    let token = Self.token(tokenCount)
    try await until("\(token)is saved or kept", within: .seconds(120)) {
      let list = store.list()
      for row in try list.rows(in: 0..<list.count)
      where try await store.text(of: row.id).contains(token) {
        return true
      }
      return try WindowRun.keptTexts(beside: other.file).contains { $0.contains(token) }
    }
  }

  /// Answers a conflict, if the window tells of one.
  private mutating func answer(_ choice: Answer.Choice) async throws {
    guard let place = try await conflict() else { return }
    let first = await other.ledger.changeCount
    switch choice {
    case .mine: try await window.click(556, place)
    case .theirs:
      try await window.click(672, place)
      try await takeBack()
    case .both: try await window.click(785, place)
    }
    // A button below the pointer looks different.
    try await window.point(at: 450, 600)
    try await window.press("ctrl+End")
    try await typeWord()
    try await untilSafe()
    let last = await other.ledger.changeCount
    answers.append(Answer(choice: choice, changes: first...last))
  }

  /// The line of the buttons that answer a conflict; `nil` if there is none.
  private func conflict() async throws -> Int? {
    let screen = try await window.screen()
    return screen.isConflictTold ? screen.bannerMiddle : nil
  }

  /// Brings back the text that was given up.
  private func takeBack() async throws {
    var place = 0
    try await until("it can be brought back", within: .seconds(120)) {
      let screen = try await window.screen()
      place = screen.bannerMiddle ?? 0
      return place > 0 && !screen.isConflictTold
    }
    try await window.click(802, place)
  }
}

/// Another program that puts numbered words in front of the note that is being typed: the newest.
private actor SecondWriter {
  enum Change {
    case text, title, pin

    static func any(using random: inout SeededGenerator) -> Change {
      random.element(of: [.text, .text, .text, .title, .pin])
    }
  }

  /// What it has done, and what it found.
  struct Ledger {
    /// A text as it was committed, with the one that it was made from.
    struct Text {
      var snippet: SnippetID
      var body: String
      /// The number of all changes before.
      var change: Int
    }

    /// A text that was not there any more.
    struct Lapse {
      /// The number of the change that wrote it.
      var number: Int
      /// The numbers of the changes between which it was written over.
      var between: ClosedRange<Int>
    }

    fileprivate(set) var texts: [Text] = []
    fileprivate(set) var changeCount = 0
    fileprivate(set) var title: String?

    var otherCount: Int { changeCount - texts.count }

    /// The least number of saves by others, each of which it built upon.
    var saveCount: Int {
      zip(texts, texts.dropFirst()).count { former, next in
        former.snippet == next.snippet && !next.body.hasSuffix(former.body)
      }
    }

    /// The texts that others replaced by one that was not made from them.
    func overwritten(by last: [SnippetID: String]) -> [Lapse] {
      Dictionary(grouping: texts, by: \.snippet).flatMap { snippet, texts in
        var present: [Int] = []
        var lapses: [Lapse] = []
        var former = 0
        func compare(with body: String, before change: Int) {
          let gone = present.filter { !body.contains(SecondWriter.token($0)) }
          lapses += gone.map { Lapse(number: $0, between: former...change) }
          present.removeAll(where: gone.contains)
          former = change
        }
        for text in texts {
          compare(with: text.body, before: text.change)
          present.append(text.change)
        }
        compare(with: last[snippet] ?? "", before: changeCount)
        return lapses
      }
    }
  }

  let file: URL
  private(set) var ledger = Ledger()

  init(of file: URL) { self.file = file }

  static func token(_ number: Int) -> String { "o\(number) " }

  func make(_ changes: [Change]) async throws {
    for change in changes { try await make(change) }
  }

  private func make(_ change: Change) async throws {
    let number = ledger.changeCount + 1
    let newest = "(SELECT max(id) FROM snippet)"
    let sql =
      switch change {
      case .text:
        """
        UPDATE snippet_text SET body = '\(Self.token(number))' || body
        WHERE snippet_id = \(newest) RETURNING snippet_id, body
        """
      case .title: "UPDATE snippet SET title = 'Note \(number)' WHERE id = 1"
      case .pin: "UPDATE snippet SET pinned = 1 - pinned WHERE id = \(newest)"
      }
    let output = try await Shell.sqlite3(file, ".timeout 60000", sql)
    guard output.status == 0 else { throw Shell.Failure(output: output) }
    ledger.changeCount = number
    if change == .title { ledger.title = "Note \(number)" }
    guard change == .text else { return }
    let parts = output.standardOutput.split(separator: "|", maxSplits: 1)
    let snippet = try #require(Int64(parts[0]))
    ledger.texts.append(
      Ledger.Text(
        snippet: SnippetID(rawValue: snippet),
        body: String(try #require(parts.last).dropLast()),
        change: number
      )
    )
  }
}
#endif
