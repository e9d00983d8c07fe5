public import Foundation
import GRDB
import SnippetBase
public import SnippetStorage

/// The settings of an import.
public struct ImportOptions: Sendable {
  /// Tags for the snippet of every file, new or not; none by default.
  public var tags: [String]
  /// Whether to import files and folders in a folder whose names start with a dot; `false` by
  /// default.
  public var includesHidden: Bool
  /// Whether each folder around a file, below the imported one, becomes a tag of its snippet;
  /// `false` by default.
  ///
  /// This happens once, even for a known file: a tag that was removed stays off.
  public var makesTagsOfFolders: Bool
  /// Whether to read files to find out if they have changed; by default a file with the same size
  /// and date as at its last import counts as unchanged, unless it is a member of an archive.
  public var comparesContent: Bool
  /// Whether to move snippets to the trash if their files are gone; by default they stay.
  public var movesMissingToTrash: Bool
  /// Whether to follow links in a folder to what lies below the given paths and is not found
  /// otherwise, as in folders of git-annex; `false` by default.
  ///
  /// Links that are not followed are reported.
  public var followsLinks: Bool
  /// Whether to report what an import would do, and change nothing; `false` by default.
  ///
  /// Every new file is read. A new snippet that an event names does not exist. Until the dry run
  /// ends, other writers of the store wait, or find it busy.
  public var isDryRun: Bool

  /// Makes options.
  ///
  /// - Parameters:
  ///   - tags: Tags for the snippet of every file, new or not.
  ///   - includesHidden: Whether to import hidden files and folders.
  ///   - makesTagsOfFolders: Whether folders become tags.
  ///   - comparesContent: Whether to read files to find out if they have changed.
  ///   - movesMissingToTrash: Whether to move snippets to the trash if their files are gone.
  ///   - followsLinks: Whether to follow links.
  ///   - isDryRun: Whether to change nothing.
  public init(
    tags: [String] = [],
    includesHidden: Bool = false,
    makesTagsOfFolders: Bool = false,
    comparesContent: Bool = false,
    movesMissingToTrash: Bool = false,
    followsLinks: Bool = false,
    isDryRun: Bool = false
  ) {
    self.tags = tags
    self.includesHidden = includesHidden
    self.makesTagsOfFolders = makesTagsOfFolders
    self.comparesContent = comparesContent
    self.movesMissingToTrash = movesMissingToTrash
    self.followsLinks = followsLinks
    self.isDryRun = isDryRun
  }
}

/// The amount to import.
package struct ImportSize: Sendable, Hashable {
  /// The number of files.
  package var fileCount: Int
  /// Their size in bytes.
  package var byteCount: Int64

  /// Counts one more file.
  ///
  /// A sparse file may claim any size.
  mutating func add(byteCount added: Int64) {
    fileCount += 1
    let (sum, isTooGreat) = byteCount.addingReportingOverflow(added)
    byteCount = isTooGreat ? .max : sum
  }
}

extension SnippetStore {
  /// Counts the files that an import would look at, without opening any, until the task is
  /// cancelled; an archive is one file.
  package func sizeOfImport(
    of urls: [URL],
    options: ImportOptions = ImportOptions()
  ) async -> ImportSize {
    let flag = CancellationFlag()
    return await withTaskCancellationHandler {
      await OwnThreads.run { [self] in
        var size = ImportSize(fileCount: 0, byteCount: 0)
        for entry in walk(ImportRoots(urls), options) {
          if flag.isCancelled { break }
          switch entry {
          case .file(let file): size.add(byteCount: file.byteCount)
          case .item(let item, _): size.add(byteCount: item.stamp.byteCount)
          case .exported(let file): size.add(byteCount: file.byteCount)
          case .leftOut(let thing):
            if thing.reason.outcome != .leftOut { size.add(byteCount: 0) }
          case .failure: size.add(byteCount: 0)
          case .describing: break
          }
        }
        return size
      }
    } onCancel: {
      flag.cancel()
    }
  }

