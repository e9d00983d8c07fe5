import Foundation
import SnippetBase
import SnippetLoading
import SnippetStorage
import TerminalKit

/// Has the user edit texts in an editor of their own: there is one terminal to do it on.
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

  /// The most bytes of a text to edit here.
  private static let byteLimit: Int64 = 8 << 20
  /// The time in which no person has edited a text.
  private static let momentOfStart = Duration.seconds(1)

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

  /// Has a text edited, and saves the result.
  func edit(_ row: SnippetRow, in programs: any OtherPrograms) {
    guard !isEditing else { return }
    guard row.byteCount <= Self.byteLimit else {
      work.message = "Too long to be edited here (\(ByteCountText(row.byteCount)))."
      return
    }
    isEditing = true
    work.start(.change) { [self] in
      defer { isEditing = false }
      waiting[row.id] = nil
      await kept.takeLeftovers()
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
        isEarly: now() - start < Self.momentOfStart
      )
      // It goes on when the program was asked to end.
      await Task { await self.take(copy, after: end) }.value
    }
  }

  private func makeCopy(of row: SnippetRow) async throws -> EditedCopy {
    guard let url = store.url else {
      throw OtherProgramError(message: "a store in memory has no place for a file to edit")
    }
    let original = try await kept.original(of: row.id)
    let suffix = ContentType(mediaType: row.mediaType)?.fileExtension ?? "txt"
    return try await OwnThreads.result { () throws(OtherProgramError) in
      try EditedCopy(of: original, named: "snippet-\(row.id).\(suffix)", beside: url)
    }
  }

  /// Saves an edited text, if it is another; one that cannot be read stays in its file.
  private func take(_ copy: EditedCopy, after end: EditorEnd) async {
    guard copy.isThere else {
      return leave(copy, "the editor left no file", isKept: copy.hasOtherFiles, in: copy.place)
    }
    let text: UnsavedText?
    do throws(OtherProgramError) {
      text = try await OwnThreads.result { () throws(OtherProgramError) in
        try copy.changedText()
      }
    } catch {
      let reason = "the edited text cannot be read: \(error.message)"
      return leave(copy, reason, isKept: true, in: copy.path)
    }
    guard let text else { return endUnchanged(copy, after: end) }
    if let failure = end.failure { return leave(copy, failure, isKept: true, in: copy.path) }
    do {
      try await kept.keep(text)
    } catch {
      return leave(copy, KeptTexts.words(for: error), isKept: true, in: copy.path)
    }
    copy.remove()
    await kept.settle(text)
  }

  private func endUnchanged(_ copy: EditedCopy, after end: EditorEnd) {
    if let failure = end.failure {
      // Some editors save what was typed when a signal ends them.
      guard copy.hasOtherFiles else {
        copy.remove()
        work.message = end.isOfShell ? "\(failure)." : "Nothing was changed: \(failure)."
        return
      }
      return leave(copy, failure, isKept: true, in: copy.place)
    }
    guard end.isEarly else {
      copy.remove()
      work.message = "Nothing was changed."
      return
    }
    waiting[copy.original.snippet] = copy
    work.message = "Nothing was changed. An editor with a window must wait: `code --wait`."
  }

  /// Reports a text that was not saved, and its place.
  private func leave(_ copy: EditedCopy, _ reason: String, isKept: Bool, in place: String) {
    let reason = TerminalText(reason, lines: .folded).description
    guard isKept else {
      copy.remove()
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

/// The end of an editor, in words.
struct EditorEnd {
  let status: Int32
  let editor: String?
  /// Whether it ended before a person could have edited anything.
  let isEarly: Bool

  /// Whether the shell could not run it.
  var isOfShell: Bool { status == 126 || status == 127 }

  /// The reason why its text is not wanted, safe to print; `nil` if it ended well.
  var failure: String? {
    let name = TerminalText(editor ?? "", lines: .folded).description.truncated(toWidth: 30)
    return switch status {
    case 0: nil
    case 126: "“\(name)” cannot be run. Set VISUAL or EDITOR"
    case 127: "“\(name)” was not found. Set VISUAL or EDITOR"
    case 129...(128 + 64):
      "a signal ended the editor (\(String(cString: strsignal(status - 128))))"
    default: "the editor ended with status \(status)"
    }
  }
}
