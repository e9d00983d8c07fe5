public import Foundation
import SnippetBase
public import SnippetStorage

/// How files are imported.
public struct ImportOptions: Sendable {
  /// Tags for every snippet made; none by default.
  public var tags: [String]
  /// Whether files and folders whose names start with a dot are imported when they are found in
  /// a folder; not by default.
  public var includesHidden: Bool
  /// Whether each folder that a file is in, below the one that is imported, becomes a tag of its
  /// snippet; not by default.
  ///
  /// It does so once, also where the file is known already: a tag that people take off stays off.
  public var makesTagsOfFolders: Bool
  /// Whether files are read to find out if they have changed; by default those that have the same
  /// size and date as when they were imported are taken for unchanged.
  public var comparesContent: Bool
  /// Whether snippets whose files are gone move to the trash; by default they stay.
  public var movesMissingToTrash: Bool

  /// Sets the options.
  ///
  /// - Parameters:
  ///   - tags: Tags for every snippet made.
  ///   - includesHidden: Whether hidden files and folders are imported.
  ///   - makesTagsOfFolders: Whether folders become tags.
  ///   - comparesContent: Whether files are read to find out if they have changed.
  ///   - movesMissingToTrash: Whether snippets whose files are gone move to the trash.
  public init(
    tags: [String] = [],
    includesHidden: Bool = false,
    makesTagsOfFolders: Bool = false,
    comparesContent: Bool = false,
    movesMissingToTrash: Bool = false
  ) {
    self.tags = tags
    self.includesHidden = includesHidden
    self.makesTagsOfFolders = makesTagsOfFolders
    self.comparesContent = comparesContent
    self.movesMissingToTrash = movesMissingToTrash
  }
}

/// The outcome of one file.
///
/// A file is reported once its snippet is durable.
public enum ImportEvent: Sendable {
  /// It became a snippet.
  case imported(URL, SnippetID, byteCount: Int64)
  /// Its snippet was in the trash and came back, because the file is there; whatever else was
  /// changed about it, its snippet took that over.
  case broughtBack(URL, SnippetID, byteCount: Int64)
  /// A snippet has the same bytes, so it was skipped.
  case duplicate(URL, of: SnippetID, byteCount: Int64)
  /// It is as it was when it was imported or exported last, so it was skipped.
  case unchanged(URL, SnippetID, byteCount: Int64)
  /// It was changed, or its folders became tags, and its snippet took that over.
  case updated(URL, SnippetID, byteCount: Int64)
  /// It is a file of the folder that had another name or place before; its snippet stays.
  case moved(URL, SnippetID, from: URL, byteCount: Int64)
  /// It is gone, and its snippet was moved to the trash.
  case trashed(URL, SnippetID)
  /// Both it and its snippet were changed. The snippet was kept as it is, as one without a file;
  /// what the file says now is a new snippet, or there is none where the file is gone.
  case conflict(URL, kept: SnippetID, added: SnippetID?, byteCount: Int64)
  /// Its bytes are no known text, image or recording, so it was skipped.
  case unsupported(URL, SnippetStoreError)
  /// It could not be read or saved.
  case failed(URL, SnippetStoreError)
  /// Its front matter cannot be read, so its title, tags and dates there do not count. Another event
  /// tells what became of the file itself.
  case unreadFrontMatter(URL, SnippetID, SnippetStoreError)

  /// Whether another event tells what became of the file.
  package var isNotice: Bool {
    if case .unreadFrontMatter = self { true } else { false }
  }
}

/// The outcome of an import.
public struct ImportReport: Sendable, Hashable {
  /// How many became snippets.
  public var importedCount = 0
  /// How many brought their snippets back from the trash.
  public var broughtBackCount = 0
  /// How many were skipped, because a snippet has the same bytes.
  public var duplicateCount = 0
  /// How many were skipped, because they are as they were.
  public var unchangedCount = 0
  /// How many were changed, or their folders became tags, and their snippets changed with them.
  public var updatedCount = 0
  /// How many had another name or place before.
  public var movedCount = 0
  /// How many are gone, and their snippets in the trash now.
  public var trashedCount = 0
  /// How many are gone, while their snippets stay.
  public var missingCount = 0
  /// How many were changed on both sides.
  public var conflictCount = 0
  /// How many were skipped, because their kind is unknown.
  public var unsupportedCount = 0
  /// How many could not be read or saved.
  public var failedCount = 0
  /// How many of those whose snippets follow them have front matter that cannot be read.
  public var unreadFrontMatterCount = 0
  /// The size of the files that were imported or updated, or brought snippets back, in bytes.
  public var byteCount: Int64 = 0

  /// Counts nothing yet.
  public init() {}

  /// Counts what became of one file.
  package mutating func add(_ event: ImportEvent) {
    switch event {
    case .imported(_, _, let added):
      importedCount += 1
      byteCount += added
    case .broughtBack(_, _, let added):
      broughtBackCount += 1
      byteCount += added
    case .updated(_, _, let added):
      updatedCount += 1
      byteCount += added
    case .conflict(_, _, _, let added):
      conflictCount += 1
      byteCount += added
    case .duplicate: duplicateCount += 1
    case .unchanged: unchangedCount += 1
    case .moved: movedCount += 1
    case .trashed: trashedCount += 1
    case .unsupported: unsupportedCount += 1
    case .failed: failedCount += 1
    case .unreadFrontMatter: unreadFrontMatterCount += 1
    }
  }
}

