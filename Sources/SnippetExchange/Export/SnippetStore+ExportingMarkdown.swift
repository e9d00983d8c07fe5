public import Foundation
import SnippetBase
public import SnippetStorage

extension SnippetStore {
  /// Updates a folder of Markdown notes, with pictures and recordings beside them, from snippets.
  ///
  /// A folder that was imported, or that holds one, gets back its own: the snippets that came from
  /// there, unless ``MarkdownExportOptions/scope`` asks for more. Any other folder gets all.
  ///
  /// Each snippet gets the file that it came from: its name, extension and place in the imported
  /// folder, byte for byte and with its date if nothing was changed in the store. If snippets came
  /// from several folders, each of those becomes a folder here, with its name. A snippet without a
  /// file is named after its title, and a text becomes Markdown. Properties that the text does not
  /// express go into front matter, in Markdown in UTF-8 of up to 64 MiB: a title other than that of
  /// the file, tags that are neither in the text nor names of its folders, and `pinned`. Front
  /// matter that cannot be read or changed stays as it is. Those of a picture or a recording, with
  /// its note and its date, go into a file beside it, unless it says them itself, or is in a folder
  /// since an import and was not edited. Other files cannot express these properties; an export with
  /// ``export(to:only:onEvent:)`` keeps them. A text whose file lacks any of them is reported.
  ///
  /// Links of Joplin in a note, which name the id of another note or of a resource, become paths to
  /// the files of those.
  ///
  /// In an existing folder, files that are up to date are left alone, and files that have not
  /// changed since the last import or export of that folder are updated. Any other file is left as
  /// it is and reported as a conflict. A file that was moved or removed there is reported as
  /// missing, and written again only with ``MarkdownExportOptions/writesMissing``. Nothing is
  /// deleted, and links are not followed; files of snippets in the trash are moved if
  /// ``MarkdownExportOptions/trashedFiles`` says so. The store records which files a snippet has,
  /// so ``importFiles(at:options:onEvent:)`` of the folder carries edits made there into the same
  /// snippets.
  ///
  /// On return everything is on the disk. New files and subfolders have the permissions that the
  /// mask of the process (`umask`) gives to any, and replaced files keep theirs; only the owner can
  /// enter a `folder` that the export makes. If an export is killed, the next one into the folder
  /// removes its unfinished files, and an import ignores them.
  ///
  /// - Parameters:
  ///   - folder: A folder to make, or an existing one, even the folder that was imported.
  ///   - filter: The snippets to export; all by default.
  ///   - options: The settings of the export.
  ///   - onEvent: Receives the outcome of each file, on a thread of the store.
  /// - Returns: The numbers of written, updated and unchanged files, and of snippets left out.
  /// - Throws: `SnippetStoreError`: `.alreadyExists` if ``export(to:only:onEvent:)`` or Joplin has
  ///   filled the folder, since an import of it would only read the files of that; `.invalidInput` if its
  ///   place belongs to a store, or if trashed files would go to where an import finds them;
  ///   `.cannotCreate`, also if none of the files known in the folder is there; `.diskFull`,
  ///   `.inputOutput`; `.readOnly` if the store was opened for reading;
  ///   `.cancelled` if the task was cancelled. Files written so far stay. A conflict, a snippet that
  ///   cannot be read, and a single file that cannot be written do not throw.
  /// - Complexity: O(*n*) in the size of the changed snippets and in the number of all; memory for
  ///   their names and one note.
  @discardableResult
  public func exportMarkdown(
    to folder: URL,
    only filter: SnippetFilter = .all,
    options: MarkdownExportOptions = MarkdownExportOptions(),
    onEvent: @escaping @Sendable (ExportEvent) -> Void = { _ in }
  ) async throws(SnippetStoreError) -> ExportReport {
    let now = configuration.now
    return try await ExportJob.run(to: folder, from: seam, goesOn: true, onEvent: onEvent) { job in
      var export = try VaultExport(filter, options, job, now: now)
      return try export.run()
    }
  }
}
