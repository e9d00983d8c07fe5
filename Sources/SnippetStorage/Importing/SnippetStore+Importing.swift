public import Foundation
import SnippetBase

extension SnippetStore {
  /// How files are imported.
  public struct ImportOptions: Sendable {
    /// Tags for every snippet made; none by default.
    public var tags: [String]
    /// Whether files and folders whose names start with a dot are imported when they are found in
    /// a folder; not by default.
    public var includesHidden: Bool

    /// Sets the options.
    ///
    /// - Parameters:
    ///   - tags: Tags for every snippet made.
    ///   - includesHidden: Whether hidden files and folders are imported.
    public init(tags: [String] = [], includesHidden: Bool = false) {
      self.tags = tags
      self.includesHidden = includesHidden
    }
  }

  /// The outcome of one file.
  ///
  /// A file is reported once its snippet is durable.
  public enum ImportEvent: Sendable {
    /// It became a snippet, or brought one back from the trash.
    case imported(URL, SnippetID, byteCount: Int64)
    /// A snippet has the same bytes, so it was skipped.
    case duplicate(URL, of: SnippetID, byteCount: Int64)
    /// Its bytes are no known text, image or recording, so it was skipped.
    case unsupported(URL, SnippetStoreError)
    /// It could not be read or saved.
    case failed(URL, SnippetStoreError)
  }

  /// The outcome of an import.
  public struct ImportReport: Sendable, Hashable {
    /// How many became snippets, or brought one back from the trash.
    public var importedCount = 0
    /// How many were skipped, because a snippet has the same bytes.
    public var duplicateCount = 0
    /// How many were skipped, because their kind is unknown.
    public var unsupportedCount = 0
    /// How many could not be read or saved.
    public var failedCount = 0
    /// The size of those snippets in bytes.
    public var byteCount: Int64 = 0

    /// Counts nothing yet.
    public init() {}
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
          case .file(_, let byteCount): size.add(byteCount: byteCount)
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
  /// ``SnippetDraft/title`` says, else the file's name without its extension. The date is when a
  /// picture was taken or a recording made, as ``SnippetDraft/createdAt`` says, else that of the
  /// file's last change. A file whose bytes are already a snippet is a duplicate, whatever its name:
  /// importing again imports nothing twice.
  ///
  /// A folder that ``export(to:_:onEvent:)`` made gives back the very snippets that were exported,
  /// with their identities, titles, tags and dates. A snippet that is there already is a duplicate;
  /// one that is in the trash is brought back as it is there. A file whose bytes are no longer
  /// those that were exported fails.
  ///
  /// The files of any store that this process has open are skipped. Links found in folders are not
  /// followed.
  ///
  /// Files are saved many to a transaction, and each time the search index is brought up to date:
  /// on return it holds what was imported, and nothing is left to be done behind it. After an error, or when the task is cancelled, what was
  /// reported as imported stays.
  ///
  /// - Parameters:
  ///   - urls: Files and folders; folders with all that is below them.
  ///   - options: How they are imported.
  ///   - onEvent: Gets the outcome of each file, in batches, on a thread of the store.
  /// - Returns: How many were imported and skipped.
  /// - Throws: ``SnippetStoreError`` when the store can take no more: `.busy`, which can be tried
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
        let run = ImportRun(tags: tags, bringBack: bringBack, onEvent: onEvent)
        let drafts = walk(urls, options).lazy.compactMap { run.draft(for: $0) }
        _ = try saveTagged(
          drafts,
          skipsDuplicates: true,
          check: flag.check,
          report: run.take,
          // Whatever keeps it from being done, a search looks at what the index lacks.
          afterBatch: { try? blockingUpdateSearchIndex(check: flag.check) }
        )
        return run.report
      })
    } catch {
      // A part may be saved.
      throw SnippetStoreError(error, during: operation)
        .keeping("What was reported as imported is kept.", during: operation)
    }
  }

  /// Brings a snippet back from the trash; says whether it was there.
  private func bringBack(_ id: SnippetID) throws(SnippetStoreError) -> Bool {
    guard try row(id)?.deletedAt != nil else { return false }
    return try !blockingUndelete([id]).isEmpty
  }

  private func walk(_ urls: [URL], _ options: ImportOptions) -> FileWalk {
    FileWalk(urls.map(\.path), includesHidden: options.includesHidden)
  }
}
