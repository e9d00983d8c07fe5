import Foundation
import SnippetBase
import SnippetExchange
import SnippetStorage

extension SnippetStore {
  /// Imports files and folders, and notes the events.
  @discardableResult
  func importAll(
    _ urls: [URL],
    _ options: ImportOptions = .init()
  ) async throws -> (report: ImportReport, events: [ImportEvent]) {
    let events = Lock<[ImportEvent]>([])
    let report = try await importFiles(at: urls, options: options) { event in
      events.withLock { $0.append(event) }
    }
    return (report, events.withLock { $0 })
  }
}
