public import Foundation
import SnippetBase
public import SnippetStorage
import SystemPackage

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
  /// - Throws: `SnippetStoreError`: `.alreadyExists` if the folder is not empty; `.invalidInput` if
  ///   its place belongs to a store; `.cannotCreate`, `.diskFull`, `.inputOutput`; `.cancelled` if
  ///   the task was cancelled. Files written so far stay, without a manifest. A snippet that cannot
  ///   be read does not throw.
  /// - Complexity: O(*n*) in the size of the snippets; memory is constant.
  @discardableResult
  public func export(
    to folder: URL,
    only filter: SnippetFilter = .all,
    onEvent: @escaping @Sendable (ExportEvent) -> Void = { _ in }
  ) async throws(SnippetStoreError) -> ExportReport {
    try await export(.filtered(filter), to: folder, onEvent)
  }

  /// Reports what ``export(to:only:onEvent:)`` would do, and writes nothing.
  ///
  /// Every byte is read, so a snippet that could not be exported is reported as failed.
  ///
  /// - Parameters:
  ///   - folder: The folder of the export.
  ///   - filter: The snippets to export; all by default.
  ///   - onEvent: Receives the outcome of each snippet, on a thread of the store.
  /// - Returns: The numbers of snippets that would be exported and that would fail.
  /// - Throws: `SnippetStoreError`, as ``export(to:only:onEvent:)`` does.
  /// - Complexity: O(*n*) in the size of the snippets.
  @discardableResult
  public func rehearseExport(
    to folder: URL,
    only filter: SnippetFilter = .all,
    onEvent: @escaping @Sendable (ExportEvent) -> Void = { _ in }
  ) async throws(SnippetStoreError) -> ExportReport {
    try await export(.filtered(filter), to: folder, isDryRun: true, onEvent)
  }

  /// Writes chosen snippets to files in a folder, as ``export(to:only:onEvent:)`` does.
  ///
  /// Snippets in the trash are exported too.
  ///
  /// - Parameters:
  ///   - ids: The snippets, in any order; missing ones are left out.
  ///   - folder: A folder to make, or an empty one.
  ///   - onEvent: Receives the outcome of each snippet, on a thread of the store.
  /// - Returns: The numbers of exported and failed snippets.
  /// - Throws: `SnippetStoreError`, as ``export(to:only:onEvent:)`` does.
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
    _ selection: ExportPages.Selection,
    to folder: URL,
    isDryRun: Bool = false,
    _ onEvent: @escaping @Sendable (ExportEvent) -> Void
  ) async throws(SnippetStoreError) -> ExportReport {
    try await ExportJob.run(to: folder, from: seam, goesOn: false, onEvent: onEvent) { job in
      var run = try ExportRun(of: selection, isDryRun: isDryRun, job)
      return try run.run()
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
      case .directoryNotEmpty, .fileExists: (.alreadyExists, "Give a new or empty folder.")
      case .noSpace, .diskQuotaExceeded:
        (.diskFull, "Free some space, and export into another folder.")
      case .ioError: (.inputOutput, "Check the disk.")
      case .fileTooLarge: (.cannotCreate, "Export to a disk that takes files of this size.")
      default: (.cannotCreate, "Check the path and the permissions of its folder.")
      }
    self.init(
      code,
      operation,
      because: reason,
      keeping: code == .alreadyExists ? "Nothing was changed." : nil,
      do: suggestion,
      underlying: error
    )
  }
}
