import Foundation
import GRDB
import SnippetBase
import SnippetRecognition
import SnippetStorage

/// The place of an imported file, in the terms of its origin.
struct FilePlace {
  let folder: ImportedFolder
  /// The path in the folder of the origins.
  let path: String
  let stamp: FileStamp
  /// A moment before the file was read.
  let foundAt: Date

  /// The stamp to record once the file was read.
  var recordedStamp: FileStamp {
    stamp.recorded(asOf: foundAt, onNetwork: folder.isOnNetwork)
  }
}

/// A file that was read.
struct ReadFile {
  var snippet: PreparedSnippet
  /// The metadata of a note in Markdown; `nil` for other files.
  let note: NoteMetadata?
  /// The properties that another file tells; `nil` if none does.
  var description: FileDescription?
  /// Whether the files beside it were looked at for that.
  var isAmongOthers = false
}

/// A text whose file describes another one by now.
struct ReleasedText {
  let id: SnippetID
  /// Whether it went to the trash, because it was that of the file.
  let isTrashed: Bool
}

/// The outcome of a file, in terms of the store.
struct SettledFile {
  let outcome: ImportEvent.Outcome
  /// The snippet of the file; `nil` if it has none.
  let id: SnippetID?
  /// The former path of a file that was moved.
  var formerPath: String?
  /// The snippet that a conflict has left without a file.
  var keptID: SnippetID?
  /// The values that another file tells and that its snippet does not take.
  var unread: [FrontMatterFlaw] = []
  /// The values of its snippet that gave way to those of the file.
  var replaced: [FrontMatterFlaw] = []
  /// The texts that had the file before.
  var released: [ReleasedText] = []
  /// Further things to say of the file.
  var notices: [LeftOut.Reason] = []

  init(_ outcome: ImportEvent.Outcome, _ id: SnippetID?) {
    self.outcome = outcome
    self.id = id
  }

  /// An outcome with the values and the texts of another.
  init(_ outcome: ImportEvent.Outcome, _ id: SnippetID?, _ other: SettledFile) {
    self.init(outcome, id)
    (unread, replaced, released) = (other.unread, other.replaced, other.released)
    notices = other.notices
  }

  /// The outcome of a file whose snippet was changed too.
  static func conflict(kept: SnippetID, added: SnippetID?) -> SettledFile {
    var settled = SettledFile(.conflict, added)
    settled.keptID = kept
    return settled
  }

  /// The snippet that the file describes; `nil` if its properties were not looked at.
  var describedSnippet: SnippetID? {
    outcome == .duplicate || outcome == .unchanged ? nil : id
  }
}

/// Reconciles a file and the store in a transaction, based on their last common state.
///
/// If only one side has changed, the other follows. If both have, the snippet stays as it is and
/// the file becomes a new snippet, so nothing is lost.
struct FileSettlement {
  let writer: SnippetWriter
  let now: Date
  let makesTagsOfFolders: Bool
  var trashedTexts = TrashedTexts()

  var db: Database { writer.db }
  var origins: OriginStatements { OriginStatements(db: db) }

