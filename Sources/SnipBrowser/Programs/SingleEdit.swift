import Foundation
package import SnipCore
import SnippetBase
import SnippetExchange
import SnippetLoading
package import SnippetStorage
import TerminalKit

/// Has the user edit the text of one snippet, or the note of an image or recording, in an editor of
/// their own, without the browser.
///
/// It loses no more than the browser does: a text that cannot be saved is kept, and the next
/// browser offers it.
@MainActor
package final class SingleEdit {
  /// The end of an edit that did not fail.
  package enum Ending: Sendable {
    case saved
    /// Nothing was changed; the advice is empty unless the editor may still have a window, or has
    /// left an empty text.
    case unchanged(advice: String)
  }

  private static let advice = "`snip browse` offers it."

  private let store: SnippetStore
  private let programs: any OtherPrograms
  private let texts: SnippetTextEditor
  private let tell: @Sendable (String) -> Void
  private var failure: (any Error)?

  /// Makes an edit that has not begun.
  ///
  /// - Parameters:
  ///   - store: The store, which can be written.
  ///   - environment: The environment variables, which name the editor.
  ///   - tell: Called with a sentence about what stays besides the text, safe to print.
  package convenience init(
    in store: SnippetStore,
    environment: [String: String],
    tell: @escaping @Sendable (String) -> Void
  ) {
    self.init(in: store, UserPrograms(environment: environment), tell: tell)
  }

  init(
    in store: SnippetStore,
    _ programs: any OtherPrograms,
    tell: @escaping @Sendable (String) -> Void
  ) {
    (self.store, self.programs, self.tell) = (store, programs, tell)
    texts = SnippetTextEditor(store, completing: { try await store.completing($0, of: $1) })
    texts.failureHandler = { [weak self] _, error in self?.failure = error }
  }

  /// Opens a text or note in the editor, waits for its end, and saves the result.
  ///
  /// The terminal must be free. On return the text is in the store, unless nothing was changed.
  ///
  /// - Parameter row: The snippet, which must be outside the trash.
  /// - Returns: Whether something was changed.
  /// - Throws: ``UnsavedEditError`` when a text was edited and is not saved; ``OtherProgramError``
  ///   when nothing was edited; ``SnippetStoreError``.
  package func edit(_ row: SnippetRow) async throws -> Ending {
    guard row.kind != .text || row.byteCount <= EditedCopy.editableByteCount else {
      throw OtherProgramError(
        message: "the text is too long for an editor (\(ByteCountText(row.byteCount)))",
        hint: "snip cat \(row.id) > FILE, then snip edit \(row.id) --stdin < FILE"
      )
    }
    // One text of a snippet at a time. It stays where the message of the first edit said.
    let left = await EditedCopy.leftovers(of: store).changed.first { $0.text.snippet == row.id }
    if let left {
      throw OtherProgramError(
        message: "an earlier text of snippet \(row.id) was edited and not saved",
        hint: "It is in \(TerminalText(left.copy.path)), and \(Self.advice)"
      )
    }
    guard await texts.keptTexts().allSatisfy({ $0.snippet != row.id }) else {
      throw OtherProgramError(
        message: "an earlier text of snippet \(row.id) was edited and not saved, and is kept",
        hint: Self.advice
      )
    }
    let copy = try await EditedCopy.make(of: texts.original(of: row.id), row, in: store)
    let start = ContinuousClock.now
    let status: Int32
    do {
      let file = URL(fileURLWithPath: copy.path)
      status = try await OwnThreads.result { [programs] () throws(OtherProgramError) in
        try programs.edit(file)
      }
    } catch {
      copy.remove()
      throw error
    }
    let isEarly = ContinuousClock.now - start < EditorEnd.momentOfStart
    return try await take(
      copy,
      after: EditorEnd(status: status, editor: programs.editor, isEarly: isEarly)
    )
  }

  private func take(_ copy: EditedCopy, after end: EditorEnd) async throws -> Ending {
    switch await copy.outcome(after: end) {
    case .unsaved(let reason, let place):
      throw UnsavedEditError(reason: reason, hint: place.map { "It is in \(TerminalText($0))" })
    case .failed(let failure):
      copy.remove()
      throw OtherProgramError(message: "nothing was changed: \(failure)")
    case .unchanged(isEarly: true):
      // A window may still have it; a later start takes over what is saved there.
      return .unchanged(advice: EditorEnd.waitAdvice)
    case .unchanged(isEarly: false):
      copy.remove()
      return .unchanged(advice: "")
    case .changed(let text) where text.text.isEmpty && !text.isNote:
      // More likely a slip than a wish, and nothing takes it back here.
      remove(copy)
      let emptying = "snip edit \(text.snippet) --text ''"
      return .unchanged(advice: "The editor left an empty text. To empty it: \(emptying)")
    case .changed(let text):
      do {
        try await texts.keep(text)
      } catch {
        throw UnsavedEditError(
          reason: EditedCopy.words(for: error),
          hint: "It is in \(TerminalText(copy.path))"
        )
      }
      remove(copy)
      try await save(text)
      return .saved
    }
  }

  private func remove(_ copy: EditedCopy) {
    if let place = copy.remove() { tell("Other files that the editor wrote are in \(place).") }
  }

  /// Saves a kept text over the version that it was made from, and over no other.
  private func save(_ text: UnsavedText) async throws {
    do {
      try await texts.open(kept: text)
      await texts.leave()
    } catch {
      failure = error
    }
    guard await texts.keptTexts().contains(text) else { return }
    let reason =
      if let failure {
        EditedCopy.words(for: failure)
      } else {
        await obstacle(to: text)
      }
    let place = Self.formerPlace(of: store)
    let hint = place.map { "It is kept. Move the store back to \($0), and \(Self.advice)" }
    throw UnsavedEditError(reason: reason, hint: hint ?? "It is kept: \(Self.advice)")
  }

  /// The path of a store whose file was moved or deleted; `nil` for any other.
  ///
  /// What is kept stays beside that path, and is offered for a store there alone.
  static func formerPlace(of store: SnippetStore) -> TerminalText? {
    guard let path = store.url?.path, !FileStatus.exists(path) else { return nil }
    return TerminalText(path)
  }

  /// The reason why a text is kept because of what others did.
  private func obstacle(to text: UnsavedText) async -> String {
    try? await texts.open(kept: text)
    let state = texts.state
    await texts.leave()
    return switch state {
    case .inTrash: "the snippet was moved to the trash while you edited it"
    case .deleted: "the snippet was deleted while you edited it"
    case .conflict, .empty, .saved, .unsaved, .failed:
      "it was changed elsewhere while you edited it"
    }
  }
}

/// A text was edited and is not in the store.
package struct UnsavedEditError: StatusError, Hashable {
  let reason: String
  package let hint: String?

  package var status: ExitStatus { .failure }
  package var message: String { "your text was not saved: \(reason)" }
}