/// How much there is to import.
package struct ImportSize: Sendable, Hashable {
  /// The number of files.
  package var fileCount: Int
  /// Their size in bytes.
  package var byteCount: Int64

  /// Counts one more file; what a file with holes says of its size can be any number.
  mutating func add(byteCount added: Int64) {
    fileCount += 1
    let (sum, isTooGreat) = byteCount.addingReportingOverflow(added)
    byteCount = isTooGreat ? .max : sum
  }
}

extension SnippetStore {
  /// Counts the files that an import would look at, without opening any.
  ///
  /// - Parameters:
  ///   - urls: Files and folders.
  ///   - options: How they would be imported.
  /// - Returns: The number of files and their size, as far as they were counted when the task is
  ///   cancelled.
  /// - Complexity: O(*n*) in the number of files.
  package func sizeOfImport(
    of urls: [URL],
    options: ImportOptions = ImportOptions()
  ) async -> ImportSize {
    let flag = CancellationFlag()
    return await withTaskCancellationHandler {
      await OwnThreads.run { [self] in
        var size = ImportSize(fileCount: 0, byteCount: 0)
        for entry in walk(urls, options) {
          if flag.isCancelled { break }
          switch entry {
          case .file(let file): size.add(byteCount: file.byteCount)
          case .joplin(let item): size.add(byteCount: item.byteCount)
          case .exported(let file): size.add(byteCount: file.byteCount)
          case .failure: size.add(byteCount: 0)
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
  /// The bytes decide the kind. The title is the one inside a recording or a PNG, as
  /// `SnippetDraft.title` says, else the file's name without its extension. The date is when a
  /// picture was taken or a recording made, as `SnippetDraft.createdAt` says, else that of the
  /// file's last change. A file whose bytes are already a snippet is a duplicate, whatever its name.
  ///
  /// What is found in a folder keeps its origin: the folder, the path and what the file was. Another
  /// import of that folder skips what has not changed. A snippet whose file was changed takes over
  /// its content, and its title, dates and tags where those were the file's, and keeps the rest: its
  /// identity, the tags that people put on it, whether it is pinned. A file with another name or
  /// place is known by its bytes, also where another file has got its former name; then by its date
  /// too, since a copy may have been made before an edit. Where both the file and the content of its snippet were changed,
  /// nothing is lost: the snippet stays as it is without a file, and the file becomes a new one. A
  /// file whose snippet is in the trash brings it back. Two equal texts in a folder are two snippets,
  /// because either may be edited, while equal pictures or recordings are one.
  ///
  /// Of a Markdown file (`md`, `markdown`), title, tags and dates are those of its front matter, and
  /// its `#tags` are tags too. The text is kept byte for byte. Front matter that cannot be read says
  /// nothing, which is reported. An empty file is a text if its name says so.
  ///
  /// A folder that ``export(to:_:onEvent:)`` made gives back the very snippets that were exported,
  /// with their identities, titles, tags and dates. A snippet that is there already is a duplicate;
  /// one that is in the trash is brought back as it is there. A file whose bytes are no longer
  /// those that were exported fails.
  ///
  /// A folder that Joplin has exported in its form "RAW" gives its notes and resources, with their
  /// titles, tags, dates and identities; a link to one names the `SnippetRow.uuid` of its snippet.
  /// Notebooks become tags like other folders. What is there already is a duplicate.
  ///
  /// The files of any store that this process has open are skipped. Links found in folders are not
  /// followed.
  ///
  /// Files are saved many to a transaction, and each time the search index is brought up to date:
  /// on return it holds what was imported, and nothing is left to be done behind it. The file that
  /// comes next is read while a large one is written. After an error, or when the task is cancelled,
  /// what was reported as imported stays.
  ///
  /// - Parameters:
  ///   - urls: Files and folders; folders with all that is below them.
  ///   - options: How they are imported.
  ///   - onEvent: Gets the outcome of each file, in batches, on a thread of the store, and what of it
  ///     could not be read.
  /// - Returns: How many were imported and skipped.
  /// - Throws: `SnippetStoreError` when the store can take no more: `.busy`, which can be tried
  ///   again, `.diskFull`, `.inputOutput`, `.damaged`; `.cancelled` when the task was. A file that
  ///   cannot be imported does not throw.
  @discardableResult
  public func importFiles(
    at urls: [URL],
    options: ImportOptions = ImportOptions(),
    onEvent: @escaping @Sendable (ImportEvent) -> Void = { _ in }
  ) async throws(SnippetStoreError) -> ImportReport {
    let operation = "import files"
    let tags = try TextRules.tags(options.tags, during: operation)
    do {
      return try await OwnThreads.run(cancellable: { [self] flag in
        let run = ImportRun(
          urls,
          options,
          tags: tags,
          store: self,
          check: flag.check,
          onEvent: onEvent
        )
        try seam.save(
          run.drafts(of: walk(urls, options)),
          check: flag.check,
          with: run.save,
          report: run.take,
          // Whatever keeps it from being done, a search looks at what the index lacks.
          afterBatch: { try? seam.updateSearchIndex(check: flag.check) }
        )
        try run.settleMissing()
        return run.report
      })
    } catch {
      // A part may be saved.
      throw SnippetStoreError(error, during: operation)
        .keeping("What was reported as imported is kept.", during: operation)
    }
  }

  private func walk(_ urls: [URL], _ options: ImportOptions) -> FileWalk {
    FileWalk(urls.map(\.path), includesHidden: options.includesHidden)
  }
}
