import Foundation
import SnippetRecognition
import SnippetStorage

/// What an import has to say of single files and folders.
extension SnippetStoreError {
  /// In a folder no file was found any more: most likely its disk is not there.
  init(noFileIn folder: URL) {
    self.init(
      .unreadable,
      "look for missing files",
      because: "\(folder.path) holds no file at all",
      keeping: "Nothing was moved to the trash.",
      do: "Check that its disk is there; else delete the snippets themselves."
    )
  }

  /// The front matter of a file cannot be read.
  init(_ flaw: FrontMatterFlaw, of file: URL) {
    self.init(
      .unreadable,
      "read the front matter of \(file.path)",
      because: flaw.description,
      keeping: "The file was imported without it.",
      do: "Correct it, as with quotes around what holds a colon, and import the file again."
    )
  }

  /// The same error, which says which file it is about, as one of the disk does and one of content
  /// does not.
  func naming(_ file: URL) -> SnippetStoreError {
    if reason.contains(file.path) { return self }
    return SnippetStoreError(
      code,
      "import \(file.path)",
      because: reason,
      do: recoverySuggestion ?? "",
      underlying: underlyingError
    )
  }
}
