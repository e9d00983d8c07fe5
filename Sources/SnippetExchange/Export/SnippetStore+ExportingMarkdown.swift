public import Foundation
import SnippetBase
public import SnippetStorage

extension SnippetStore {
  /// Brings a folder of Markdown notes, with pictures and recordings beside them, up to date with
  /// snippets.
  ///
  /// Each snippet has the file that it came from: its name, its extension and its place below the
  /// folder that was imported, byte for byte and with its date where nothing was changed in the
  /// store. If snippets came from several folders, each has one here of its name. A snippet without
  /// a file is named for its title, a text as Markdown. What a text has no place for goes into front
  /// matter above it, in Markdown in UTF-8 of up to 1 MiB: another title than the file says, tags
  /// that neither the text nor its folders are, and `pinned`. Front matter that cannot be read or
  /// changed stays as it is, which is reported. Other files have no place for it; an export with
  /// ``export(to:_:onEvent:)`` keeps everything of everything.
  ///
  /// In a folder that exists, files that say the same are left alone, and those are brought up to date
  /// that are as an import or an export of that folder left them. Any other file is left as it is,
  /// which is a conflict that is reported. Nothing is deleted, and no link is followed. The store
  /// writes down which file each snippet has, so that ``importFiles(at:options:onEvent:)`` of
  /// the folder takes what is edited there into the same snippets.
  ///
  /// On return everything is on the disk. New files can only be read by their owner; others keep
  /// their permissions. What an export that was killed has left half written goes when the next one
  /// writes there; no import takes it for a note.
  ///
  /// - Parameters:
  ///   - folder: A folder to make, or one that exists: also the very folder that was imported.
  ///   - filter: Which snippets; all by default.
  ///   - onEvent: Gets the outcome of each file, on a thread of the store.
  /// - Returns: How many files were written, brought up to date and left alone.
  /// - Throws: `SnippetStoreError`: `.alreadyExists` where ``export(to:_:onEvent:)`` has filled the
  ///   folder, since an import takes only what that has written; `.cannotCreate`, `.diskFull`,
  ///   `.inputOutput`; `.readOnly` where the store was opened for reading; `.cancelled` when the task
  ///   was. What was written stays. A conflict, a snippet that cannot be read and a file that cannot
  ///   be written where others can do not throw.
  /// - Complexity: O(*n*) in the size of the snippets that were changed, and in the number of all;
  ///   memory for their names and one note.
  @discardableResult
  public func exportMarkdown(
    to folder: URL,
    _ filter: SnippetFilter = .all,
    onEvent: @escaping @Sendable (ExportEvent) -> Void = { _ in }
  ) async throws(SnippetStoreError) -> ExportReport {
    let seam = seam
    return try await fill(folder) { operation, check in
      var export = try VaultExport(
        filter,
        seam: seam,
        folder: folder,
        operation: operation,
        check: check,
        report: onEvent
      )
      return try export.run()
    }
  }
}