  /// Reconciles a file that was read.
  func settle(_ file: ReadFile, at place: FilePlace) throws -> SettledFile {
    let snippet = file.snippet
    let sha256 = snippet.body.sha256
    let folder = try origins.makeImportedFolder(at: place.folder.path)
    var origin = OriginRow(
      folder: folder,
      path: place.path,
      snippet: SnippetID(rawValue: 0),
      stamp: place.recordedStamp,
      sha256: sha256,
      taggedFolderCount: makesTagsOfFolders ? FileNames.folderCount(of: place.path) : 0
    )
    // The content of a note contains its title, unless another file tells it.
    if snippet.kind != .text || file.description != nil,
      snippet.title != FileNames.title(of: place.path, isText: snippet.kind == .text)
    {
      origin.note = file.note.map { FileNote($0) } ?? FileNote(title: snippet.title)
      origin.note?.title = snippet.title
    }
    keepTold(&origin, file, nil)
    if let identity = file.description?.identity,
      let former = try renamedFile(identity, to: origin, in: place.folder)
    {
      origin.snippet = former.snippet
      var settled = try settle(file, former, renamedTo: origin, in: place.folder)
      noteUntold(file, former, &settled)
      return try taking(file, former.note?.described, origin, settled)
    }
    if let former = try knownFile(folder, place.path) {
      if former.isUnwritten, former.sha256 != sha256 {
        // Another program has written a file of this name.
        try keep(former.snippet, beside: former, in: place.folder, sha256: former.sha256)
        origin.snippet = try add(snippet, origin)
        return SettledFile(.imported, origin.snippet)
      }
      if isOlder(origin, than: former, in: place.folder) {
        return SettledFile(.leftOut, former.snippet)
      }
      origin.snippet = former.snippet
      var settled = try follow(former, to: origin, file, in: place.folder)
      noteUntold(file, former, &settled)
      return try taking(file, former.note?.described, origin, settled)
    }
    if let former = try movedFile(to: origin, in: place.folder) {
      origin.snippet = former.snippet
      var settled = try move(former, to: origin, file, in: place.folder)
      noteUntold(file, former, &settled)
      return try taking(file, former.note?.described, origin, settled)
    }
    let elsewhere = try statesInOtherArchives(of: file, origin, besides: place.folder)
    if let former = elsewhere.last {
      if isOlder(origin, than: former, in: place.folder) {
        return SettledFile(.leftOut, former.snippet)
      }
      // Those archives have an older version now.
      for state in elsewhere { try origins.remove(state.folder, state.path) }
      origin.snippet = former.snippet
      let settled = try follow(former, to: origin, file, in: place.folder)
      return try taking(file, former.note?.described, origin, settled)
    }
    // Either of two equal notes may be edited later; of two equal pictures one is enough.
    let existing =
      try snippet.kind == .text
      ? place.folder.equalTexts.next(
        for: file,
        at: place.path,
        in: (folder, place.folder.path),
        db: db
      )
      : writer.duplicate(of: snippet).map { EqualTexts.Found(id: $0) }
    guard let existing else {
      let name = place.path.fileName
      let id =
        try writer.trashedDuplicate(of: snippet)
        ?? trashedTexts.copy(of: snippet, named: name, inFolder: folder, db)
      if let id {
        origin.snippet = id
        return try settleTrashed(file, origin)
      }
      var settled = SettledFile(.imported, try add(snippet, origin))
      if file.note?.isSideFile == true {
        let reason = "the picture or recording that it is the note of is not beside it (note-of)"
        settled.unread.append(FrontMatterFlaw(reason: reason))
      }
      if let moved = place.folder.movedFacts[place.path], moved.facts == file.description?.facts {
        settled.notices.append(.describedFormer(moved.path))
      }
      return settled
    }
    origin.snippet = existing.id
    if let other = existing.origin {
      (origin.contentSHA256, origin.note) = (other.contentSHA256, other.note)
      keepTold(&origin, file, nil)
    }
    let isNew = try existing.isWithoutFile && adopt(existing.id, file, at: place.path)
    try origins.insert(origin)
    _ = try giveFolderTags(to: existing.id, besidesThoseOf: 0, at: origin.path)
    let settled = SettledFile(isNew ? .updated : .duplicate, existing.id)
    return try taking(file, nil, origin, settled)
  }

  /// Gives a snippet in the trash another file, which brings it back unless the file is in the trash
  /// of another program.
  private func settleTrashed(_ file: ReadFile, _ origin: OriginRow) throws -> SettledFile {
    let stays = file.description?.isTrashed == true
    if !stays { _ = try writer.bringBack(origin.snippet) }
    try origins.insert(origin)
    _ = try giveFolderTags(to: origin.snippet, besidesThoseOf: 0, at: origin.path)
    let settled = SettledFile(stays ? .unchanged : .broughtBack, origin.snippet)
    return try taking(file, nil, origin, settled)
  }

