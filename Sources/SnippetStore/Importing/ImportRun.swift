import Foundation

/// Turns files into drafts, and what became of the drafts back into what became of the files.
final class ImportRun {
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
      tell(.failed(URL(fileURLWithPath: path), SnippetStoreError(error, during: "import a file")))
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
      tell(.imported(url, id, byteCount: byteCount))
    case .duplicate(let index, let id, let byteCount):
      guard let url = waiting.removeValue(forKey: index) else { return }
      tell(.duplicate(url, of: id, byteCount: byteCount))
    case .failed(let index, let error):
      guard let url = waiting.removeValue(forKey: index) else { return }
      tell(error.code == .unsupportedContent ? .unsupported(url, error) : .failed(url, error))
    }
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
