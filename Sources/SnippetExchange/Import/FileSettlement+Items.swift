import Foundation
import GRDB
import SnippetBase
import SnippetRecognition
import SnippetStorage

/// The state of an item of Joplin, which a snippet follows like a file of a vault.
struct ItemState {
  /// The hash of a note's file; `nil` for a resource, whose file is its content.
  let sha256: Data?
  /// The title, the tags and what else the item tells.
  let note: FileNote
  /// The values that cannot be taken over as they are.
  let unread: [FrontMatterFlaw]
  /// Whether the other program has it in its trash.
  let isTrashed: Bool
}

extension FileNote {
  /// Describes an item, with the tags that notebooks give it.
  init(_ item: any ImportItem, _ reading: ItemReading, notebooks: [String]) {
    title = reading.draft.title
    if !item.tags.isEmpty { tags = item.tags }
    if reading.draft.isPinned { pinned = true }
    if reading.isTrashed { trashed = true }
    if !notebooks.isEmpty { self.notebooks = notebooks }
    identity = item.identity
    edited = reading.editedAt?.clampedToStore.milliseconds
    self.item = true
  }
}

extension FileSettlement {
  /// Reconciles an item of Joplin with the snippet of its identity.
  ///
  /// Joplin exports into a new folder each time. So the last common state is that of the same item
  /// in any folder.
  func settle(
    _ item: ItemState,
    _ snippet: PreparedSnippet,
    at place: FilePlace
  ) throws -> SettledFile {
    let content = snippet.body.sha256
    let folder = try origins.makeImportedFolder(at: place.folder.path)
    let origin = OriginRow(
      folder: folder,
      path: place.path,
      snippet: SnippetID(rawValue: 0),
      stamp: place.recordedStamp,
      sha256: item.sha256 ?? content,
      contentSHA256: item.sha256.flatMap { $0 == content ? nil : content },
      note: item.note
    )
    let existing = try writer.duplicate(of: snippet)
    let former = try former(of: origin, existing, in: place.folder)
    return try settle(item, snippet, origin, existing, former)
  }

  /// Reconciles an item whose file was given by itself with the snippet of its identity.
  func settle(
    _ item: ItemState,
    _ snippet: PreparedSnippet,
    alone single: SingleFile
  ) throws -> SettledFile {
    let content = snippet.body.sha256
    let sha256 = item.sha256 ?? content
    var origin = try single.origin(of: SnippetID(rawValue: 0), sha256, in: db)
    if sha256 != content { origin.contentSHA256 = content }
    origin.note = item.note
    origin.note?.single = true
    let existing = try writer.duplicate(of: snippet)
    let known = try single.known(in: db).flatMap { known -> OriginRow? in
      guard known.isItem else { return nil }
      // After a conflict the file has a snippet without its identity.
      let isSame = known.identity != nil && known.identity == origin.identity
      return known.snippet == existing || isSame ? known : nil
    }
    return try settle(item, snippet, origin, existing, known ?? former(of: existing))
  }

  private func settle(
    _ item: ItemState,
    _ snippet: PreparedSnippet,
    _ state: OriginRow,
    _ existing: SnippetID?,
    _ former: OriginRow?
  ) throws -> SettledFile {
    var origin = state
    var settled: SettledFile
    if let former = try former.map(last) {
      settled = try follow(former, to: item, snippet, &origin)
    } else if let existing {
      settled = try adopt(existing, snippet, &origin)
    } else {
      settled = SettledFile(.imported, try add(snippet, origin))
    }
    // A new snippet, or one that has come back, goes there too.
    if item.isTrashed, former?.note?.trashed != true,
      ![.imported, .broughtBack, .leftOut].contains(settled.outcome), let id = settled.id,
      try db.snippetRow(id)?.deletedAt == nil
    {
      settled.unread.append(.inTrashThere)
    }
    return settled
  }

  /// Lets the snippet of an item follow it.
  private func follow(
    _ former: OriginRow,
    to item: ItemState,
    _ snippet: PreparedSnippet,
    _ origin: inout OriginRow
  ) throws -> SettledFile {
    let content = snippet.body.sha256
    let formerContent = former.contentSHA256 ?? former.sha256
    // Those that notebooks gave once stay.
    if !makesTagsOfFolders { origin.note?.notebooks = former.note?.notebooks }
    let isSame = content == formerContent && origin.note?.saysSame(as: former.note) == true
    if origin.isOlder(than: former) {
      guard isSame else { return SettledFile(.leftOut, former.snippet) }
      origin.note?.edited = former.note?.edited
    }
    if item.isTrashed, isSame, try db.snippetRow(former.snippet)?.deletedAt != nil {
      origin.snippet = former.snippet
      try origins.put(origin)
      return SettledFile(.unchanged, former.snippet)
    }
    let (row, isBack) = try rowOutOfTrash(former.snippet)
    origin.snippet = row.id
    if isSame {
      try origins.put(origin)
      return SettledFile(isBack ? .broughtBack : .unchanged, row.id)
    }
    let present = try db.contentHash(of: row)
    let isEdited = content != formerContent && content != present
    guard !isEdited || present == formerContent && row.kind == snippet.kind else {
      return try addBeside(row, snippet, origin)
    }
    let title = TextRules.fittingTitle(origin.note?.title)
    let untaken = try update(row, to: snippet, titled: title, former, isEdited: isEdited)
    try origins.put(origin)
    var settled = SettledFile(isBack ? .broughtBack : .updated, row.id)
    if let untaken { settled.unread.append(untaken) }
    return settled
  }

