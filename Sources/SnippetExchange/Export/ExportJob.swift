import Foundation
import SnippetBase
import SnippetStorage

/// A running export: its tools, and its report so far.
struct ExportJob {
  let seam: StoreSeam
  let folder: URL
  /// The name of the operation, for errors.
  let operation: String
  /// Throws if the result is no longer needed.
  let check: () throws -> Void
  private(set) var report = ExportReport()
  private let onEvent: (ExportEvent) -> Void

  /// Exports to a folder, on a thread that may block and that receives the outcomes.
  ///
  /// Throws the reason why the folder could not be filled.
  static func run(
    to folder: URL,
    from seam: StoreSeam,
    onEvent: @escaping @Sendable (ExportEvent) -> Void,
    _ body: @escaping @Sendable (ExportJob) throws -> ExportReport
  ) async throws(SnippetStoreError) -> ExportReport {
    let operation = "export to \(folder.path)"
    do {
      return try await OwnThreads.run(cancellable: { flag in
        try StoreSeam.requireNoStore(at: folder.path, during: operation)
        return try body(ExportJob(seam, folder, operation, flag.check, onEvent))
      })
    } catch let error as FileError {
      throw SnippetStoreError(error, fillingFolderDuring: operation)
    } catch {
      throw SnippetStoreError(error, during: operation)
    }
  }

  private init(
    _ seam: StoreSeam,
    _ folder: URL,
    _ operation: String,
    _ check: @escaping () throws -> Void,
    _ onEvent: @escaping (ExportEvent) -> Void
  ) {
    (self.seam, self.folder, self.operation) = (seam, folder, operation)
    (self.check, self.onEvent) = (check, onEvent)
  }

  /// Counts and reports an outcome.
  mutating func tell(_ event: ExportEvent) {
    report.add(event)
    onEvent(event)
  }

  /// Counts a snippet that gets no file.
  mutating func leaveOut() { report.leaveOut() }

  /// Counts and reports a snippet that could not be exported, unless it was deleted during the
  /// export: then it need not be in it.
  ///
  /// Throws an error after which the export cannot go on.
  mutating func fail(_ id: SnippetID, _ error: SnippetStoreError) throws {
    if error.code == .cancelled || error.code == .closed { throw error }
    if error.code != .notFound { tell(ExportEvent(.failed, id, because: error)) }
  }
}
