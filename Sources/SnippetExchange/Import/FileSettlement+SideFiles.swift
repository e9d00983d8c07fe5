import Foundation
import GRDB
import SnippetBase
import SnippetStorage

extension FileSettlement {
  /// Lets the side file of a moved file follow, which mostly was moved with it.
  ///
  /// One that stayed where it was is still that of the moved file, unless another has its name now.
  func moveSideFile(
    of former: OriginRow,
    to path: String,
    in folder: ImportedFolder
  ) throws {
    let (old, new) = (SideFile.path(of: former.path), SideFile.path(of: path))
    // One that is in neither place may have another name, which its link tells.
    let hasMoved = folder.isMissing(old) && !folder.isMissing(new)
    guard hasMoved || !folder.isMissing(former.path),
      let side = try origins.origin(former.folder, old), side.isSideFile,
      try origins.origin(former.folder, new) == nil
    else { return }
    try origins.move(side, to: new)
  }

  /// Reconciles a side file with the note and the properties of the picture or the recording that it
  /// is beside.
  ///
  /// A note follows the side that has changed. If both have, it has both texts afterwards, and the
  /// next export writes them. At the first import the last common state is what the picture itself,
  /// or another file, tells. Of the properties those count that were changed in the file since, but
  /// a title that a person gave the snippet stays.
  ///
  /// - Returns: The outcome; `nil` if it is no side file of a known picture or recording.
  func settleSideFile(_ file: ReadFile, at place: FilePlace) throws -> SettledFile? {
    guard file.note?.isSideFile == true, case .text(let text) = file.snippet.body else {
      return nil
    }
    let folder = try origins.makeImportedFolder(at: place.folder.path)
    let present = try origins.origin(folder, place.path)
    if let present, present.isUnwritten || present.isItem { return nil }
    // Before its front matter was mended it may have been a text.
    let side = present?.isSideFile == true ? present : nil
    guard let owner = try owner(ofSideFile: text, side, at: place, in: folder),
      let row = try db.snippetRow(owner.snippet), row.kind != .text
    else { return nil }
    if let side, side.snippet != row.id { return nil }
    let renamed = try side == nil ? goneSideFile(of: row.id, at: place, in: folder) : nil
    let former = side ?? renamed

    let told = SideFile.note(in: text)
    let ownNote = try writer.note(of: row.id) ?? ""
    let known =
      former?.contentSHA256 ?? owner.note?.described?.note
      ?? SideFile.hash(of: place.folder.embeddedNote(at: owner.path) ?? "")
    var note = ownNote
    if SideFile.hash(of: ownNote) == known {
      guard (try? TextRules.note(told, during: "import a note")) == told else { return nil }
      note = told
    } else if SideFile.hash(of: told) != known {
      let joined = NoteJoining.joined([ownNote, told])
      // What does not fit becomes a text.
      guard joined.leftOut.isEmpty else { return nil }
      note = joined.note
    }
    if note != ownNote { try writer.replaceNote(of: row.id, with: note) }
    let said = SideFile.properties(in: text)
    let isRead = former?.sha256 == file.snippet.body.sha256
    var lost = LostValues()
    let isNew = try isRead ? false : take(said, after: former?.note, of: owner, row, &lost)
    if note != ownNote || isNew {
      try db.execute(
        sql: "UPDATE snippet SET modified_at = ?, revision = revision + 1 WHERE id = ?",
        arguments: [
          (file.note?.modifiedAt ?? place.stamp.modifiedAt).clampedToStore.milliseconds,
          row.id.rawValue,
        ]
      )
      try SnippetDigest.give(to: row.id, in: db)
    }
    if let renamed { try origins.remove(folder, renamed.path) }
    var released: [ReleasedText] = []
    if side == nil, let present { released = try release([present]) }
    try origins.put(
      OriginRow(
        folder: folder,
        path: place.path,
        snippet: row.id,
        stamp: place.recordedStamp,
        sha256: file.snippet.body.sha256,
        contentSHA256: SideFile.hash(of: told),
        note: FileNote(ofSideFile: said),
        taggedFolderCount: FileNames.folderCount(of: place.path)
      )
    )
    var settled = SettledFile(note == ownNote && !isNew ? .unchanged : .updated, row.id)
    (settled.unread, settled.replaced) = (lost.untaken, lost.replaced)
    settled.released = released
    return settled
  }

