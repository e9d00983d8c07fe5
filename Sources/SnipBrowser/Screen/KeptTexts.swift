import Foundation
import SnippetExchange
import SnippetLoading
import SnippetStorage
import TerminalKit

/// Brings the texts that were edited outside of the store into it, and asks where only a person can
/// decide.
///
/// Each text is kept on the disk before that, and stays kept until it is in the store or the person
/// has answered.
@MainActor
final class KeptTexts {
  /// Called with a text to show over the whole screen.
  var pagerHandler: ((Pager) -> Void)?
  /// Whether a line is being typed, whose next keys would answer a question.
  var isTyping: (() -> Bool)?

  private let store: SnippetStore
  private let texts: SnippetTextEditor
  private let lists: BrowseLists
  private let opened: OpenedSnippet
  private let work: BrowseWork
  private var question: TextQuestion?
  /// Files that no text could be read from, to be told after the offers.
  private var remaining: [String] = []
  /// Texts to be offered after the question.
  private var offers: [UnsavedText] = []
  private var lastFailure: (any Error)?

  init(
    of store: SnippetStore,
    by editor: SnippetEditor,
    _ lists: BrowseLists,
    _ opened: OpenedSnippet,
    _ work: BrowseWork
  ) {
    (self.store, self.lists, self.opened, self.work) = (store, lists, opened, work)
    texts = SnippetTextEditor(
      store,
      editor: editor,
      completing: { try await store.completing($0, of: $1) }
    )
    texts.failureHandler = { [weak self] _, error in self?.lastFailure = error }
    texts.stateHandler = { [weak self] _ in self?.follow() }
  }

  // MARK: - Texts

  /// Reads a text, to be edited elsewhere.
  func original(of id: SnippetID) async throws -> UnsavedText {
    try await texts.original(of: id)
  }

  /// A text of a snippet that is kept; `nil` if there is none.
  func text(of id: SnippetID) async -> UnsavedText? {
    await texts.keptTexts().last { $0.snippet == id }
  }

  /// Keeps a text; on return it is on the disk.
  func keep(_ text: UnsavedText) async throws { try await texts.keep(text) }

  /// Saves a kept text, or asks what to do with it.
  func settle(_ text: UnsavedText) async {
    lastFailure = nil
    // A busy store is waited for.
    work.message = "Saving …"
    work.changeHandler?()
    do {
      try await texts.open(kept: text)
      await texts.leave()
    } catch {
      lastFailure = error
    }
    await conclude(text)
  }

  /// Reports that a text is saved, or kept, and asks if a person has to decide.
  private func conclude(_ text: UnsavedText, as words: String = "Saved") async {
    // It would arrive by itself a moment later, too.
    lists.list.refresh()
    let kept = await texts.keptTexts().last { $0.snippet == text.snippet && $0.text == text.text }
    guard let kept else {
      let isEmpty = text.text.allSatisfy(\.isWhitespace)
      if text.isNote, isEmpty {
        work.message = "The note was taken off."
      } else {
        work.message = text.text.isEmpty ? "\(words), and empty now." : "\(words)."
      }
      work.message += words == "Saved" ? " u takes it back." : ""
      return offerNext()
    }
    if let error = lastFailure {
      let reason = EditedCopy.words(for: error)
      let place = SingleEdit.formerPlace(of: store)
      let isAway = place != nil
      work.message = "Not saved, but kept: \(reason)."
      work.message += isAway ? " It is offered once that is back." : ""
      let advice = place.map {
        "Move the store back to \($0), and the next `snip browse` offers it."
      }
      return work.warn("your text was not saved, but kept: \(reason)", advice ?? Self.advice)
    }
    await ask(kept)
  }

  private static let advice = "The next `snip browse` offers it."

  /// Waits until no text is being saved.
  func close() async { await texts.close() }

  // MARK: - Leftovers

  /// Keeps the texts of editors whose browsers were killed, and removes the copies that no editor
  /// has changed.
  ///
  /// - Parameter snippet: Keeps only its texts; `nil`, the default, keeps all.
  /// - Returns: What stays where it is, with the reason, safe to print.
  @discardableResult
  func takeLeftovers(onlyOf snippet: SnippetID? = nil) async -> [String] {
    await EditedCopy.keepLeftovers(of: store, onlyOf: snippet, in: texts)
  }

