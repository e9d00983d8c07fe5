import Foundation
import SnippetBase
import SnippetStorage
import SystemPackage

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
      keeping: "The file was imported with what could be read.",
      do: flaw.mistake == .alias
        ? "Write the value itself in place of the alias, and import the file again."
        : "Correct it, and import the file again."
    )
  }

  /// A folder contains an archive.
  init(archiveInFolder file: URL) {
    self.init(
      refusing: file,
      because: "it is an archive in a folder, and only one that is given itself is unpacked",
      do: "Give the path of the archive itself."
    )
  }

  /// A file is another store.
  init(store file: URL) {
    self.init(
      refusing: file,
      because: "it is a store of snippets, and only the export of one is imported",
      do: "Export it into a folder, and import that: snip export FOLDER --store FILE"
    )
  }

  /// Nothing can unpack an archive here.
  init(withoutLibrary file: URL, _ format: ArchiveFormat) {
    let command = format == .zip ? "unzip FILE -d FOLDER" : "tar -xf FILE -C FOLDER"
    self.init(
      refusing: file,
      because: "it is an archive, and libarchive, which unpacks it, is not installed",
      do: "Install it (apt install libarchive13), or unpack it with `\(command)` and import that."
    )
  }

  /// An export of Evernote cannot be read without a library.
  init(withoutXMLLibrary file: URL) {
    self.init(
      refusing: file,
      because: "it is an export of Evernote, and libxml2, which reads it, is not installed",
      do: "Install it (apt install libxml2), and import it again."
    )
  }

  private init(refusing file: URL, because reason: String, do suggestion: String) {
    self.init(.unsupportedContent, "import \(file.path)", because: reason, do: suggestion)
  }

  /// A member of an archive, or the whole of it, is damaged.
  init(ofMember path: String, because reason: String) {
    self.init(
      .unreadable,
      "import \(path)",
      because: reason,
      do: "Download or copy the archive again."
    )
  }

  /// An archive cannot be unpacked, because of the disk.
  init(unpacking file: URL, _ error: FileError) {
    let isFull = error.code == .noSpace || error.code == .diskQuotaExceeded
    let advice: String? =
      switch error.code {
      case .noSpace, .diskQuotaExceeded:
        "Make room, or set TMPDIR to a folder on a disk with room."
      // No other folder would help.
      case .tooManyOpenFiles, .tooManyOpenFilesInSystem:
        SnippetStoreError(error, during: "unpack \(file.path)").recoverySuggestion
      default: "Set TMPDIR to a folder that can be written."
      }
    self.init(
      isFull ? .diskFull : .inputOutput,
      "unpack \(file.path)",
      because: error.reason,
      keeping: "Nothing was imported.",
      do: advice ?? ""
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

  /// The error of values that another file tells, and in whose place a snippet has others.
  init(untaken: [FrontMatterFlaw], of file: URL) {
    self.init(
      .conflict,
      "take over all values for \(file.path)",
      because: untaken.map(\.description).joined(separator: "; "),
      keeping: "The snippet keeps its own.",
      do: "Edit the snippet, if you prefer those."
    )
  }

  /// The error of values of a snippet that gave way to those of its file.
  init(replaced: [FrontMatterFlaw], by file: URL) {
    self.init(
      .conflict,
      "keep all values beside those of \(file.path)",
      because: replaced.map(\.description).joined(separator: "; "),
      keeping: "It has that of the file now.",
      do: "Edit the file, if you prefer the former one."
    )
  }

  /// Returns the same error as one of reading or importing the file, whatever was under way.
  ///
  /// Errors of the disk name the file in their reason, errors about content do not.
  func naming(_ file: URL) -> SnippetStoreError {
    let place = "\(file.path): "
    let isOfReading = reason.hasPrefix(place)
    if !isOfReading, reason.contains(file.path) { return self }
    return SnippetStoreError(
      code,
      "\(isOfReading ? "read" : "import") \(file.path)",
      because: isOfReading ? String(reason.dropFirst(place.count)) : reason,
      do: recoverySuggestion ?? "",
      underlying: underlyingError
    )
  }
}
