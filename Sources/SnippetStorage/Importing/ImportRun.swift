import Foundation

/// Turns files into drafts, and what became of the drafts back into what became of the files.
final class ImportRun {
  private let tags: [String]
  /// Brings a snippet back from the trash, and says whether it was there.
  private let bringBack: (SnippetID) throws(SnippetStoreError) -> Bool
  private let onEvent: (SnippetStore.ImportEvent) -> Void
  /// The files whose drafts have been given out and not been told of.
  private var waiting: [Int: (url: URL, isExported: Bool)] = [:]
  private var nextIndex = 0
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
      _ = wait(for: file.path, isExported: true)
      return draft
    case .failure(let path, let error):
      tell(.failed(URL(fileURLWithPath: path), SnippetStoreError(error, during: "import a file")))
      return nil
    }
  }

  /// Takes note of a file whose draft is given out.
  private func wait(for path: String, isExported: Bool = false) -> URL {
    let url = URL(fileURLWithPath: path, isDirectory: false)
    waiting[nextIndex] = (url, isExported)
    nextIndex += 1
    return url
  }

  func take(_ event: SnippetStore.SaveEvent) {
    switch event {
    case .saved(let index, let id, let byteCount):
      guard let file = waiting.removeValue(forKey: index) else { return }
      tell(.imported(file.url, id, byteCount: byteCount))
    case .duplicate(let index, let id, let byteCount):
      guard let file = waiting.removeValue(forKey: index) else { return }
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
    case .failed(let index, let cause):
      guard let file = waiting.removeValue(forKey: index) else { return }
      let error = Self.error(cause, naming: file.url.path)
      tell(
        error.code == .unsupportedContent ? .unsupported(file.url, error) : .failed(file.url, error)
      )
    }
  }

  /// An error that says which file it is about, as one of the disk does and one of content does not.
  private static func error(
    _ error: SnippetStoreError,
    naming path: String
  ) -> SnippetStoreError {
    if error.reason.contains(path) { return error }
    return SnippetStoreError(
      error.code,
      "import \(path)",
      because: error.reason,
      do: error.recoverySuggestion,
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
