import Foundation
import SnipCore
import SnippetBase
import SnippetExchange
import SnippetLoading
import SnippetStorage
import TerminalKit

/// The steps of editing a text or note in the user's editor, on the browser's screen or without one.
extension EditedCopy {
  /// The most bytes of a text to edit in an editor.
  static let editableByteCount: Int64 = 8 << 20

  /// Copies the text of a snippet into a file that has the name of its own file, if there is one;
  /// of an image or recording the note, as Markdown.
  ///
  /// - Parameters:
  ///   - original: The text or note.
  ///   - row: Its snippet.
  ///   - store: The store that it is in.
  /// - Returns: The copy.
  /// - Throws: ``OtherProgramError`` for a store in memory, for a text that has bytes that are no
  ///   characters, or when the file cannot be written; ``SnippetStoreError``.
  @MainActor
  static func make(
    of original: UnsavedText,
    _ row: SnippetRow,
    in store: SnippetStore
  ) async throws -> EditedCopy {
    guard let url = store.url else {
      throw OtherProgramError(message: "a store in memory has no place for a file to edit")
    }
    guard !row.wouldLoseBytes(byEditing: original.text) else {
      throw OtherProgramError(
        message: "an editor would lose the bytes of the text that are no characters",
        hint: "snip cat \(row.id) > FILE keeps them. Edit FILE, then snip add FILE"
      )
    }
    let name: String
    if original.isNote {
      name = "snippet-\(row.id).md"
    } else {
      let file = try await store.origins(of: row.id).first?.url.lastPathComponent
      name = self.name(of: row, original.text, in: file)
    }
    return try await OwnThreads.result { () throws(OtherProgramError) in
      try EditedCopy(of: original, named: name, beside: url)
    }
  }

  /// The name that tells an editor the kind of the text.
  static func name(of row: SnippetRow, _ text: String, in file: String?) -> String {
    // One with a dot in front could be that of a file of ours, or of the editor's.
    if let file, !file.hasPrefix("."), !file.fileExtension.isEmpty { return file }
    let isHeading =
      (1...6).contains(text.prefix { $0 == "#" }.count)
      && text.drop { $0 == "#" }.hasPrefix(" ")
    let isMarkdown = isHeading || text.hasPrefix("---\n")
    let suffix = TextRules.textExtension(of: row.title) ?? (isMarkdown ? "md" : "txt")
    return "snippet-\(row.id).\(suffix)"
  }

  /// The content of a copy after the editor has ended.
  enum Outcome {
    /// Another text, which is nowhere but in the copy.
    case changed(UnsavedText)
    /// The same text; an editor that ended early may still show it in a window.
    case unchanged(isEarly: Bool)
    /// The same text, and the reason why the editor failed, safe to print.
    case failed(String)
    /// Nothing to save, with the reason, and the place of what the editor left, if anything.
    case unsaved(String, place: String?)
  }

  /// Reads what the editor has left; a copy without anything of worth is removed.
  func outcome(after end: EditorEnd) async -> Outcome {
    guard FileStatus.exists(place) else {
      let reason = "the editor removed the folder of its file, and the snippet is as it was before"
      return .unsaved(reason, place: nil)
    }
    guard isThere else {
      if hasOtherFiles { return .unsaved("the editor left no file", place: place) }
      remove()
      return .unsaved("the editor left no file", place: nil)
    }
    let text: UnsavedText?
    do throws(OtherProgramError) {
      text = try await OwnThreads.result { () throws(OtherProgramError) in try changedText() }
    } catch {
      return .unsaved("the edited text cannot be read: \(error.message)", place: path)
    }
    switch (text, end.failure) {
    case (nil, nil) where hasSavedFiles:
      return .unsaved("it was saved under another name", place: place)
    case (nil, nil): return .unchanged(isEarly: end.isEarly)
    // Some editors save what was typed when a signal ends them.
    case (nil, let failure?):
      return hasOtherFiles ? .unsaved(failure, place: place) : .failed(failure)
    case (_?, let failure?): return .unsaved(failure, place: path)
    case (let text?, nil): return .changed(text)
    }
  }

  // MARK: - Leftovers

  /// The copies beside a store that no program uses any more.
  struct Leftovers {
    /// The copies that an editor has changed, with their texts.
    fileprivate(set) var changed: [(copy: EditedCopy, text: UnsavedText)] = []
    /// Anything else that stays where it is, with the reason, safe to print.
    fileprivate(set) var remaining: [String] = []
  }

  /// Finds the copies that no program uses any more, and removes those that no editor has changed.
  @MainActor
  static func leftovers(of store: SnippetStore) async -> Leftovers {
    var found = Leftovers()
    guard let url = store.url else { return found }
    for copy in await OwnThreads.run({ leftovers(beside: url) }) {
      do {
        if copy.isThere, let text = try copy.changedText() {
          found.changed.append((copy, text))
        } else if copy.hasOtherFiles {
          found.remaining.append(words(forFilesIn: TerminalText(copy.place)))
        } else {
          copy.remove()
        }
      } catch {
        found.remaining.append(copy.words(forFailure: error))
      }
    }
    return found
  }

  /// Keeps the texts of editors whose programs were killed, and removes the copies that no editor
  /// has changed.
  ///
  /// - Parameters:
  ///   - store: The store that they belong to.
  ///   - snippet: Keeps only its texts, because they are about to be offered: the place of any other
  ///     may have been shown, and stays valid. `nil`, the default, keeps all.
  ///   - texts: Keeps them.
  /// - Returns: What stays where it is, with the reason, safe to print.
  @MainActor
  static func keepLeftovers(
    of store: SnippetStore,
    onlyOf snippet: SnippetID? = nil,
    in texts: SnippetTextEditor
  ) async -> [String] {
    let found = await leftovers(of: store)
    var remaining = found.remaining
    for (copy, text) in found.changed where snippet == nil || text.snippet == snippet {
      do {
        try await texts.keep(text)
        if let place = copy.remove() { remaining.append(words(forFilesIn: place)) }
      } catch {
        remaining.append(copy.words(forFailure: error))
      }
    }
    return remaining
  }

  private func words(forFailure error: any Error) -> String {
    "\(TerminalText(path))\ncannot be taken over: \(Self.words(for: error))."
  }

  /// The place of files that stay, in words.
  static func words(forFilesIn place: TerminalText) -> String {
    "\(place)\nhas files that an editor left."
  }

  /// The reason of a failure, safe to print.
  static func words(for error: any Error) -> String {
    let words = (error as? SnippetStoreError)?.failureReason
    return words.map { TerminalText($0).description }
      ?? ErrorReport(error).message?.description ?? ""
  }
}
