import Foundation
import SnippetBase
import SnippetExchange
import SnippetLoading
import SnippetStorage
import SystemPackage
import TerminalKit

/// A text in a file that the user's editor writes, in a private folder beside the store.
///
/// Its folder is as safe as the store, which is not so for every folder of temporary files: who can
/// replace one can replace the other. A later start finds the copy even after the power failed.
struct EditedCopy: Sendable {
  /// The most bytes that are read: the editor may have opened another file by mistake.
  private static let byteLimit: Int64 = 64 << 20

  /// The facts that later starts need.
  private struct Note: Codable {
    let name: String
    let original: UnsavedText
  }

  /// The text as it was when the copy was made.
  let original: UnsavedText
  let path: String
  private let folder: PrivateFolder

  private init(_ original: UnsavedText, named name: String, in folder: PrivateFolder) {
    (self.original, self.folder) = (original, folder)
    path = "\(folder.path)/\(name)"
  }

  private static func prefix(beside store: URL) -> String {
    FileBesideStore.edited.prefix(beside: store) + "-"
  }

  /// Writes a text into a file.
  ///
  /// - Parameters:
  ///   - original: The text.
  ///   - name: The name of the file.
  ///   - store: The file of the store.
  /// - Throws: ``OtherProgramError`` when it cannot be written.
  init(
    of original: UnsavedText,
    named name: String,
    beside store: URL
  ) throws(OtherProgramError) {
    do {
      let note = try JSONEncoder().encode(Note(name: name, original: original))
      let folder = try PrivateFolder.make(
        Self.prefix(beside: store),
        note: note,
        isPassedOn: true
      )
      self.init(original, named: name, in: folder)
      do {
        try write()
      } catch {
        folder.remove()
        throw error
      }
    } catch {
      let reason = (error as? FileError)?.reason ?? error.localizedDescription
      throw OtherProgramError(
        message: "could not write a copy of the text: \(TerminalText(reason))",
        hint: "Make room beside the store, or let files be written there."
      )
    }
  }

  private func write() throws(FileError) {
    let file = try OpenFile(
      path,
      .writeOnly,
      options: [.create, .exclusiveCreate, .noFollow],
      permissions: .ownerReadWrite
    )
    var (text, failure) = (original.text, FileError?.none)
    text.withUTF8 { bytes in
      do throws(FileError) {
        try file.write(UnsafeRawBufferPointer(bytes), at: 0)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    // After a power failure an empty file would look like a text that was emptied.
    try file.synchronize()
    try file.close()
    // Without their names, neither would be found. A folder that cannot be synchronized is edited in
    // all the same.
    try? FileSystem.synchronize(folder: folder.path)
    try? FileSystem.synchronize(folder: folder.path.folderPath)
  }

  /// The copies that processes left that are gone; those without a text are removed.
  static func leftovers(beside store: URL) -> [EditedCopy] {
    PrivateFolder.leftovers(prefix(beside: store)).compactMap { folder in
      guard let bytes = try? folder.note(),
        let note = try? JSONDecoder().decode(Note.self, from: bytes)
      else {
        // The note is whole before the text is written.
        if !folder.hasFiles() { folder.remove() }
        return nil
      }
      return EditedCopy(note.original, named: note.name, in: folder)
    }
  }

  // MARK: - Afterwards

  /// Whether there is anything in the place of the text.
  var isThere: Bool { FileStatus.exists(path) }

  /// Whether the editor has left other files beside the text, as one that is killed does.
  var hasOtherFiles: Bool {
    let own = path.fileName
    return folder.hasFiles { $0 != own }
  }

  /// The folder of the copy.
  var place: String { folder.path }

  /// Whether something was saved beside the text, as under another name.
  ///
  /// Backups, and the files of an editor that runs, do not count.
  var hasSavedFiles: Bool {
    let own = path.fileName
    return folder.hasFiles { !Self.isEditorFile($0, of: own) }
  }

  /// Whether vim, nano, Emacs, Kate or an office gives a name to the text or to what it keeps beside
  /// that: a swap, backup, undo or lock file.
  private static func isEditorFile(_ name: String, of own: String) -> Bool {
    // With this name vim tries whether it can make files.
    guard let place = name.range(of: own) else { return name == "4913" }
    let (start, end) = (name[..<place.lowerBound], name[place.upperBound...])
    switch (start, end) {
    case ("", ""), ("", "~"), (".", "~"), (".", ".un~"), (".", ".kate-swp"), ("", ".save"),
      ("#", "#"), (".#", ""), (".~lock.", "#"):
      return true
    case (".", _):
      // .swp, and before that .swo and so on while others have the same text open.
      return end.hasPrefix(".s") && end.count == 4
        && end.dropFirst(2).allSatisfy { ("a"..."z").contains($0) }
    case ("", _):
      let number = end.hasPrefix(".save.") ? end.dropFirst(6) : end.dropFirst(2).dropLast()
      return (end.hasPrefix(".save.") || end.hasPrefix(".~") && end.hasSuffix("~"))
        && !number.isEmpty && number.allSatisfy { ("0"..."9").contains($0) }
    default: return false
    }
  }

  /// Removes the copy, and what editors keep beside a text; any other file stays, with the folder.
  ///
  /// - Returns: The folder, if it stays, safe to print.
  @discardableResult
  func remove() -> TerminalText? {
    guard hasSavedFiles, FileStatus.exists(place) else {
      folder.remove()
      return nil
    }
    FileSystem.remove(path)
    return TerminalText(place)
  }

  /// Reads the text as the editor has left it; `nil` if it is the same.
  ///
  /// It never waits, whatever is in the place of the file.
  ///
  /// - Throws: ``OtherProgramError`` when it is no text.
  func changedText() throws(OtherProgramError) -> UnsavedText? {
    guard let text = String(validating: try bytes(), as: UTF8.self) else {
      throw OtherProgramError(message: "it is not UTF-8")
    }
    // Strings are equal if their characters are, even with different scalars; the user may have
    // changed just those. Many editors end the last line, whether or not it was ended before.
    guard !text.utf8.elementsEqual(original.text.utf8),
      !text.utf8.elementsEqual((original.text + "\n").utf8)
    else { return nil }
    var changed = original
    changed.text = text
    return changed
  }

  private func bytes() throws(OtherProgramError) -> [UInt8] {
    var status = stat()
    guard lstat(path, &status) == 0 else {
      throw OtherProgramError(message: String(cString: strerror(errno)))
    }
    // Opening a pipe could wait for ever, and opening a device could do anything.
    if let kind = Self.kind(status.st_mode) { throw OtherProgramError(message: "it is \(kind)") }
    guard let identity = FileIdentity(path: path), !StoreSeam.isOpen(identity) else {
      throw OtherProgramError(message: "it is the file of the store")
    }
    let file: OpenFile
    let size: Int64
    do throws(FileError) {
      file = try OpenFile(path, options: [.noFollow, .nonBlocking])
      let opened = try file.status()
      guard FileIdentity(opened) == identity else { throw FileError(path, .resourceBusy) }
      size = opened.size
      if size <= Self.byteLimit { return try file.bytes(at: 0, count: Int(size)) }
    } catch {
      throw OtherProgramError(message: "\(TerminalText(error.reason))")
    }
    throw OtherProgramError(message: "it is too large (\(ByteCountText(size)))")
  }

  private static func kind(_ mode: mode_t) -> String? {
    switch mode & S_IFMT {
    case S_IFREG: nil
    case S_IFLNK: "a link now"
    case S_IFDIR: "a folder now"
    case S_IFIFO: "a pipe now"
    default: "a device or a socket now"
    }
  }
}