  /// Returns the picture or the recording of a side file; `nil` if the store does not know it.
  ///
  /// One of the two may have been renamed without the other: then the last common state tells, or
  /// else the link, if the linked one has no other file with its note.
  private func owner(
    ofSideFile text: String,
    _ known: OriginRow?,
    at place: FilePlace,
    in folder: Int64
  ) throws -> OriginRow? {
    if let path = SideFile.path(besides: place.path),
      let owner = try origins.origin(folder, path), !owner.isSideFile,
      known == nil || owner.snippet == known?.snippet
    {
      return owner
    }
    if let known {
      guard known.isSideFile else { return nil }
      return try presentFile(of: known.snippet, at: place, in: folder)
    }
    guard let name = SideFile.link(in: text)?.name else { return nil }
    let start = place.path.utf8.dropLast(place.path.fileName.utf8.count)
    let path = String(decoding: start, as: UTF8.self) + name
    let side = SideFile.path(of: path)
    guard place.folder.isMissing(side) else { return nil }
    if let linked = try origins.origin(folder, path), !linked.isSideFile {
      let sides = try origins.origins(of: linked.snippet).filter { other in
        other.folder == folder && other.isSideFile
      }
      let isFree = sides.isEmpty || sides.contains { place.folder.isMissing($0.path) }
      return isFree ? linked : nil
    }
    // The picture has another name by now, too.
    guard let gone = try origins.origin(folder, side), gone.isSideFile else { return nil }
    return try presentFile(of: gone.snippet, at: place, in: folder)
  }

  /// Returns a file with the content of a snippet that is there; `nil` if there is none.
  private func presentFile(
    of id: SnippetID,
    at place: FilePlace,
    in folder: Int64
  ) throws -> OriginRow? {
    try origins.origins(of: id).first { other in
      other.folder == folder && !other.isSideFile && !place.folder.isMissing(other.path)
    }
  }

  /// Returns a side file of a picture or a recording that is gone, whose place a new one takes.
  private func goneSideFile(
    of id: SnippetID,
    at place: FilePlace,
    in folder: Int64
  ) throws -> OriginRow? {
    try origins.origins(of: id).first { other in
      other.folder == folder && other.isSideFile && place.folder.isMissing(other.path)
    }
  }

  /// Gives a picture or a recording the properties that its side file says, and did not say at the
  /// last common state; returns whether anything is new.
  private func take(
    _ said: NoteMetadata,
    after former: FileNote?,
    of owner: OriginRow,
    _ row: SnippetRow,
    _ lost: inout LostValues
  ) throws -> Bool {
    var new = Properties(row)
    let (title, formerTitle) = (
      TextRules.fittingTitle(said.title), TextRules.fittingTitle(former?.title)
    )
    if title != formerTitle {
      let own =
        owner.note?.title ?? owner.note?.described?.title ?? FileNames.title(of: owner.path)
      let names = try origins.origins(of: row.id).map { FileNames.title(of: $0.path) }
      let formers = formerTitle.map { [$0] } ?? [own] + names
      if row.title.isEmpty || formers.contains(row.title) {
        new.title = title ?? own
      } else if let title, title != row.title {
        lost.untaken.append(FrontMatterFlaw(untaken: "title", title))
      }
    }
    if said.isPinned != (former?.pinned ?? false) { new.isPinned = said.isPinned }
    if let date = said.createdAt?.clampedToStore, date.milliseconds != former?.created {
      new.createdAt = Date(milliseconds: date.milliseconds)
      if let flaw = FrontMatterFlaw(replacing: row.createdAt, by: date, after: former?.created) {
        lost.replaced.append(flaw)
      }
    }
    let tags = said.listedTags.compactMap(TextRules.fittingTag)
    let formerTags = (former?.tags ?? []).compactMap(TextRules.fittingTag)
    let (known, still, present) = (TagSet(formerTags), TagSet(tags), TagSet(row.tags))
    let added = tags.filter { !known.contains($0) && !present.contains($0) }
    let removed = formerTags.filter { !still.contains($0) && present.contains($0) }
    for tag in added { try writer.add(tag, to: row.id) }
    for tag in removed { try writer.remove(tag, from: row.id) }
    if new != Properties(row) { try write(new, to: row.id) }
    return new != Properties(row) || !added.isEmpty || !removed.isEmpty
  }
}