  /// Returns the last common state of an item and its snippet.
  private func former(
    of origin: OriginRow,
    _ existing: SnippetID?,
    in folder: ImportedFolder
  ) throws -> OriginRow? {
    if let identity = origin.identity,
      let renamed = try renamedFile(identity, to: origin, in: folder)
    {
      try origins.move(renamed, to: origin.path)
      return renamed
    }
    if let known = try origins.origin(origin.folder, origin.path), known.isItem { return known }
    // Another program may have renamed its file, so the identity alone counts.
    return try former(of: existing)
  }

  /// Returns the last common state of a snippet with an item in any place.
  ///
  /// Of several, those with its present content are later than the others.
  private func former(of existing: SnippetID?) throws -> OriginRow? {
    guard let existing, let row = try db.snippetRow(existing) else { return nil }
    let items = try origins.origins(of: existing).filter(\.isItem)
    guard items.count > 1 else { return items.first }
    let content = try db.contentHash(of: row)
    return items.last { $0.contentSHA256 ?? $0.sha256 == content } ?? items.last
  }

  /// Returns the state of an item that its snippet took last, from whatever place.
  ///
  /// Of states that were edited at the same moment, that with the present content is the last.
  private func last(_ state: OriginRow) throws -> OriginRow {
    let states = try origins.origins(of: state.snippet)
      .filter { $0.isItem && $0.isSame(as: state) }
    guard states.count > 1, let row = try db.snippetRow(state.snippet) else { return state }
    let edited = states.compactMap(\.edited).max()
    let latest = states.filter { $0.edited == edited }
    let content = try db.contentHash(of: row)
    let present = latest.filter { $0.contentSHA256 ?? $0.sha256 == content }
    let isSame = { (other: OriginRow) in
      other.folder == state.folder && other.path.hasBytes(of: state.path)
    }
    let chosen = present.isEmpty ? latest : present
    return chosen.first(where: isSame) ?? chosen.last ?? state
  }

  /// Takes the snippet of an item that was imported without a record of its state.
  private func adopt(
    _ id: SnippetID,
    _ snippet: PreparedSnippet,
    _ origin: inout OriginRow
  ) throws -> SettledFile {
    guard let row = try db.snippetRow(id) else {
      throw DatabaseError.damage("snippet \(id) has an identity and is not there")
    }
    origin.snippet = id
    guard try db.contentHash(of: row) != snippet.body.sha256 else {
      try origins.put(origin)
      return SettledFile(.duplicate, id)
    }
    // Nothing tells which of the two was edited.
    return try addBeside(row, snippet, origin)
  }

  /// Makes a new snippet of an item whose own one was edited too.
  private func addBeside(
    _ row: SnippetRow,
    _ snippet: PreparedSnippet,
    _ origin: OriginRow
  ) throws -> SettledFile {
    var other = snippet
    (other.uuid, other.isIdentified) = (UUID(), false)
    return .conflict(kept: row.id, added: try add(other, origin))
  }

  /// Updates the snippet of an item, which may have a title now.
  ///
  /// - Returns: The title, if it was changed on both sides.
  private func update(
    _ row: SnippetRow,
    to snippet: PreparedSnippet,
    titled title: String?,
    _ former: OriginRow,
    isEdited: Bool
  ) throws -> FrontMatterFlaw? {
    let known = TextRules.fittingTitle(former.note?.title)
    var formerTitle = known ?? FileNames.title(of: former.path)
    if row.kind == .text, known == nil {
      // Without a title a text has one that is made of it.
      formerTitle = try madeTitle(of: row)
    }
    var untaken: FrontMatterFlaw?
    if let title, title != known, row.title != formerTitle, row.title != title {
      untaken = FrontMatterFlaw(untaken: "title", title)
    }
    var note = former.note
    let notebooks = note?.notebooks ?? []
    if !makesTagsOfFolders {
      let kept = TagSet(notebooks)
      let tags = note?.tags?.filter { !kept.contains($0) }
      note?.tags = tags
    }
    try describe(
      row,
      by: ReadFile(snippet: snippet, note: nil),
      note,
      formerTitle: formerTitle,
      from: former.path,
      folderTags: makesTagsOfFolders ? notebooks : []
    )
    if isEdited { try writer.replaceContent(of: row.id, with: snippet) }
    let wasPinned = note?.pinned == true
    let isPinned = snippet.isPinned == wasPinned ? row.isPinned : snippet.isPinned
    try db.execute(
      sql: "UPDATE snippet SET pinned = ?, modified_at = ?, revision = revision + 1 WHERE id = ?",
      arguments: [
        isPinned ? 1 : 0, snippet.modifiedAt.clampedToStore.milliseconds, row.id.rawValue,
      ]
    )
    try SnippetDigest.give(to: row.id, in: db)
    return untaken
  }
}
