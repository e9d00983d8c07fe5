import Foundation

/// Turns files into drafts, and what became of the drafts back into what became of the files.
final class ImportRun {
  /// A file whose draft is being saved.
  struct File {
    let url: URL
    var isExported = false

    init(path: String, isExported: Bool = false) {
      url = URL(fileURLWithPath: path, isDirectory: false)
      self.isExported = isExported
    }
  }

  private let tags: [String]
  /// Brings a snippet back from the trash, and says whether it was there.
  private let bringBack: (SnippetID) throws(SnippetStoreError) -> Bool
  private let onEvent: (SnippetStore.ImportEvent) -> Void
  private(set) var report = SnippetStore.ImportReport()

  init(
    tags: [String],
    bringBack: @escaping (SnippetID) throws(SnippetStoreError) -> Bool,
    onEvent: @escaping (SnippetStore.ImportEvent) -> Void
  ) {
    self.tags = tags
    self.bringBack = bringBack
    self.onEvent = onEvent
  }

  /// Makes the draft of a file; reports one that cannot become a draft.
  func draft(for entry: FileWalk.Entry) -> (tag: File, draft: SnippetDraft)? {
    switch entry {
    case .file(let path, _):
      let file = File(path: path)
      return (file, SnippetDraft(.file(at: file.url), tags: tags))
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
      return (File(path: file.path, isExported: true), draft)
    case .failure(let path, let error):
      tell(.failed(URL(fileURLWithPath: path), SnippetStoreError(error, during: "import a file")))
      return nil
    }
  }

  /// Reports what became of the draft of a file.
  func take(_ file: File, _ outcome: SaveOutcome) {
    switch outcome {
    case .saved(let id, let byteCount):
      tell(.imported(file.url, id, byteCount: byteCount))
    case .duplicate(let id, let byteCount):
      do throws(SnippetStoreError) {
        // Found by its identity it may be in the trash, where nobody would see it.
        let isBack = file.isExported ? try bringBack(id) : false
        tell(
          isBack
            ? .imported(file.url, id, byteCount: byteCount)
            : .duplicate(file.url, of: id, byteCount: byteCount)
        )
      } catch {
        tell(.failed(file.url, error))
      }
    case .failed(let cause):
      let error = Self.error(cause, naming: file.url.path)
      tell(
        error.code == .unsupportedContent ? .unsupported(file.url, error) : .failed(file.url, error)
      )
    }
  }

  /// An error that says which file it is about, as one of the disk does and one of content does
  /// not.
  private static func error(
    _ error: SnippetStoreError,
    naming path: String
  ) -> SnippetStoreError {
    if error.reason.contains(path) { return error }
    return SnippetStoreError(
      error.code,
      "import \(path)",
      because: error.reason,
      do: error.recoverySuggestion ?? "",
      underlying: error.underlyingError
    )
  }

  private func tell(_ event: SnippetStore.ImportEvent) {
    switch event {
    case .imported(_, _, let byteCount):
      report.importedCount += 1
      report.byteCount += byteCount
    case .duplicate: report.duplicateCount += 1
    case .unsupported: report.unsupportedCount += 1
    case .failed: report.failedCount += 1
    }
    onEvent(event)
  }
}