  /// Gives a snippet without a file what its file says; returns whether anything is new.
  ///
  /// A title that a person gave it stays.
  private func adopt(_ id: SnippetID, _ file: ReadFile, at path: String) throws -> Bool {
    guard let row = try db.snippetRow(id) else {
      throw DatabaseError.damage("snippet \(id) equals a file and is not there")
    }
    var file = file
    file.snippet.tags = file.ownTags
    // Without a title a text has one that is made of it.
    let isOfText = try row.title == madeTitle(of: row)
    let former = isOfText ? row.title : FileNames.title(of: path, isText: true)
    let known = TagSet(row.tags)
    let date = file.note?.createdAt?.clampedToStore.milliseconds
    guard
      row.title == former && row.title != file.snippet.title
        || !file.ownTags.allSatisfy(known.contains)
        || file.note?.isPinned == true && !row.isPinned
        || date.map({ $0 != row.createdAt.milliseconds }) ?? false
    else { return false }
    try describe(row, by: file, nil, formerTitle: former, from: path, folderTags: [])
    return true
  }

  /// Keeps what another file tells, or told at the last import if there is none now.
  private func keepTold(_ origin: inout OriginRow, _ file: ReadFile, _ former: FileNote?) {
    let told = file.description == nil ? former?.described : file.description?.facts
    origin.note = .note(origin.note, described: told)
    if file.description == nil, former?.untold == true || isUntold(file, former, at: origin.path) {
      origin.note?.untold = true
    }
  }

  /// Whether no file tells any more what one beside a picture told at the last import.
  private func isUntold(_ file: ReadFile, _ former: FileNote?, at path: String) -> Bool {
    file.isAmongOthers && file.description == nil && former?.isDescribed(beside: path) == true
  }

  private func noteUntold(_ file: ReadFile, _ former: OriginRow, _ settled: inout SettledFile) {
    guard isUntold(file, former.note, at: former.path) else { return }
    settled.notices.append(.describedNoMore)
  }

  /// Returns the last common state of a file, and forgets one that was a side file and is none now.
  private func knownFile(_ folder: Int64, _ path: String) throws -> OriginRow? {
    guard let former = try origins.origin(folder, path) else { return nil }
    guard former.isSideFile else { return former }
    try origins.remove(folder, path)
    return nil
  }

  func add(_ snippet: PreparedSnippet, _ origin: OriginRow) throws -> SnippetID {
    var origin = origin
    origin.snippet = try writer.insert(snippet)
    try origins.put(origin)
    return origin.snippet
  }

  // MARK: - A file that is known

  private func follow(
    _ former: OriginRow,
    to origin: OriginRow,
    _ file: ReadFile,
    in folder: ImportedFolder
  ) throws -> SettledFile {
    let snippet = file.snippet
    let (row, isBack) = try rowOutOfTrash(former.snippet)
    var origin = origin
    keepTold(&origin, file, former.note)
    let isSame = origin.sha256 == former.sha256
    let content = isSame ? nil : try db.contentHash(of: row)
    if isSame || content == origin.sha256 {
      if isSame {
        origin.contentSHA256 = former.contentSHA256
        // A title that another file tells may have changed.
        if snippet.kind == .text || file.description == nil { origin.note = former.note }
      }
      if former.isUnwritten { origin.note = nil }
      keepTold(&origin, file, former.note)
      keepTagged(&origin, former)
      try origins.put(origin)
      let isTagged = try giveFolderTags(
        to: row.id,
        besidesThoseOf: former.taggedFolderCount,
        at: origin.path
      )
      return SettledFile(isBack ? .broughtBack : isTagged ? .updated : .unchanged, row.id)
    }
    guard content == former.contentSHA256 ?? former.sha256 else {
      let added = try add(snippet, origin)
      try keep(row.id, beside: former, in: folder, sha256: content ?? former.sha256)
      return .conflict(kept: row.id, added: added)
    }
    // A picture stays if its former bytes are still in the folder; a text follows either file.
    let isOnly = try !origins.hasOrigin(
      of: row.id,
      in: former.folder,
      besides: former.path
    )
    guard row.kind == snippet.kind, isOnly || row.kind == .text else {
      let id = try add(snippet, origin)
      if isOnly { try writer.moveToTrash(row.id, at: now) }
      return SettledFile(.imported, id)
    }
    let lost = try update(row, to: file, former, origin.stamp)
    keepTagged(&origin, former)
    try origins.put(origin)
    var settled = SettledFile(isBack ? .broughtBack : .updated, row.id)
    (settled.unread, settled.replaced) = (lost.untaken, lost.replaced)
    return settled
  }

