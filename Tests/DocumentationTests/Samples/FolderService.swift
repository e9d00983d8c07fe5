import Foundation
import SnippetExchange
import SnippetStorage

/// Keeps a store and a folder of notes alike.
func serve(_ folder: URL, from store: SnippetStore, keepingNumberIn file: URL) async throws {
  let kept = try? JSONDecoder().decode(ChangeNumber.self, from: Data(contentsOf: file))
  var known = kept ?? ChangeNumber(rawValue: 0)
  var next = known
  repeat {  // what went to the trash since the last time
    known = next
    let batch = try await store.changes(after: known)
    try await removeFiles(of: batch, in: folder, of: store)
    next = batch.next
  } while next != known

  try await store.importFiles(at: [folder], options: .init(movesMissingToTrash: true))
  let everything = MarkdownExportOptions(scope: .everything)
  try await store.exportMarkdown(to: folder, options: everything)
  for try await batch in store.changeBatches(after: known) {
    try await removeFiles(of: batch, in: folder, of: store)
    let report = try await store.exportMarkdown(to: folder, options: everything)
    // The file and the snippet were both edited: both versions are in the store after this.
    if report[.conflict] > 0 { try await store.importFiles(at: [folder]) }
    try JSONEncoder().encode(batch.next).write(to: file, options: .atomic)
  }
}

/// Removes the files of snippets in the trash, which an import would bring back.
func removeFiles(of batch: ChangeBatch, in folder: URL, of store: SnippetStore) async throws {
  var ids = batch.changes.filter { $0.event == .movedToTrash }.map(\.snippetID)
  if batch.hasFallenBehind { ids = try store.list(.trash).rows(in: 0..<Int.max).map(\.id) }
  let inside = folder.resolvingSymlinksInPath().path + "/"
  for id in ids where try store.row(id)?.deletedAt != nil {
    for origin in try await store.origins(of: id) where origin.url.path.hasPrefix(inside) {
      guard origin.isFileUnchanged() else { continue }  // it was edited since
      try FileManager.default.removeItem(at: origin.url)
    }
  }
}
