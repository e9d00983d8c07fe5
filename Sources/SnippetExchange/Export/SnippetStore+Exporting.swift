public import Foundation
import SnippetBase
public import SnippetStorage
import SystemPackage

/// The outcome of one snippet of an export.
public enum ExportEvent: Sendable {
  /// The bytes are in a file.
  case exported(SnippetID, URL, byteCount: Int64)
  /// The file was updated.
  case updated(SnippetID, URL, byteCount: Int64)
  /// The file is already up to date.
  case unchanged(SnippetID, URL, byteCount: Int64)
  /// The file was changed by another program, or belongs to something else; it is left as it is.
  case conflict(SnippetID, URL, SnippetStoreError)
  /// The file lacks the title, the tags or the pin, because its front matter cannot be read or
  /// cannot be changed without loss.
  ///
  /// Another event reports the file itself.
  case incomplete(SnippetID, URL, SnippetStoreError)
  /// The bytes could not be read, for example because they are damaged.
  ///
  /// Or, in a folder of notes, a file could not be written, for example because the name is too
  /// long or permission is missing.
  case failed(SnippetID, SnippetStoreError)
}

/// The outcome of an export.
public struct ExportReport: Sendable, Hashable {
  /// The number of files written.
  public var exportedCount = 0
  /// The number of files updated.
  public var updatedCount = 0
  /// The number of files that were already up to date.
  public var unchangedCount = 0
  /// The number of files left as they are because another program changed them.
  public var conflictCount = 0
  /// The number of files that lack the title, the tags or the pin of their snippet, because their
  /// front matter cannot be changed.
  public var incompleteCount = 0
  /// The number of snippets that could not be read, or could not be written while others can.
  public var failedCount = 0
  /// The size of the written and updated files in bytes.
  public var byteCount: Int64 = 0

  /// Makes an empty report.
  public init() {}
}

extension SnippetStore {
  /// Writes snippets to files in a folder that people and other programs can use.
  ///
  /// The folder holds `texts`, `images` and `recordings`, with one file for each snippet: its
  /// bytes, exactly as they were saved. A file is named after the number and the title of its
  /// snippet, and dated with its creation. `manifest.jsonl` beside them holds everything else, one
  /// JSON object per line: uuid, title, tags, dates, media type, and the SHA-256 of the bytes. It
  /// exists if and only if the export is complete. ``importFiles(at:options:onEvent:)`` of the
  /// folder restores the same snippets.
  ///
  /// Snippets in the trash are exported only if the filter asks for them. Files have no trash, so
  /// importing them brings the snippets back. A backup keeps them in the trash.
  ///
  /// Each snippet is exported in its state at that time; one that is saved or deleted during the
  /// export may or may not be included. For the state of one moment make a backup. On return
  /// everything is on the disk, and only its owner can read it.
  ///
  /// - Parameters:
  ///   - folder: A folder to make, or an empty one. Nothing is written outside it, whatever the
  ///     titles, and nothing is overwritten.
  ///   - filter: The snippets to export; all by default.
  ///   - onEvent: Receives the outcome of each snippet, on a thread of the store.
  /// - Returns: The numbers of exported and failed snippets.
  /// - Throws: `SnippetStoreError`: `.alreadyExists` if the folder is not empty; `.cannotCreate`,
  ///   `.diskFull`, `.inputOutput`; `.cancelled` if the task was cancelled. Files written so far
  ///   stay, without a manifest. A snippet that cannot be read does not throw.
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

  /// Writes chosen snippets to files in a folder, as ``export(to:_:onEvent:)`` does.
  ///
  /// Snippets in the trash are exported too.
  ///
  /// - Parameters:
  ///   - ids: The snippets, in any order; missing ones are left out.
  ///   - folder: A folder to make, or an empty one.
  ///   - onEvent: Receives the outcome of each snippet, on a thread of the store.
  /// - Returns: The numbers of exported and failed snippets.
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
  ///   - fill: Receives the name of the operation, and a closure that throws if the result is no
  ///     longer needed.
  /// - Returns: The result of `fill`.
  /// - Throws: The reason why the folder could not be filled.
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
  /// Explains why a folder could not be filled.
  init(_ error: FileError, fillingFolderDuring operation: String) {
    if [.tooManyOpenFiles, .tooManyOpenFilesInSystem, .readOnlyFileSystem].contains(error.code) {
      self.init(error, during: operation)
      return
    }
    let cause = error.code.description
    // The operation already names the folder.
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
