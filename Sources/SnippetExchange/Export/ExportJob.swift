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
  /// Throws the reason why the folder could not be filled. `goesOn` says whether the next export into
  /// it goes on from there.
  static func run(
    to folder: URL,
    from seam: StoreSeam,
    goesOn: Bool,
    onEvent: @escaping @Sendable (ExportEvent) -> Void,
    _ body: @escaping @Sendable (ExportJob) throws -> ExportReport
  ) async throws(SnippetStoreError) -> ExportReport {
    let operation = "export to \(folder.path)"
    let written = Lock(0)
    let count: @Sendable (ExportEvent) -> Void = { event in
      if event.outcome == .exported || event.outcome == .updated { written.withLock { $0 += 1 } }
      onEvent(event)
    }
    do {
      return try await OwnThreads.run(cancellable: { flag in
        try StoreSeam.requireNoStore(at: folder.path, during: operation)
        // Unfinished files would stay.
        guard FileStatus.protection(of: folder.path) != .appendOnly else {
          throw SnippetStoreError(
            .cannotCreate,
            operation,
            because: "nothing in it can be renamed or removed",
            do: "Choose another folder, or clear its attribute “append only”."
          )
        }
        return try body(ExportJob(seam, folder, operation, flag.check, count))
      })
    } catch let error as FileError {
      let failure = SnippetStoreError(error, fillingFolderDuring: operation)
      let count = written.withLock { $0 }
      guard failure.code == .diskFull, count > 0 else { throw failure }
      throw SnippetStoreError(
        .diskFull,
        operation,
        because: failure.reason,
        keeping: """
          \(count) \(count == 1 ? "snippet was" : "snippets were") written to \(folder.path), and \
          \(count == 1 ? "stays" : "stay") there.
          """,
        do: goesOn
          ? "Free some space, and export again: it goes on from there."
          : "Free some space, and export into another folder.",
        underlying: error
      )
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