  /// Reserves a name beside a file for the version of its snippet, which the next export writes.
  private func keep(
    _ id: SnippetID,
    beside former: OriginRow,
    in folder: ImportedFolder,
    sha256: Data
  ) throws {
    let hasOther = try origins.hasOrigin(of: id, in: former.folder, besides: former.path)
    guard !hasOther else { return }
    try keep(
      id,
      at: ConflictName.path(beside: former.path) { path in
        try origins.origin(former.folder, path) == nil && folder.isMissing(path)
      },
      former,
      sha256: sha256
    )
  }

  private func keep(
    _ id: SnippetID,
    at path: String,
    _ former: OriginRow,
    sha256: Data
  ) throws {
    var origin = former
    origin.path = path
    origin.snippet = id
    origin.stamp = FileStamp(modifiedNanoseconds: 0, byteCount: 0)
    origin.sha256 = sha256
    (origin.contentSHA256, origin.note) = (nil, .ofUnwritten)
    try origins.put(origin)
  }

  /// Keeps the number of folders that are tags, if tagging is off this time.
  private func keepTagged(_ origin: inout OriginRow, _ former: OriginRow) {
    if !makesTagsOfFolders { origin.taggedFolderCount = former.taggedFolderCount }
  }

  /// Tags a snippet with the folders of its file, if that is requested, and returns whether it got
  /// a new tag.
  ///
  /// If a tag was removed since the innermost `count` folders became tags, it stays off.
  private func giveFolderTags(
    to id: SnippetID,
    besidesThoseOf count: Int,
    at path: String
  ) throws -> Bool {
    guard makesTagsOfFolders, let row = try db.snippetRow(id) else { return false }
    let known = TagSet(row.tags)
    let missing = FileNames.folderTags(of: path, besidesInnermost: count)
      .filter { !known.contains($0) }
    guard !missing.isEmpty else { return false }
    for tag in missing { try writer.add(tag, to: id) }
    try SnippetDigest.give(to: id, in: db)
    return true
  }

  /// Returns the row of a snippet, and brings it back from the trash because its file exists.
  func rowOutOfTrash(_ id: SnippetID) throws -> (SnippetRow, isBack: Bool) {
    let isBack = try writer.bringBack(id)
    guard let row = try db.snippetRow(id) else {
      throw DatabaseError.damage("snippet \(id) has a file and is not there")
    }
    return (row, isBack)
  }

  // MARK: - Changes from the file to its snippet

