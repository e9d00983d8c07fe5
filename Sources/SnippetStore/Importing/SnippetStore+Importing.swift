public import Foundation

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

  /// What became of one file.
  ///
  /// A file is told of once its snippet is durable.
  public enum ImportEvent: Sendable {
    /// It became a snippet.
    case imported(URL, SnippetID, byteCount: Int64)
    /// A snippet has the same bytes, so it was passed over.
    case duplicate(URL, of: SnippetID, byteCount: Int64)
    /// Its bytes are no text, image or recording that can be told, so it was passed over.
    case unsupported(URL, SnippetStoreError)
    /// It could not be read or saved.
    case failed(URL, SnippetStoreError)
  }

  /// What became of many files.
  public struct ImportReport: Sendable, Hashable {
    /// How many became snippets.
    public var importedCount = 0
    /// How many were passed over, because a snippet has the same bytes.
    public var duplicateCount = 0
    /// How many were passed over, because their kind cannot be told.
    public var unsupportedCount = 0
    /// How many could not be read or saved.
    public var failedCount = 0
    /// The size of the snippets made, in bytes.
    public var byteCount: Int64 = 0

    /// Counts nothing yet.
    public init() {}
  }

  /// How much there is to import.
  public struct ImportSize: Sendable, Hashable {
    /// The number of files.
    public var fileCount: Int
    /// Their size in bytes.
    public var byteCount: Int64
  }

  /// Counts the files that an import would look at, without opening any.
  ///
  /// - Parameters:
  ///   - urls: Files and folders.
  ///   - options: How they would be imported.
  /// - Returns: The number of files and their size.
  /// - Complexity: O(*n*) in the number of files.
  public func sizeOfImport(
    of urls: [URL],
    options: ImportOptions = ImportOptions()
  ) async -> ImportSize {
    await OwnThreads.run { [self] in
      walk(urls, options).reduce(into: ImportSize(fileCount: 0, byteCount: 0)) { size, entry in
        size.fileCount += 1
        switch entry {
        case .file(_, let byteCount): size.byteCount += byteCount
        case .exported(let file): size.byteCount += file.entry.byteCount
        case .failure: break
        }
      }
    }
  }

  /// Makes a snippet of every file at and below some paths.
  ///
  /// The kind is told from the bytes. The title is the one that a recording or a PNG brings with it,
  /// as ``RecognizedContent/title`` says, else the file's name without its extension. The date is when
  /// a picture was taken, as its camera wrote it, else that of the file's last change. A file whose
  /// bytes are already a snippet is a duplicate, whatever its name: importing again imports nothing
  /// twice.
  ///
  /// A folder that ``export(to:_:onEvent:)`` has made gives the very snippets again that were
  /// exported, with their identities, titles, tags and dates. A snippet that is there already is a
  /// duplicate, and a file whose bytes are no longer those that were exported fails.
  ///
  /// The files of a store that this process has open, this one or another, are passed over. Links that
  /// are found in folders are not followed.
  ///
  /// Files are saved in transactions of many; cancelling the task, or an error, keeps what was
  /// told of as imported.
  ///
  /// - Parameters:
  ///   - urls: Files and folders; folders with all that is below them.
  ///   - options: How they are imported.
  ///   - onEvent: Told what became of each file, in batches, on a thread of the store.
  /// - Returns: How many were imported and passed over.
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
        let run = ImportRun(tags: tags, onEvent: onEvent)
        let drafts = walk(urls, options).lazy.compactMap { run.draft(for: $0) }
        _ = try save(
          contentsOf: drafts,
          options: SaveOptions(skipsDuplicates: true),
          check: flag.check,
          onEvent: run.take
        )
        return run.report
      })
    } catch {
      throw SnippetStoreError(error, during: operation)
    }
  }

  private func walk(_ urls: [URL], _ options: ImportOptions) -> FileWalk {
    FileWalk(urls.map(\.path), includesHidden: options.includesHidden)
  }
}

/// Turns files into drafts, and what became of the drafts back into what became of the files.
private final class ImportRun {
  private let tags: [String]
  private let onEvent: (SnippetStore.ImportEvent) -> Void
  /// The files whose drafts have been given out and not been told of.
  private var waiting: [Int: URL] = [:]
  private var nextIndex = 0
  private(set) var report = SnippetStore.ImportReport()

  init(tags: [String], onEvent: @escaping (SnippetStore.ImportEvent) -> Void) {
    self.tags = tags
    self.onEvent = onEvent
  }

  func draft(for entry: FileWalk.Entry) -> SnippetDraft? {
    switch entry {
    case .file(let path, _):
      return SnippetDraft(.file(at: wait(for: path)), tags: tags)
    case .exported(let file):
      guard var draft = SnippetDraft(file) else {
        let error = SnippetStoreError(
          .unreadable,
          "import \(file.path)",
          because: "the manifest describes it by what cannot be",
          do: "Export it once more."
        )
        return self.draft(for: .failure(path: file.path, error))
      }
      draft.tags += tags
      _ = wait(for: file.path)
      return draft
    case .failure(let path, let error):
      report.failedCount += 1
      onEvent(
        .failed(URL(fileURLWithPath: path), SnippetStoreError(error, during: "import a file"))
      )
      return nil
    }
  }

  /// Takes note of a file whose draft is given out.
  private func wait(for path: String) -> URL {
    let url = URL(fileURLWithPath: path)
    waiting[nextIndex] = url
    nextIndex += 1
    return url
  }

  func take(_ event: SnippetStore.SaveEvent) {
    switch event {
    case .saved(let index, let id, let byteCount):
      guard let url = waiting.removeValue(forKey: index) else { return }
      report.importedCount += 1
      report.byteCount += byteCount
      onEvent(.imported(url, id, byteCount: byteCount))
    case .duplicate(let index, let id, let byteCount):
      guard let url = waiting.removeValue(forKey: index) else { return }
      report.duplicateCount += 1
      onEvent(.duplicate(url, of: id, byteCount: byteCount))
    case .failed(let index, let error):
      guard let url = waiting.removeValue(forKey: index) else { return }
      if error.code == .unsupportedContent {
        report.unsupportedCount += 1
        onEvent(.unsupported(url, error))
      } else {
        report.failedCount += 1
        onEvent(.failed(url, error))
      }
    }
  }
}
