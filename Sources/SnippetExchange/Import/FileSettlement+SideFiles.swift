import Foundation
import GRDB
import SnippetBase
import SnippetStorage

extension FileSettlement {
  /// Lets the side file of a moved file follow, which mostly was moved with it.
  func moveSideFile(of former: OriginRow, to path: String) throws {
    let (old, new) = (SideFile.path(of: former.path), SideFile.path(of: path))
    guard let side = try origins.origin(former.folder, old), side.isSideFile,
      try origins.origin(former.folder, new) == nil
    else { return }
    try origins.move(side, to: new)
  }

  /// Reconciles a side file with the note of the picture or the recording that it is beside.
  ///
  /// A note follows the side that has changed. If both have, it has both texts afterwards, and the
  /// next export writes them. At the first import the last common state is what the picture itself,
  /// or another file, tells.
  ///
  /// - Returns: The outcome; `nil` if it is no side file of a known picture or recording.
  func settleSideFile(_ file: ReadFile, at place: FilePlace) throws -> SettledFile? {
    guard file.note?.isSideFile == true, case .text(let text) = file.snippet.body,
      let path = SideFile.path(besides: place.path)
    else { return nil }
    let folder = try origins.makeImportedFolder(at: place.folder.path)
    guard let owner = try origins.origin(folder, path), !owner.isSideFile,
      let row = try db.snippetRow(owner.snippet), row.kind != .text
    else { return nil }
    let former = try origins.origin(folder, place.path)
    if let former, !former.isSideFile || former.snippet != row.id { return nil }

    let told = SideFile.note(in: text)
    let present = try writer.note(of: row.id) ?? ""
    let known =
      former?.contentSHA256 ?? owner.note?.described?.note
      ?? SideFile.hash(of: place.folder.embeddedNote(at: path) ?? "")
    var note = present
    if SideFile.hash(of: present) == known {
      guard (try? TextRules.note(told, during: "import a note")) == told else { return nil }
      note = told
    } else if SideFile.hash(of: told) != known {
      let joined = NoteJoining.joined([present, told])
      // What does not fit becomes a text.
      guard joined.isWhole else { return nil }
      note = joined.note
    }
    if note != present {
      try writer.replaceNote(of: row.id, with: note)
      try db.execute(
        sql: "UPDATE snippet SET modified_at = ?, revision = revision + 1 WHERE id = ?",
        arguments: [
          (file.note?.modifiedAt ?? place.stamp.modifiedAt).clampedToStore.milliseconds,
          row.id.rawValue,
        ]
      )
      try SnippetDigest.give(to: row.id, in: db)
    }
    try origins.put(
      OriginRow(
        folder: folder,
        path: place.path,
        snippet: row.id,
        stamp: place.recordedStamp,
        sha256: file.snippet.body.sha256,
        contentSHA256: SideFile.hash(of: told),
        note: .ofSideFile,
        taggedFolderCount: FileNames.folderCount(of: place.path)
      )
    )
    return SettledFile(note == present ? .unchanged : .updated, row.id)
  }
}
