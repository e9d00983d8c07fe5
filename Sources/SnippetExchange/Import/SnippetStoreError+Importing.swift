import Foundation
import SnippetRecognition
import SnippetStorage

/// Errors about single files and folders of an import.
extension SnippetStoreError {
  /// A folder has no files any more; most likely its disk is missing.
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
      do: """
        Correct it, for example with quotes around a value with a colon, and import the file again.
        """
    )
  }

  /// A file is an archive of Joplin.
  init(ofArchive file: URL) {
    self.init(
      .unsupportedContent,
      "import \(file.path)",
      because: "it is an archive of Joplin; unpack it with tar -xf into a folder, and import that",
      do: "Unpack it with tar -xf into a folder, and import that."
    )
  }

  /// Some values of a note cannot be taken over.
  init(unread: [FrontMatterFlaw], of file: URL) {
    self.init(
      .unreadable,
      "read all values of \(file.path)",
      because: unread.map(\.description).joined(separator: "; "),
      keeping: "They stay in the file.",
      do: "Correct them in the file, and import it again."
    )
  }

  /// Returns the same error with the name of the file, which errors of the disk include and errors
  /// about content do not.
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
