import Foundation
import SnippetBase
import SnippetLoading
import SnippetStorage
import TerminalKit

/// Has the user edit texts and notes in an editor of their own: there is one terminal to do it on.
///
/// What the editor gets is fixed when it starts. What it makes of that is kept beside the store,
/// and saved over the version that it was made from and over no other.
@MainActor
final class TextEditing {
  /// Leaves the terminal to other programs for as long as some work takes; `nil` if there is none
  /// to leave.
  var terminalLender: ((@MainActor () async -> Void) async -> Void)?
  /// Called with a text to show over the whole screen.
  var pagerHandler: ((Pager) -> Void)?

  private let store: SnippetStore
  private let kept: KeptTexts
  private let work: BrowseWork
  private let now: @Sendable () -> ContinuousClock.Instant
  private var isEditing = false
  /// The copies whose editors may still run in a window of their own.
  private var waiting: [SnippetID: EditedCopy] = [:]

  init(
    in store: SnippetStore,
    _ kept: KeptTexts,
    _ work: BrowseWork,
    now: @escaping @Sendable () -> ContinuousClock.Instant
  ) {
    (self.store, self.kept, self.work, self.now) = (store, kept, work, now)
  }

  /// Has a text edited, or the note of an image or recording, and saves the result.
  func edit(_ row: SnippetRow, in programs: any OtherPrograms) {
    guard !isEditing else { return }
    guard row.kind != .text || row.byteCount <= EditedCopy.editableByteCount else {
      work.message = "Too long to be edited here (\(ByteCountText(row.byteCount)))."
      return
    }
    isEditing = true
    work.start(.change) { [self] in
      defer { isEditing = false }
      waiting[row.id] = nil
      await kept.takeLeftovers(onlyOf: row.id)
      // One text of a snippet at a time.
      if let text = await kept.text(of: row.id) { return kept.offer(text) }
      let copy = try await makeCopy(of: row)
      let start = now()
      let status: Int32
      do {
        let file = URL(fileURLWithPath: copy.path)
        status = try await lendTerminal { () throws(OtherProgramError) in
          try programs.edit(file)
        }
      } catch {
        copy.remove()
        throw error
      }
      let end = EditorEnd(
        status: status,
        editor: programs.editor,
        isEarly: now() - start < EditorEnd.momentOfStart
      )
      // It goes on when the program was asked to end.
      await Task { await self.take(copy, after: end) }.value
    }
  }

  private func makeCopy(of row: SnippetRow) async throws -> EditedCopy {
    try await EditedCopy.make(of: kept.original(of: row.id), row, in: store)
  }

  /// Saves an edited text, if it is another; one that cannot be read stays in its file.
  private func take(_ copy: EditedCopy, after end: EditorEnd) async {
    switch await copy.outcome(after: end) {
    case .unsaved(let reason, let place): leave(reason, in: place)
    case .failed(let failure):
      copy.remove()
      work.message = end.isOfShell ? "\(failure)." : "Nothing was changed: \(failure)."
    case .unchanged(let isEarly):
      work.message = "Nothing was changed.\(isEarly ? " \(EditorEnd.waitAdvice)" : "")"
      if isEarly { waiting[copy.original.snippet] = copy } else { copy.remove() }
    case .changed(let text):
      do {
        try await kept.keep(text)
      } catch {
        return leave(EditedCopy.words(for: error), in: copy.path)
      }
      if let place = copy.remove() {
        // A signal may come before a key shows that it was read.
        work.warn("other files that the editor wrote are in \(place)")
        kept.tellLater(of: place)
      }
      await kept.settle(text)
    }
  }

  /// Reports a text that was not saved, and its place.
  private func leave(_ reason: String, in place: String?) {
    let reason = TerminalText(reason, lines: .folded).description
    guard let place else {
      work.message = "Nothing was saved: \(reason)."
      return
    }
    // A signal may come before a key shows that it was read.
    work.warn("your text was not saved: \(reason)", "It is in \(TerminalText(place))")
    let text = "Your text was not saved: \(reason)\n\nIt is in\n\(TerminalText(place))"
    pagerHandler?(Pager(title: "Not saved", text: text))
  }

  private func lendTerminal<Result: Sendable, Failure: Error>(
    _ work: @escaping @Sendable () throws(Failure) -> Result
  ) async throws -> Result {
    var result: Swift.Result<Result, any Error>?
    let body: @MainActor () async -> Void = {
      do {
        result = .success(try await OwnThreads.result { try work() })
      } catch {
        result = .failure(error)
      }
    }
    if let terminalLender { await terminalLender(body) } else { await body() }
    guard let result else { throw CancellationError() }
    return try result.get()
  }
}