  /// Updates a snippet from its file; changes made in the store stay.
  ///
  /// - Returns: The values that were changed on both sides, and are lost on one.
  private func update(
    _ row: SnippetRow,
    to file: ReadFile,
    _ former: OriginRow,
    _ stamp: FileStamp
  ) throws -> LostValues {
    // Read before the bytes are replaced.
    let language = file.note == nil ? nil : NoteLanguage(ofFile: former.path)
    let isOfBundle = former.note?.described != nil
    let own = former.note?.own
    var known: NoteMetadata?
    if let language {
      known = NoteMetadata(try formerText(of: row), in: language, ofBundle: isOfBundle)
    }
    let note = FileNote.note(own ?? known.map { FileNote($0) }, described: former.note?.described)
    let embedded = try embeddedTexts(of: row, file)
    var lost = try describe(
      row,
      by: file,
      note,
      formerDate: own?.created.map { Date(milliseconds: $0) } ?? known?.createdAt,
      formerKeywords: embedded.tags,
      from: former.path,
      folderTags: folderTags(of: former)
    )
    if former.note?.described?.note == nil {
      try takeEmbeddedNote(file, after: embedded, row, &lost)
    }
    let told = file.description == nil ? nil : file.snippet.modifiedAt
    try writer.replaceContent(of: row.id, with: file.snippet)
    let created = try newDate(file, after: embedded, row, former, &lost)
    try db.execute(
      sql: """
        UPDATE snippet SET created_at = ifnull(?, created_at), modified_at = ?,
          revision = revision + 1
        WHERE id = ?
        """,
      arguments: [
        created?.milliseconds,
        (file.note?.modifiedAt ?? told ?? stamp.modifiedAt).clampedToStore.milliseconds,
        row.id.rawValue,
      ]
    )
    try SnippetDigest.give(to: row.id, in: db)
    return lost
  }

  /// The values that were changed on both sides, and that only one of them has afterwards.
  struct LostValues {
    /// Those of the file.
    var untaken: [FrontMatterFlaw] = []
    /// Those of the snippet.
    var replaced: [FrontMatterFlaw] = []
  }

  /// The properties of a snippet that files may tell, besides its tags and its note.
  struct Properties: Equatable {
    var title: String
    var isPinned: Bool
    var createdAt: Date
    var modifiedAt: Date

    init(_ row: SnippetRow) {
      (title, isPinned) = (row.title, row.isPinned)
      (createdAt, modifiedAt) = (row.createdAt, row.modifiedAt)
    }
  }

  /// Gives a snippet other properties.
  func write(_ properties: Properties, to id: SnippetID) throws {
    try db.cachedStatement(
      sql: """
        UPDATE snippet SET title = ?, pinned = ?, created_at = ?, modified_at = ?,
          revision = revision + 1
        WHERE id = ?
        """
    ).execute(arguments: [
      properties.title, properties.isPinned ? 1 : 0, properties.createdAt.milliseconds,
      properties.modifiedAt.milliseconds, id.rawValue,
    ])
  }

  /// Updates the title, the tags and other properties of a snippet that had the former values of
  /// its file.
  ///
  /// - Returns: The values that were changed on both sides, and are lost on one.
  @discardableResult func describe(
    _ row: SnippetRow,
    by file: ReadFile,
    _ former: FileNote?,
    formerTitle: String? = nil,
    formerDate: Date? = nil,
    formerKeywords: [String] = [],
    from path: String,
    folderTags: [String]
  ) throws -> LostValues {
    let snippet = file.snippet
    // Without the other file, its properties are not gone.
    let told = file.description == nil ? nil : former?.described
    let name = FileNames.title(of: path, isText: row.kind == .text)
    let formerTitle =
      formerTitle ?? TextRules.fittingTitle(former?.title) ?? told?.title ?? name
    var new = Properties(row)
    var lost = LostValues()
    let isUntitled = row.title.isEmpty && row.kind == .text && FileNames.isUntitled(formerTitle)
    // The other file may be renamed later.
    let staysTold =
      row.kind != .text && file.description == nil && row.title != name
      && row.title == former?.described?.title
    if !staysTold, row.title == formerTitle || isUntitled {
      new.title = snippet.title
    } else if let title = TextRules.fittingTitle(file.note?.title), title != formerTitle,
      title != row.title
    {
      lost.untaken.append(FrontMatterFlaw(untaken: "title", title))
    }
    if let note = file.note, note.isPinned != former?.pinned ?? false {
      new.isPinned = note.isPinned
    }
    let formerMoment = formerDate?.clampedToStore.milliseconds
    if let date = file.note?.createdAt?.clampedToStore, date.milliseconds != formerMoment {
      new.createdAt = date
      // One that another file told was no change of a person.
      if file.description == nil,
        let flaw = FrontMatterFlaw(replacing: row.createdAt, by: date, after: formerMoment)
      {
        lost.replaced.append(flaw)
      }
    }
    try write(new, to: row.id)
    let formerTags =
      ((former?.tags ?? []) + (told?.tags ?? [])).compactMap(TextRules.fittingTag)
      + formerKeywords + folderTags
    let (known, present) = (TagSet(formerTags), TagSet(snippet.tags))
    for tag in formerTags where !present.contains(tag) {
      try writer.remove(tag, from: row.id)
    }
    for tag in snippet.tags where !known.contains(tag) {
      try writer.add(tag, to: row.id)
    }
    try SnippetDigest.give(to: row.id, in: db)
    return lost
  }