  /// Tells, after the offers and questions, where an editor has left files.
  func tellLater(of place: TerminalText) { remaining.append(EditedCopy.words(forFilesIn: place)) }

  /// Offers the texts that were kept, one after the other, and tells which could not be.
  func offer() {
    work.start { [self] in
      remaining = await takeLeftovers()
      offers = await texts.keptTexts()
      offerNext()
    }
  }

  /// Offers a kept text.
  func offer(_ text: UnsavedText) { show(TextQuestion(text: text, reason: .isKept)) }

  /// Offers the next kept text, unless something else is asked or a line is being typed; call it
  /// once that has ended.
  func offerNext() {
    guard question == nil || !opened.isAsking, isTyping?() != true else { return }
    guard offers.isEmpty else { return offer(offers.removeFirst()) }
    guard !remaining.isEmpty else { return }
    let text = "Texts that were edited, and not saved:\n\n" + remaining.joined(separator: "\n\n")
    pagerHandler?(
      Pager(title: "Not saved", text: text + "\n\nMove them elsewhere, or remove them.")
    )
    remaining = []
  }

  // MARK: - Questions

  /// Takes a key that answers the question on the screen.
  ///
  /// - Returns: Whether it does.
  func take(_ key: Key) -> Bool {
    guard let question, opened.isAsking, let answer = question.answer(for: key) else {
      return false
    }
    self.question = nil
    opened.close()
    carryOut(answer, to: question)
    return true
  }

  private func carryOut(_ answer: TextQuestion.Answer, to question: TextQuestion) {
    let text = question.text
    work.start(.change) { [self] in
      lastFailure = nil
      switch (answer, question.reason) {
      case (.mine, .isKept):
        return await settle(text)
      case (.mine, let reason):
        texts.keepMine()
        await texts.leave()
        await conclude(text, as: reason == .deleted ? "Saved as a new snippet" : "Saved")
      case (.asNew, _):
        texts.saveAsNew()
        await texts.leave()
        await conclude(text, as: "Saved as a new snippet")
      case (.theirs, _):
        texts.takeTheirs()
        show(TextQuestion(text: text, reason: .tookTheirs))
      case (.undo, _):
        texts.undo()
        await texts.leave()
        await conclude(text)
      case (.drop, _):
        texts.drop(kept: text)
        work.message = "Dropped."
        offerNext()
      case (.later, .tookTheirs):
        await texts.leave()
        offerNext()
      case (.later, _):
        await texts.leave()
        offers = []
        work.message = "Your text is kept. \(Self.advice)"
      }
    }
  }

  /// Asks what to do with a text that is kept because of what others did.
  private func ask(_ text: UnsavedText) async {
    do {
      try await texts.open(kept: text)
    } catch {
      return work.tell(error)
    }
    guard let reason else {
      // The others have taken it back in the meantime, so it is saved now.
      await texts.leave()
      return await conclude(text)
    }
    show(TextQuestion(text: text, reason: reason))
    // A signal may come before a key shows that it was read.
    work.warn("your text was not saved, but kept: it was changed elsewhere", Self.advice)
  }

  private func show(_ question: TextQuestion) {
    self.question = question
    work.message = ""
    pagerHandler?(question.pager)
  }

  /// The reason why the open text is not saved; `nil` if there is none.
  private var reason: TextQuestion.Reason? {
    switch texts.state {
    case .conflict(let theirs): .conflict(theirs: theirs)
    case .inTrash: .inTrash
    case .deleted: .deleted
    case .empty, .saved, .unsaved, .failed: nil
    }
  }

  /// Brings the question up to date with the store.
  private func follow() {
    guard let question, opened.isAsking, texts.snippet == question.text.snippet,
      question.reason != .isKept, question.reason != .tookTheirs, question.reason != reason
    else { return }
    if let reason { return show(TextQuestion(text: question.text, reason: reason)) }
    self.question = nil
    opened.close()
    work.start(.change) { [self] in
      await texts.leave()
      await conclude(question.text)
    }
  }
}
