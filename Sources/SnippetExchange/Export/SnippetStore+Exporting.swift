public import Foundation
import SnippetBase
public import SnippetStorage
import SystemPackage

/// The outcome of one snippet of an export.
public enum ExportEvent: Sendable {
  /// Its bytes are in a file.
  case exported(SnippetID, URL, byteCount: Int64)
  /// Its file was brought up to date.
  case updated(SnippetID, URL, byteCount: Int64)
  /// Its file says the same already.
  case unchanged(SnippetID, URL, byteCount: Int64)
  /// Its file was changed by somebody else, or is none of its: it was left as it is.
  case conflict(SnippetID, URL, SnippetStoreError)
  /// Its file, of which another event tells what became, does not say its title, tags or pin: the
  /// front matter there cannot be read, or not be changed without losing something.
  case incomplete(SnippetID, URL, SnippetStoreError)
  /// Its bytes could not be read, because they are damaged, say, or in a folder of notes, a file of
  /// its could not be written: the name is too long there, say, or the folder is closed to us.
  case failed(SnippetID, SnippetStoreError)
}

/// The outcome of an export.
public struct ExportReport: Sendable, Hashable {
  /// How many files were written.
  public var exportedCount = 0
  /// How many files were brought up to date.
  public var updatedCount = 0
  /// How many files said the same already.
  public var unchangedCount = 0
  /// How many files were left as they are, because somebody else has changed them.
  public var conflictCount = 0
  /// How many files do not say the title, the tags or the pin of their snippet, because their front
  /// matter cannot be changed.
  public var incompleteCount = 0
  /// How many could not be read, or could not be written where others can.
  public var failedCount = 0
  /// The size of the files that were written or brought up to date, in bytes.
  public var byteCount: Int64 = 0

  /// Counts nothing yet.
  public init() {}
}

extension SnippetStore {
  /// Writes snippets into files of a folder that people and other programs can use.
  ///
  /// The folder holds `texts`, `images` and `recordings`, each with one file for a snippet: its
  /// bytes, exactly as they were saved. A file is named for the number and the title of its snippet
  /// and dated when that was made. `manifest.jsonl` beside them holds all the rest, one JSON object
  /// a line: uuid, title, tags, dates, media type, and the SHA-256 of the bytes. It is there when,
  /// and only when, the export is complete. ``importFiles(at:options:onEvent:)`` of the folder
  /// gives the same snippets again.
  ///
  /// What is in the trash is exported only where the filter asks for it. Files have no trash, so
  /// importing them brings the snippets back. A backup keeps them in the trash.
  ///
  /// Each snippet is exported as it is when its turn comes; one that is saved or deleted meanwhile
  /// may be missing or not. For the state of one moment make a backup. On return everything is on
  /// the disk, and only its owner can read it.
  ///
  /// - Parameters:
  ///   - folder: A folder to make, or an empty one. Nothing is written outside it, whatever the
  ///     titles, and nothing is overwritten.
  ///   - filter: Which snippets; all by default.
  ///   - onEvent: Gets the outcome of each snippet, on a thread of the store.
  /// - Returns: How many were exported.
  /// - Throws: `SnippetStoreError`: `.alreadyExists` when the folder is not empty;
  ///   `.cannotCreate`, `.diskFull`, `.inputOutput`; `.cancelled` when the task was. What was
  ///   written stays, without a manifest. A snippet that cannot be read does not throw.
  /// - Complexity: O(*n*) in the size of the snippets; memory is constant.
  @discardableResult
  public func export(
    to folder: URL,
    _ filter: SnippetFilter = .all,
    onEvent: @escaping @Sendable (ExportEvent) -> Void = { _ in }
  ) async throws(SnippetStoreError) -> ExportReport {
    try await export(
      .filtered(filter),
      to: folder,
      onEvent
    )
  }

  /// Writes chosen snippets into files of a folder, as ``export(to:_:onEvent:)`` does.
  ///
  /// What is in the trash is exported too.
  ///
  /// - Parameters:
  ///   - ids: Which snippets, in any order; those that are not there are left out.
  ///   - folder: A folder to make, or an empty one.
  ///   - onEvent: Gets the outcome of each snippet, on a thread of the store.
  /// - Returns: How many were exported.
  /// - Throws: `SnippetStoreError`, as ``export(to:_:onEvent:)`` does.
  /// - Complexity: O(*n*) in the size of the snippets.
  @discardableResult
  public func export(
    _ ids: some Sequence<SnippetID>,
    to folder: URL,
    onEvent: @escaping @Sendable (ExportEvent) -> Void = { _ in }
  ) async throws(SnippetStoreError) -> ExportReport {
    try await export(.chosen(Set(ids.map(\.rawValue)).sorted()[...]), to: folder, onEvent)
  }

  private func export(
    _ selection: ExportRun.Selection,
    to folder: URL,
    _ onEvent: @escaping @Sendable (ExportEvent) -> Void
  ) async throws(SnippetStoreError) -> ExportReport {
    let seam = seam
    return try await fill(folder) { operation, check in
      var run = try ExportRun(
        of: selection,
        seam: seam,
        folder: folder,
        operation: operation,
        check: check,
        report: onEvent
      )
      return try run.run()
    }
  }

  /// Fills a folder on a thread that may block.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - fill: Gets what the operation is called, and what throws when nobody waits any more.
  /// - Returns: What `fill` returns.
  /// - Throws: What keeps the folder from being filled.
  func fill(
    _ folder: URL,
    _ fill: @escaping @Sendable (String, @escaping () throws -> Void) throws -> ExportReport
  ) async throws(SnippetStoreError) -> ExportReport {
    let operation = "export to \(folder.path)"
    do {
      return try await OwnThreads.run(cancellable: { try fill(operation, $0.check) })
    } catch let error as FileError {
      throw SnippetStoreError(error, fillingFolderDuring: operation)
    } catch {
      throw SnippetStoreError(error, during: operation)
    }
  }
}

extension SnippetStoreError {
  /// What keeps a folder from being filled.
  init(_ error: FileError, fillingFolderDuring operation: String) {
    if [.tooManyOpenFiles, .tooManyOpenFilesInSystem, .readOnlyFileSystem].contains(error.code) {
      self.init(error, during: operation)
      return
    }
    let cause = error.code.description
    // The operation names the folder already.
    let reason = operation.hasSuffix(error.path) ? cause : "\(error.path): \(cause)"
    let (code, suggestion): (Code, String) =
      switch error.code {
      case .directoryNotEmpty, .fileExists:
        (.alreadyExists, "Nothing was changed. Give a new or empty folder.")
      case .noSpace, .diskQuotaExceeded:
        (.diskFull, "Free some space, and export into another folder.")
      case .ioError: (.inputOutput, "Check the disk.")
      case .fileTooLarge: (.cannotCreate, "Export to a disk that takes files of this size.")
      default: (.cannotCreate, "Check the path and the permissions of its folder.")
      }
    self.init(code, operation, because: reason, do: suggestion, underlying: error)
  }
}
