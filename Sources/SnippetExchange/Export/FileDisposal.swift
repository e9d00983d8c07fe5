import Foundation
import SnippetBase
import SnippetStorage
import SystemPackage

/// Takes the files of snippets in the trash out of a folder, always to where they can be found.
struct FileDisposal {
  let place: MarkdownExportOptions.TrashedFiles
  var trash = DesktopTrash()

  /// Refuses a place that can be no folder, or that is inside a folder, where the next import would
  /// find the files again.
  ///
  /// An import leaves out hidden folders, such as the `.trash` of Obsidian.
  func requirePlace(outside folder: String, during operation: String) throws {
    guard case .move(let other) = place else { return }
    try Self.requireNoStore(atNew: other.path, during: operation)
    var place = other.path
    while place.count > 1, !FileStatus.exists(place) { place = place.folderPath }
    guard (try? Stat(place))?.type == .directory else {
      throw SnippetStoreError(
        .cannotCreate,
        operation,
        because: "\(place) is not a folder, and no file can move below it",
        keeping: "Nothing was changed.",
        do: "Name another folder on the same disk."
      )
    }
    let path = VaultHome.realPath(of: other.path)
    guard path.isInside(folder),
      !path.path(below: folder).pathNames.contains(where: { $0.hasPrefix(".") })
    else { return }
    throw SnippetStoreError(
      .invalidInput,
      operation,
      because: "\(other.path) is inside the folder, and an import would bring back the files there",
      keeping: "Nothing was changed.",
      do: "Name another folder on the same disk, or a hidden one such as .trash."
    )
  }

  /// Moves a file that still has the bytes with a hash; returns `false`, with the file in its
  /// place, if another program has written it.
  ///
  /// - Throws: `SnippetStoreError` if the file cannot be moved.
  func move(_ path: String, in folder: String, _ sha256: Data) throws -> Bool {
    let file = folder.withSlash + path
    let new: String
    do {
      switch place {
      case .stay: return true
      case .moveToTrash: new = try trash.move(file)
      case .move(let other): new = try move(file, path, to: other.path)
      }
    } catch {
      throw Self.error(error, file)
    }
    let found: Data?
    do {
      found = try OpenFile(new, options: [.noFollow, .nonBlocking]).contentHash {}
    } catch let error as FileError where error.code == .tooManySymbolicLinkLevels {
      // Another program has put a link there.
      found = nil
    } catch {
      try moveBack(new, to: file)
      throw Self.error(error, file)
    }
    if found == sha256 { return true }
    try moveBack(new, to: file)
    return false
  }

  /// Gives a file its former place again.
  func moveBack(_ new: String, to file: String) throws(SnippetStoreError) {
    do throws(FileError) {
      _ = try MovedFile.move(new, to: file)
      if case .moveToTrash = place { trash.removeNote(about: new) }
    } catch {
      throw SnippetStoreError(
        .cannotCreate,
        "move \(file) back",
        because: "another program has written it, and \(error.reason)",
        keeping: "The file is now \(new).",
        do: "Move it to where it should be.",
        underlying: error
      )
    }
  }

  /// Moves a file below another folder, with the folders around it.
  private func move(_ file: String, _ path: String, to other: String) throws -> String {
    let folder = (other.withSlash + path).folderPath
    try Self.requireNoStore(atNew: folder, during: "move \(file) to the trash")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let name = NumberedName.free(file.fileName) { MovedFile.isTaken(folder.withSlash + $0) }
    return try MovedFile.move(file, to: folder.withSlash + name)
  }

  /// Throws if a folder, or one around it that is missing too, would have the name of a file of a
  /// store: SQLite would not open that store any more.
  private static func requireNoStore(
    atNew folder: String,
    during operation: String
  ) throws(SnippetStoreError) {
    var place = folder
    while place.count > 1, !FileStatus.exists(place) {
      try StoreSeam.requireNoStore(at: place, during: operation)
      place = place.folderPath
    }
  }

  private static func error(_ error: any Error, _ file: String) -> SnippetStoreError {
    let reason =
      (error as? FileError)?.reason ?? (error as? SnippetStoreError)?.reason
      ?? error.localizedDescription
    return SnippetStoreError(
      .cannotCreate,
      "move \(file) to the trash",
      because: reason,
      keeping: "The file is where it was.",
      do: "Name a folder on the same disk for such files, or move the file yourself.",
      underlying: error
    )
  }
}
