import Foundation
import SnipCore
import SnippetBase
import SnippetExchange
import SnippetStorage
import SystemPackage
import TerminalKit

/// One of several files could not be added.
struct UnaddedFileError: StatusError {
  let message: String
  let hint: String?

  var status: ExitStatus { .badInput }

  /// Takes an error about the file; `nil` for one about the store.
  init?(_ name: String, of file: URL?, _ error: SnippetStoreError) {
    guard InputError(error) != nil else { return nil }
    message = "could not add \(name): \(error.reason)"
    hint =
      error.code == .unsupportedContent && file.map(Self.isArchive) == true
      ? "To import what is in it: snip import \(ShellWord(name))" : error.hint
  }

  private static func isArchive(_ file: URL) -> Bool {
    // A pipe would wait for a writer.
    guard let open = try? OpenFile(file.path, options: [.nonBlocking]) else { return false }
    return (try? ArchiveFormat(of: open)) != nil
  }
}

/// Some of several files could not be added.
struct UnaddedFilesError: StatusError {
  let count: Int
  let totalCount: Int

  var status: ExitStatus { .badInput }
  var message: String { "\(count) of \(totalCount) could not be added; the others are" }
  var hint: String? { nil }
}