  /// Returns the tags that a snippet got from the folders of its file.
  private func folderTags(of former: OriginRow) -> [String] {
    guard makesTagsOfFolders else { return [] }
    return FileNames.folderTags(of: former.path, innermost: former.taggedFolderCount)
  }

  /// Returns the beginning of a text, up to the limit for notes.
  func formerText(of row: SnippetRow) throws -> String {
    try db.beginning(
      ofTextOf: row.id,
      in: row.blobID,
      upTo: Int64(NoteMetadata.maximumByteCount)
    )
  }

  /// Returns the title that is made of a text: the one it has, if the text makes that or it has none.
  func madeTitle(of row: SnippetRow) throws -> String {
    if row.title.isEmpty { return "" }
    let words = TextPreview(of: try formerText(of: row))
    return words.makes(row.title) ? row.title : words.title
  }

  // MARK: - A file that was moved

  /// Returns the former file with the same bytes, if it is gone or another file has its name.
  private func movedFile(to origin: OriginRow, in folder: ImportedFolder) throws -> OriginRow? {
    let find = { (path: String) -> OriginRow? in
      guard let former = try origins.origin(origin.folder, path),
        former.sha256 == origin.sha256, try folder.isGone(former, writer.check)
      else { return nil }
      return former
    }
    var key = FormerFiles.Key(sha256: origin.sha256)
    if let former = try folder.formerFiles.next(key, find) { return former }
    key.modifiedNanoseconds = origin.stamp.roughNanoseconds
    return try folder.formerFiles.next(key, find)
  }

  private func move(
    _ former: OriginRow,
    to origin: OriginRow,
    _ file: ReadFile,
    in folder: ImportedFolder
  ) throws -> SettledFile {
    var origin = origin
    (origin.contentSHA256, origin.note) = (former.contentSHA256, former.note)
    keepTold(&origin, file, former.note)
    if !makesTagsOfFolders {
      let kept = FileNames.innermostFolderCount(of: former.path, and: origin.path)
      origin.taggedFolderCount = min(former.taggedFolderCount, kept)
    }
    try origins.move(former, to: origin.path)
    try origins.put(origin)
    try moveSideFile(of: former, to: origin.path, in: folder)
    if file.description == nil, let facts = former.note?.described {
      folder.remember(facts, of: former.path, movedTo: origin.path)
    }
    let (row, isBack) = try rowOutOfTrash(former.snippet)
    // The file is unchanged except for its name and its folders.
    try describe(
      row,
      by: file,
      .note(file.note.map { FileNote($0) } ?? former.note, described: former.note?.described),
      formerDate: file.note?.createdAt,
      formerKeywords: file.snippet.tags.isEmpty ? [] : embeddedTexts(of: row, file).tags,
      from: former.path,
      folderTags: folderTags(of: former)
    )
    try takeDate(inNameOf: file, row, former, origin)
    var settled = SettledFile(isBack ? .broughtBack : .moved, row.id)
    if !isBack { settled.formerPath = former.path }
    return settled
  }

