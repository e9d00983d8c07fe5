import Foundation
import SnippetBase
import SnippetStorage

extension VaultExport {
  private static let otherFile = "another file has the name of the file with its note"
  private static let renaming =
    "Give that file another name, and import the folder, so that the store knows it; then export again."

  /// Updates the side file with the note of a picture or a recording, whose own file is at a path.
  ///
  /// The link in it follows a picture that was renamed. A note that is empty now leaves the front
  /// matter of its file, since an export deletes nothing. That alone says that a note within the
  /// picture was removed.
  ///
  /// - Returns: The origin to record, if there is one.
  mutating func bringSideFile(
    of row: SnippetRow,
    at path: String,
    _ known: OriginRow?
  ) throws -> OriginRow? {
    let note = row.preview.isEmpty ? "" : try job.seam.note(of: row.id)
    let former =
      try known.map { known in
        try job.seam.read(to: job.operation) { db in
          try OriginStatements(db: db).origin(known.folder, SideFile.path(of: known.path))
        }
      } ?? nil
    let isRemoved = try note.isEmpty && hasToldNote(row, known)
    guard !note.isEmpty || isRemoved || former?.isSideFile == true else { return nil }
    let name = path.fileName
    let path = SideFile.path(of: path)
    let url = URL(fileURLWithPath: folder.path).appendingPathComponent(path)
    // Before the file is looked at, as for any other file.
    let moment = now()
    var replaced: FormerFile?
    var text: String?
    switch try folder.place(at: path) {
    case .nothing:
      guard !note.isEmpty || isRemoved else { return nil }
      // The picture or a file beside it says it, and every import reads it there.
      let isTold = known?.note?.described?.note == SideFile.hash(of: note)
      // One that was removed differs from it.
      if former?.isSideFile != true,
        try isTold || (!isRemoved && job.seam.embeddedNote(of: row) == note)
      {
        return nil
      }
    case .other:
      conflictWithOther(row.id, url)
      return nil
    case .file(let file, let stamp):
      guard stamp.byteCount <= Int64(NoteMetadata.maximumByteCount) else {
        conflict(row.id, url, Self.otherFile, do: Self.renaming)
        return nil
      }
      let bytes = Data(try file.bytes(at: 0, count: Int(stamp.byteCount)))
      let sha256 = ContentHash.of(bytes)
      let found = String(decoding: bytes, as: UTF8.self)
      let isOurs = former?.isSideFile == true && former?.sha256 == sha256
      let isSame = NoteMetadata(found).isSideFile && SideFile.note(in: found) == note
      guard isOurs || isSame else {
        // Importing a text that is no note of the picture leaves it where it is.
        if NoteMetadata(found).isSideFile {
          conflict(row.id, url, "the file with its note was changed since")
        } else {
          conflict(row.id, url, Self.otherFile, do: Self.renaming)
        }
        return nil
      }
      let renamed = isOurs && hasFormerName(found, beside: path, name)
      if isSame, !renamed {
        job.tell(ExportEvent(.unchanged, row.id, url, byteCount: stamp.byteCount))
        let origin = sideOrigin(of: row.id, path, note, sha256, known)
        return recorded(origin, stamp, moment, former)
      }
      replaced = FormerFile(file: file, stamp: stamp, sha256: sha256)
      text = renamed ? SideFile.linking(found, to: name) : found
    }
    let bytes = SideFile.bytes(note, of: name, inPlaceOf: text)
    let origin = sideOrigin(of: row.id, path, note, ContentHash.of(bytes), known)
    let outcome = replaced == nil ? ExportEvent.Outcome.exported : .updated
    if isDryRun {
      job.tell(ExportEvent(outcome, row.id, url, byteCount: Int64(bytes.count)))
      return nil
    }
    let date = row.modifiedAt.fileNanoseconds
    var pieces = [bytes]
    let stamp = try folder.write(path, inPlaceOf: replaced, date: date) { pieces.popLast() }
    guard let stamp else {
      conflict(row.id, url, "another program has written the file with its note at the same time")
      return nil
    }
    job.tell(ExportEvent(outcome, row.id, url, byteCount: stamp.byteCount))
    return recorded(origin, stamp, moment, former)
  }

  /// Whether a side file links to a name that its picture had before both were renamed.
  private func hasFormerName(_ text: String, beside path: String, _ name: String) -> Bool {
    guard let former = SideFile.link(in: text)?.name, !former.hasBytes(of: name) else {
      return false
    }
    let start = path.utf8.dropLast(path.fileName.utf8.count)
    let place = try? folder.place(at: String(decoding: start, as: UTF8.self) + former)
    if case .nothing? = place { return true }
    return false
  }

  /// Whether a picture that was edited has a note in its bytes or in a file beside it, which every
  /// import reads there.
  private func hasToldNote(_ row: SnippetRow, _ known: OriginRow?) throws -> Bool {
    guard row.modifiedAt != row.createdAt else { return false }
    return try known?.note?.described?.note != nil || job.seam.embeddedNote(of: row) != nil
  }

  private func sideOrigin(
    of id: SnippetID,
    _ path: String,
    _ note: String,
    _ sha256: Data,
    _ known: OriginRow?
  ) -> OriginRow {
    OriginRow(
      folder: known?.folder ?? 0,
      path: known.map { SideFile.path(of: $0.path) } ?? path,
      snippet: id,
      stamp: FileStamp(modifiedNanoseconds: 0, byteCount: 0),
      sha256: sha256,
      contentSHA256: SideFile.hash(of: note),
      note: .ofSideFile,
      taggedFolderCount: FileNames.folderCount(of: path)
    )
  }

  private func recorded(
    _ origin: OriginRow,
    _ stamp: FileStamp,
    _ moment: Date,
    _ former: OriginRow?
  ) -> OriginRow? {
    var origin = origin
    origin.stamp = stamp.recorded(asOf: moment, onNetwork: folder.isOnNetwork)
    return origin == former ? nil : origin
  }
}
