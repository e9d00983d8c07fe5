public import Foundation
public import SnippetStorage

/// The outcome of one snippet of an export, or of one of its files.
public struct ExportEvent: Sendable {
  /// An outcome of a snippet.
  ///
  /// The raw value is what `snip export --json` prints.
  public enum Outcome: String, Sendable, CaseIterable {
    /// The bytes are in a file.
    case exported
    /// The file was updated.
    case updated
    /// The file is already up to date.
    case unchanged
    /// The file was changed by another program, or belongs to something else; it is left as it is.
    case conflict
    /// The file was moved or removed in the folder since the last import or export; it is not written
    /// again, unless ``MarkdownExportOptions/writesMissing`` is set.
    case missing
    /// The file was moved to a trash, because its snippet is in that of the store, or was deleted
    /// for good.
    case trashed
    /// The file of a text, or that beside a picture or a recording, lacks the title, the tags, the pin
    /// or the date of creation, because its front matter cannot be read or cannot be changed without
    /// loss, or because it is not Markdown in UTF-8; or its text has tags that were removed in the
    /// store.
    ///
    /// Another event reports the file itself.
    case incomplete
    /// The bytes could not be read, for example because they are damaged.
    ///
    /// Or, in a folder of notes, a file could not be written, for example because the name is too
    /// long or permission is missing.
    case failed
  }

  /// The outcome.
  public let outcome: Outcome
  /// The snippet; one that was deleted for good has no row any more.
  public let snippetID: SnippetID
  /// The file; `nil` after a failure.
  public let file: URL?
  /// The size of the file in bytes; `nil` for one that is missing, after a conflict, a failure or a
  /// move to the trash, and for what an incomplete file lacks.
  public let byteCount: Int64?
  /// The reason for a conflict, a missing or incomplete file, or a failure; otherwise `nil`.
  public let error: SnippetStoreError?

  init(
    _ outcome: Outcome,
    _ snippetID: SnippetID,
    _ file: URL? = nil,
    byteCount: Int64? = nil,
    because error: SnippetStoreError? = nil
  ) {
    self.outcome = outcome
    self.snippetID = snippetID
    self.file = file
    self.byteCount = byteCount
    self.error = error
  }
}

/// The number of snippets, or of their files, for each outcome of an export.
public struct ExportReport: Sendable, Hashable {
  private var counts: [ExportEvent.Outcome: Int] = [:]
  /// The number of snippets without a file in a folder that was imported, which got none; see
  /// ``MarkdownExportOptions/scope``.
  public private(set) var leftOutCount = 0
  /// The size of the written and updated files in bytes.
  public private(set) var byteCount: Int64 = 0

  /// Makes an empty report.
  public init() {}

  /// The number of snippets or files with an outcome.
  public subscript(outcome: ExportEvent.Outcome) -> Int { counts[outcome, default: 0] }

  mutating func leaveOut() { leftOutCount += 1 }

  mutating func add(_ event: ExportEvent) {
    counts[event.outcome, default: 0] += 1
    switch event.outcome {
    case .exported, .updated: byteCount += event.byteCount ?? 0
    default: break
    }
  }
}