  /// Gives the snippet of a renamed file the date in its new name, if it has that in the former one.
  private func takeDate(
    inNameOf file: ReadFile,
    _ row: SnippetRow,
    _ former: OriginRow,
    _ origin: OriginRow
  ) throws {
    let date = { (file: OriginRow) -> Date? in
      let name = file.path.fileName.withoutFileExtension
      return FileNameDate(name, isText: row.kind == .text, now: now)?
        .date(refinedBy: file.stamp.modifiedAt)
    }
    guard let known = date(former),
      abs(known.timeIntervalSince(row.createdAt)) < FileStamp.finestGrain,
      date(origin) != nil, let present = try db.snippetRow(row.id)
    else { return }
    var new = Properties(present)
    // What is better evidence than the name has not changed.
    new.createdAt = file.snippet.createdAt.clampedToStore
    guard new != Properties(present) else { return }
    try write(new, to: row.id)
    try SnippetDigest.give(to: row.id, in: db)
  }

  /// Reconciles a file that was recognized by its identity, and may have changed as well.
  private func settle(
    _ file: ReadFile,
    _ former: OriginRow,
    renamedTo origin: OriginRow,
    in folder: ImportedFolder
  ) throws -> SettledFile {
    if former.sha256 == origin.sha256 {
      var settled = try move(former, to: origin, file, in: folder)
      settled.formerPath = settled.formerPath.map(folder.identities.path(before:))
      return settled
    }
    try origins.move(former, to: origin.path)
    try moveSideFile(of: former, to: origin.path, in: folder)
    var moved = former
    moved.path = origin.path
    return try follow(moved, to: origin, file, in: folder)
  }
}

// MARK: - Files that are gone

extension FileSettlement {
  /// Moves a snippet to the trash because its file, relative to the folder of the origins, is gone.
  ///
  /// It keeps its origin: if one of the two comes back, so does the other. The outcome is `nil` if
  /// the snippet was already in the trash, or has another file, in the folder or in another one that
  /// was imported, as after a file was moved there.
  func settleMissing(_ path: String, of folder: ImportedFolder) throws -> SettledFile? {
    guard let id = try origins.folder(at: folder.path), let origin = try origins.origin(id, path),
      let row = try db.snippetRow(origin.snippet), row.deletedAt == nil
    else { return nil }
    let hasOther = try folder.hasFile(row.id, besides: path) { last in
      try origins.paths(of: row.id, in: id, after: last, limit: 64)
    }
    if try hasOther || origins.hasFile(of: row.id, outside: id) {
      try origins.remove(id, path)
      return nil
    }
    let content = try db.contentHash(of: row)
    guard content == origin.contentSHA256 ?? origin.sha256 else {
      // An edit counts more than a deletion, so the next export writes the file again.
      try keep(row.id, at: path, origin, sha256: content ?? origin.sha256)
      return .conflict(kept: row.id, added: nil)
    }
    try writer.moveToTrash(row.id, at: now)
    try origins.recordGone(origin)
    return SettledFile(.trashed, row.id)
  }

  /// Takes a file, with some origins, away from the texts that were made of it, since it describes
  /// others.
  ///
  /// A text goes to the trash if it is that of the file, or stays without a file.
  ///
  /// - Returns: The texts, without those that have other files.
  func release(_ found: [OriginRow]) throws -> [ReleasedText] {
    for origin in found { try origins.remove(origin.folder, origin.path) }
    var known: Set<SnippetID> = []
    return try found.compactMap { origin in
      guard known.insert(origin.snippet).inserted, let row = try db.snippetRow(origin.snippet),
        row.kind == .text, row.deletedAt == nil, try origins.origins(of: row.id).isEmpty
      else { return nil }
      let isOfFile = try db.contentHash(of: row) == origin.contentSHA256 ?? origin.sha256
      if isOfFile { _ = try writer.moveToTrash(row.id, at: now) }
      return ReleasedText(id: row.id, isTrashed: isOfFile)
    }
  }
}

extension Date {
  /// The nearest date that a store accepts.
  var clampedToStore: Date {
    min(
      max(self, Date(timeIntervalSince1970: -62_135_596_800)),
      Date(timeIntervalSince1970: 253_402_300_799)
    )
  }
}