  /// Makes a snippet of every file at and below some paths.
  ///
  /// The bytes decide the kind. The title is the one inside a recording or a PNG, see
  /// `SnippetDraft.title`, or else the file's name without its extension; a text that is not prose, as
  /// `run.sh`, keeps it. The date is when a picture was taken or a recording made, see
  /// <doc:Evidence>, or else that in the file's name or that of its last change. A file whose bytes
  /// are already a snippet is a duplicate, whatever its
  /// name.
  ///
  /// A file found in a folder keeps its origin: the folder, the path and its state. Another import
  /// of that folder skips unchanged files. A snippet whose file has changed takes over the new
  /// content, and its title, dates and tags if the snippet still had those of the file. It keeps
  /// everything else: its identity, tags added by people, and its pin. A renamed or moved file is
  /// recognized by its bytes, even if another file has taken its former name; then its date must
  /// match too, because it could be a copy made before an edit. If both the file and the content of
  /// its snippet have changed, nothing is lost: the snippet stays as it is, and the file becomes a
  /// new snippet. The next export writes the former one beside it. A file whose snippet is in the
  /// trash brings it back, as does a copy of it, which for a text has its title or name. Two
  /// equal texts in a folder, or of different titles, tags or dates in two folders, are two
  /// snippets, because either may be edited, while equal pictures or recordings are one. A text
  /// without a file takes an equal file as its own.
  ///
  /// From a Markdown file (`md`, `markdown`), the title, tags and dates are those in its front
  /// matter, and its `#tags` become tags too. The text is kept byte for byte. Front matter that
  /// cannot be read is ignored and reported. An empty file is a text if its name says so.
  ///
  /// A folder made by ``export(to:only:onEvent:)`` restores the exported snippets, with their
  /// identities, titles, tags and dates. A snippet that already exists is a duplicate; one in the
  /// trash is brought back as it is there. A file whose bytes have changed since the export fails.
  /// A file that was added to the folder is reported as unsupported.
  ///
  /// A folder that Joplin exported in its form "RAW" gives its notes and resources, with their
  /// titles, tags, dates and identities; a link to one contains the `SnippetRow.uuid` of its
  /// snippet. Notebooks become tags like other folders. A changed item updates its snippet like a
  /// changed file. Other files there are imported like those of any folder, and other items of
  /// Joplin are reported as unsupported.
  ///
  /// In folders of Google Photos, pictures take dates, titles, names of people, stars and the trash
  /// from the JSON beside them. Notes of Google Keep are texts with their titles, labels, dates, pins
  /// and identities, and the text of a TextBundle has the dates, the pin and the trash of its
  /// `info.json`. Files that only describe others are no snippets.
  ///
  /// A file that is a ZIP or tar archive by its bytes, compressed or not, is imported as a folder
  /// is: it is unpacked into a private folder of temporary files, which is removed at the end. The
  /// events name a member as `archive.zip/folder/file`. Its origins are those of the archive, so
  /// importing it again adds nothing. Members that are links, encrypted or damaged are reported, as
  /// is an archive that is cut short, or unpacks to far more than such files do. Unpacking needs the
  /// libarchive of the system. An archive in a folder is not unpacked, and one in
  /// an archive only if that holds nothing else.
  ///
  /// The files of any store that this process has open are left out. Links found in folders are
  /// not followed by default. Everything that is found becomes a snippet or is reported.
  ///
  /// Many files are saved in each transaction, and then the search index is updated, so on return
  /// it includes all imported files. The next file is read while a large one is written. After an
  /// error, or if the task is cancelled, the files reported as imported stay.
  ///
  /// - Parameters:
  ///   - urls: Files and folders; folders with everything below them.
  ///   - options: The settings of the import.
  ///   - onEvent: Receives the outcome of each file, in batches, on a thread of the store, and
  ///     notices about parts that could not be read.
  /// - Returns: The number of files for each outcome.
  /// - Throws: `SnippetStoreError` if the store cannot continue: `.busy`, after which you can try
  ///   again; `.diskFull`, `.inputOutput`, `.damaged`; `.cancelled` if the task was cancelled. A
  ///   file that cannot be imported does not throw.
  @discardableResult
  public func importFiles(
    at urls: [URL],
    options: ImportOptions = ImportOptions(),
    onEvent: @escaping @Sendable (ImportEvent) -> Void = { _ in }
  ) async throws(SnippetStoreError) -> ImportReport {
    try await importFiles(at: urls, options: options, onUnpack: { _ in }, onEvent: onEvent)
  }

  /// Imports as ``importFiles(at:options:onEvent:)`` does, and reports how much of each archive was
  /// unpacked before its first file is imported.
  package func importFiles(
    at urls: [URL],
    options: ImportOptions,
    onUnpack: @escaping @Sendable (StoreProgress) -> Void,
    onEvent: @escaping @Sendable (ImportEvent) -> Void
  ) async throws(SnippetStoreError) -> ImportReport {
    let operation = "import files"
    let tags = try TextRules.tags(options.tags, during: operation)
    do {
      return try await OwnThreads.run(cancellable: { [self] flag in
        var roots = try ImportRoots(unpacking: urls, onUnpack: onUnpack, check: flag.check)
        defer { roots.remove() }
        let makeRun = { [self, roots] (rehearsal: Database?) in
          ImportRun(
            roots,
            options,
            tags: tags,
            store: self,
            rehearsal: rehearsal,
            check: flag.check,
            onEvent: onEvent
          )
        }
        if options.isDryRun {
          return try rehearsing { [self] db in
            let run = makeRun(db)
            let drafts = run.drafts(of: walk(roots, options))
            try seam.rehearse(drafts, in: db, check: flag.check, with: run.save, report: run.take)
            try run.finish()
            return run.report
          }
        }
        let run = makeRun(nil)
        try seam.save(
          run.drafts(of: walk(roots, options)),
          check: flag.check,
          with: run.save,
          report: run.take,
          // If it fails, a search looks directly at texts that are not in the index.
          afterBatch: { [self] in try? seam.updateSearchIndex(check: flag.check) }
        )
        try run.finish()
        return run.report
      })
    } catch {
      // A part may have been saved.
      let kept = options.isDryRun ? "Nothing was changed." : "Files reported as imported are kept."
      throw SnippetStoreError(error, during: operation).keeping(kept, during: operation)
    }
  }

  /// Runs in a transaction that is rolled back.
  private func rehearsing(
    _ body: (Database) throws -> ImportReport
  ) throws(SnippetStoreError) -> ImportReport {
    try seam.write(to: "import files") { db in
      var report = ImportReport()
      try db.inSavepoint {
        report = try body(db)
        return .rollback
      }
      return report
    }
  }

  private func walk(_ roots: ImportRoots, _ options: ImportOptions) -> FileWalk {
    FileWalk(
      roots.all,
      includesHidden: options.includesHidden,
      followsLinks: options.followsLinks
    )
  }
}
