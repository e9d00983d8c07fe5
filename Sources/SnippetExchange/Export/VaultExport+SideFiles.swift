import Foundation
import SnippetBase
import SnippetStorage

extension VaultExport {
  private static let otherFile = "another file has the name of the file with its note"
  private static let renaming =
    "Give that file another name, and import the folder, so that the store knows it; then export again."

  /// Updates the side file with the note of a picture or a recording, whose own file is at a path,
  /// and with the properties that no import finds in the files of the snippet.
  ///
  /// A picture that is in the folder since an import, and was not edited, gets no side file for its
  /// properties, so that the folder stays as it is. It gets one if a file that told them is gone.
  ///
  /// The link in it follows a picture that was renamed, also if the file kept its name. A note that
  /// is empty now leaves the front matter of its file, since an export deletes nothing. That alone
  /// says that a note within the picture was removed.
  ///
  /// `told` keeps what the files of the snippet tell, from the first of them to the last.
  ///
  /// - Returns: The origin to record, if there is one.
  mutating func bringSideFile(
    of row: SnippetRow,
    at path: String,
    _ known: OriginRow?,
    _ told: inout ToldProperties?,
    among files: @autoclosure () -> [VaultPaths.File]
  ) throws -> OriginRow? {
    let note = row.preview.isEmpty ? "" : try job.seam.note(of: row.id)
    let (former, others) = try sideFiles(of: row, known)
    let hasFile = former?.isSideFile == true
    let isRemoved = try note.isEmpty && hasToldNote(row, known)
    // What no other file tells any more would be in the store alone.
    let isUntold = known?.note?.untold == true
    let isNewOrEdited =
      known == nil || hasFile || isUntold || row.modifiedAt != row.createdAt
    guard !note.isEmpty || isRemoved || isNewOrEdited else { return nil }
    let isFirst = told == nil
    let facts =
      try told
      ?? ToldProperties(of: files(), row, job.seam.recognizedMedia(of: row), now: now())
    told = facts
    var rest = facts.edit(for: row, nil, besides: others)
    // One of several files is enough for a date.
    if isFirst, known == nil || hasFile || isUntold, !facts.tells(createdAt: row.createdAt) {
      rest.createdAt = row.createdAt
    }
    let isToSay = isNewOrEdited && !rest.isEmpty
    guard !note.isEmpty || isRemoved || hasFile || isToSay else { return nil }
    let name = path.fileName
    let path = former.flatMap { paths.home.path(of: $0) } ?? SideFile.path(of: path)
    let url = URL(fileURLWithPath: folder.path).appendingPathComponent(path)
    // Before the file is looked at, as for any other file.
    let moment = now()
    var replaced: FormerFile?
    let edit: FrontMatterEdit
    let text: String
    switch try folder.place(at: path) {
    case .nothing:
      edit = rest
      if !isToSay {
        guard !note.isEmpty || isRemoved else { return nil }
        // The picture or a file beside it says it, and every import reads it there.
        let isTold = known?.note?.stillDescribed?.note == SideFile.hash(of: note)
        // One that was removed differs from it.
        if !hasFile, try isTold || (!isRemoved && job.seam.embeddedNote(of: row) == note) {
          return nil
        }
      }
      text = SideFile.text(note, of: name, inPlaceOf: nil)
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
      let isOurs = hasFile && former?.sha256 == sha256
      let isSame = NoteMetadata(found).isSideFile && SideFile.note(in: found) == note
      edit = facts.edit(for: row, SideFile.properties(in: found), besides: others)
      guard isOurs || (isSame && edit.isEmpty) else {
        // Importing a text that is no note of the picture leaves it where it is.
        if NoteMetadata(found).isSideFile {
          conflict(row.id, url, "the file with its note was changed since")
        } else {
          conflict(row.id, url, Self.otherFile, do: Self.renaming)
        }
        return nil
      }
      let renamed = isOurs && hasFormerName(found, beside: path, name)
      if isSame, !renamed, edit.isEmpty || edit.applied(to: found) == nil {
        job.tell(ExportEvent(.unchanged, row.id, url, byteCount: stamp.byteCount))
        if !edit.isEmpty { tell(Self.omission, row.id, url) }
        let origin = sideOrigin(of: row.id, path, note, found, sha256, known, former)
        return recorded(origin, stamp, moment, former)
      }
      replaced = FormerFile(file: file, stamp: stamp, sha256: sha256)
      let linked = renamed ? SideFile.linking(found, to: name) : found
      text = isSame ? linked : SideFile.text(note, of: name, inPlaceOf: linked)
    }
    let edited = edit.applied(to: text)
    let omission = edited == nil ? Self.omission : nil
    let bytes = Data((edited ?? text).utf8)
    let hash = ContentHash.of(bytes)
    let origin = sideOrigin(of: row.id, path, note, edited ?? text, hash, known, former)
    let outcome = replaced == nil ? ExportEvent.Outcome.exported : .updated
    if isDryRun {
      job.tell(ExportEvent(outcome, row.id, url, byteCount: Int64(bytes.count)))
      tell(omission, row.id, url)
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
    tell(omission, row.id, url)
    return recorded(origin, stamp, moment, former)
  }

  /// The properties that a side file lacks whose front matter cannot be changed.
  private static let omission = NoteFile.Omission(
    words: ["the title, the tags, the pin or the date of creation"],
    reason: "its front matter cannot be changed line by line without losing something"
  )

  /// Returns the last common state of a side file, and what the side files beside the other files
  /// of its snippet in the same folder say.
  private func sideFiles(
    of row: SnippetRow,
    _ known: OriginRow?
  ) throws -> (former: OriginRow?, others: [FileNote]) {
    guard let known else { return (nil, []) }
    let path = SideFile.path(of: known.path)
    let home = paths.home
    let (found, others): (OriginRow?, [FileNote]) = try job.seam.read(to: job.operation) { db in
      let origins = OriginStatements(db: db)
      var former = try origins.origin(known.folder, path)
      // The one of another snippet, whose picture has another name by now.
      if former?.snippet != row.id { former = nil }
      let all = try origins.origins(of: row.id).filter { $0.folder == known.folder }
      if former == nil { former = Self.leftSideFile(of: known, among: all, in: home) }
      let place = former?.path ?? path
      // Otherwise nothing is compared with them.
      let isUntold = known.note?.untold == true
      guard former?.isSideFile == true || isUntold || row.modifiedAt != row.createdAt else {
        return (former, [])
      }
      let others = all.filter { $0.isSideFile && !$0.path.hasBytes(of: place) }
      return (former, others.compactMap(\.note))
    }
    return (try found.map { try broughtBack($0, beside: known) }, others)
  }

  /// Returns the side file that kept its name when its picture was renamed; of several pictures
  /// without one the first has it.
  private static func leftSideFile(
    of known: OriginRow,
    among all: [OriginRow],
    in home: VaultHome
  ) -> OriginRow? {
    let files = all.filter { !$0.isSideFile }.map(\.path)
    let sides = all.filter(\.isSideFile)
    let first = files.first { file in
      !sides.contains { $0.path.hasBytes(of: SideFile.path(of: file)) }
    }
    guard first?.hasBytes(of: known.path) == true else { return nil }
    return sides.first { side in
      home.path(of: side) != nil
        && !files.contains { SideFile.path(of: $0).hasBytes(of: side.path) }
    }
  }

  /// Returns the state of a side file that kept its name when its picture was renamed, beside the
  /// picture if the file is not there any more; others stay as they are.
  private func broughtBack(_ left: OriginRow, beside known: OriginRow) throws -> OriginRow {
    let path = SideFile.path(of: known.path)
    guard !left.path.hasBytes(of: path), let place = paths.home.path(of: left),
      try isNothing(at: place)
    else { return left }
    let isFree = try job.seam.read(to: job.operation) { db in
      try OriginStatements(db: db).origin(left.folder, path) == nil
    }
    guard isFree else { return left }
    if !isDryRun {
      try job.seam.write(to: job.operation) { db in
        try OriginStatements(db: db).move(left, to: path)
      }
    }
    var moved = left
    moved.path = path
    return moved
  }

  /// Whether a side file links to a name that its picture had before both were renamed.
  private func hasFormerName(_ text: String, beside path: String, _ name: String) -> Bool {
    guard let former = SideFile.link(in: text)?.name, !former.hasBytes(of: name) else {
      return false
    }
    let start = path.utf8.dropLast(path.fileName.utf8.count)
    return (try? isNothing(at: String(decoding: start, as: UTF8.self) + former)) ?? false
  }

  /// Whether a picture that was edited has a note in its bytes or in a file beside it, which every
  /// import reads there.
  private func hasToldNote(_ row: SnippetRow, _ known: OriginRow?) throws -> Bool {
    guard row.modifiedAt != row.createdAt else { return false }
    return try known?.note?.stillDescribed?.note != nil || job.seam.embeddedNote(of: row) != nil
  }

  private func sideOrigin(
    of id: SnippetID,
    _ path: String,
    _ note: String,
    _ text: String,
    _ sha256: Data,
    _ known: OriginRow?,
    _ former: OriginRow?
  ) -> OriginRow {
    OriginRow(
      folder: known?.folder ?? 0,
      path: former?.path ?? known.map { SideFile.path(of: $0.path) } ?? path,
      snippet: id,
      stamp: FileStamp(modifiedNanoseconds: 0, byteCount: 0),
      sha256: sha256,
      contentSHA256: SideFile.hash(of: note),
      note: FileNote(ofSideFile: SideFile.properties(in: text)),
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
