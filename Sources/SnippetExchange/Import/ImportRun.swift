import Foundation
import GRDB
import SnippetBase
import SnippetRecognition
import SnippetStorage
import SystemPackage

/// Turns files into drafts, and the outcomes of the drafts into outcomes of the files.
final class ImportRun {
  private let store: SnippetStore
  private let access: ImportAccess
  private let roots: ImportRoots
  private let options: ImportOptions
  private let tags: [String]
  private let check: () throws -> Void
  private let onEvent: (ImportEvent) -> Void
  /// The folders in which files were found so far, by the index of the given path.
  private var folders: [Int: ImportedFolder] = [:]
  /// The order in which files are looked at again.
  private let order: FileOrder
  private let trashedTexts = TrashedTexts()
  private var leftOutCounts = LeftOutCounts()
  private(set) var report = ImportReport()

  private static let operation = "import files"
  /// The number of files to look at in one transaction.
  private static let batchCount = 256

  init(
    _ roots: ImportRoots,
    _ options: ImportOptions,
    tags: [String],
    store: SnippetStore,
    rehearsal: Database? = nil,
    check: @escaping () throws -> Void,
    onEvent: @escaping (ImportEvent) -> Void
  ) {
    self.store = store
    let access = ImportAccess(seam: store.seam, rehearsal: rehearsal)
    self.access = access
    order = FileOrder(access, options, tags: tags, check: check)
    self.roots = roots
    self.options = options
    self.tags = tags
    self.check = check
    self.onEvent = onEvent
  }

  // MARK: - Before a file is read

  /// Makes the drafts of files, one after the other and on demand.
  func drafts(of walk: FileWalk) -> AnyIterator<(tag: File, draft: SnippetDraft)> {
    var walk = walk
    return AnyIterator { [self] in
      while let entry = walk.next() {
        if let draft = draft(for: entry) { return draft }
      }
      while let late = order.nextLate() {
        if let draft = draft(of: late) { return draft }
      }
      return nil
    }
  }

  private func draft(of late: FileOrder.Late) -> (tag: File, draft: SnippetDraft)? {
    switch late {
    case .file(let file, let place):
      return draft(of: file, URL(fileURLWithPath: file.path, isDirectory: false), place)
    case .item(let item, let place, let folder):
      return draft(for: item, place, folder)
    }
  }

  /// Makes the draft of a file; reports a file that cannot become one, and skips one that need not
  /// or comes later.
  private func draft(for entry: FileWalk.Entry) -> (tag: File, draft: SnippetDraft)? {
    switch entry {
    case .file(let file):
      let url = URL(fileURLWithPath: file.path, isDirectory: false)
      do {
        return try draft(for: file, url)
      } catch {
        fail(url, SnippetStoreError(error, during: Self.operation))
        return nil
      }
    case .exported(let file):
      guard var draft = SnippetDraft(file) else {
        let error = SnippetStoreError(
          .unreadable,
          "import \(file.path)",
          because: "its entry in manifest.jsonl is not valid",
          do: "Export it again."
        )
        return self.draft(for: .failure(path: file.path, error))
      }
      draft.tags += tags
      let url = URL(fileURLWithPath: file.path, isDirectory: false)
      return (File(url: url, byteCount: file.byteCount, isExported: true), draft)
    case .item(let item, let folder):
      do {
        let found = FileWalk.File(path: item.path, stamp: item.stamp, folder: folder)
        let place = try place(of: found)
        if case .last = try order.turn(of: item, at: place, folder: folder) { return nil }
        return draft(for: item, place, folder)
      } catch {
        let url = URL(fileURLWithPath: item.path, isDirectory: false)
        fail(url, SnippetStoreError(error, during: Self.operation))
        return nil
      }
    case .describing(let file, let isUsed):
      let url = URL(fileURLWithPath: file.path, isDirectory: false)
      do {
        try release(file, isUsed: isUsed, url)
      } catch {
        fail(url, SnippetStoreError(error, during: Self.operation))
      }
      return nil
    case .leftOut(let thing):
      tell(thing)
      return nil
    case .failure(let path, let error):
      fail(URL(fileURLWithPath: path), SnippetStoreError(error, during: "import a file"))
      return nil
    }
  }

  /// Makes the draft of an item; reports one that cannot be read.
  private func draft(
    for item: any ImportItem,
    _ place: FilePlace?,
    _ folder: Int?
  ) -> (tag: File, draft: SnippetDraft)? {
    let url = URL(fileURLWithPath: item.path, isDirectory: false)
    do {
      return draft(for: item, try item.read(), url, place, folder)
    } catch {
      fail(url, SnippetStoreError(error, during: Self.operation))
      return nil
    }
  }

  private func draft(
    for item: any ImportItem,
    _ reading: ItemReading,
    _ url: URL,
    _ place: FilePlace?,
    _ folder: Int?
  ) -> (tag: File, draft: SnippetDraft) {
    var draft = reading.draft
    leftOutCounts.count(reading.unreadNames, of: item.path, in: folder, of: roots)
    let notebooks = options.makesTagsOfFolders ? item.notebooks : []
    if let folder, !options.makesTagsOfFolders {
      leftOutCounts.count(notebooks: item.notebooks, in: folder)
    }
    let notebookTags = notebooks.compactMap(TextRules.fittingTag)
    let state = ItemState(
      sha256: reading.sha256,
      note: FileNote(item, reading, notebooks: notebookTags),
      unread: reading.unread + FrontMatterFlaw.flaws(ofFolders: notebooks),
      isTrashed: reading.isTrashed
    )
    draft.tags = tags + item.tags + notebookTags
    let file = File(
      url: url,
      byteCount: item.stamp.byteCount,
      isExported: true,
      item: state,
      place: place,
      single: place == nil && folder == nil ? SingleFile(item.path, item.stamp) : nil,
      isTrashed: reading.isTrashed
    )
    return (file, draft)
  }

  private func draft(
    for file: FileWalk.File,
    _ url: URL
  ) throws -> (tag: File, draft: SnippetDraft)? {
    let place = try place(of: file)
    if let place {
      switch try order.turn(of: file, at: place) {
      case .now: break
      case .last: return nil
      case .never(let id):
        tell(ImportEvent(.unchanged, url, id, byteCount: file.byteCount))
        return nil
      }
    }
    return draft(of: file, url, place)
  }

  private func draft(
    of file: FileWalk.File,
    _ url: URL,
    _ place: FilePlace?
  ) -> (tag: File, draft: SnippetDraft) {
    var draft = SnippetDraft(.file(at: url), tags: tags)
    var imported = File(
      url: url,
      byteCount: file.byteCount,
      place: place,
      single: place == nil && file.folder == nil ? SingleFile(file.path, file.stamp) : nil,
      description: file.description,
      isAmongOthers: file.isAmongOthers(at: place),
      isTrashed: file.description?.isTrashed ?? false
    )
    if let place, options.makesTagsOfFolders {
      draft.tags += FileNames.folderTags(of: place.path)
      imported.unread = FrontMatterFlaw.flaws(ofFolders: FileNames.folderNames(of: place.path))
    }
    if let description = file.description {
      description.complete(&draft)
      leftOutCounts.count(description.unreadNames, of: file.path, in: file.folder, of: roots)
    }
    let name = url.path.fileName
    draft.hints.isTextWhenEmpty = FileNames.isText(name)
    if let language = NoteLanguage(ofFile: name) {
      // Of texts, only that of a bundle has a description.
      let isOfBundle = file.description != nil
      let path = place?.path ?? file.path
      let title = FileNames.title(of: path, isText: true)
      draft.hints.complete = { [note = imported.note] reading, draft in
        try note.complete(reading, &draft, in: language, ofBundle: isOfBundle)
        if draft.title == nil, TextRules.isPage(path) { draft.title = title }
        guard draft.title == nil, FileNames.isUntitled(title),
          let text = try reading.text(ofByteCount: NoteMetadata.maximumByteCount)
        else { return }
        // Below its front matter such a note has nothing.
        if SideFile.note(in: text).isEmpty { draft.title = "" }
      }
    }
    return (imported, draft)
  }

  /// Takes a file that describes others away from the text that was made of it, as when it was
  /// damaged, or given by itself.
  private func release(_ file: FileWalk.File, isUsed: Bool, _ url: URL) throws {
    let place = try place(of: file)
    let isMember = file.folder.map { roots.all[$0].archive != nil } ?? false
    let isKnown = place.map { $0.folder.isKnown || file.folder == nil } ?? false
    // Alone, one that describes nothing is a text.
    let single = isUsed && !isMember ? SingleFile(file.path, file.stamp) : nil
    let found = { (db: Database) -> [OriginRow] in
      let origins = OriginStatements(db: db)
      var all: [OriginRow?] = [try single?.known(in: db)]
      if isKnown, let place, let folder = try origins.folder(at: place.folder.path) {
        all.append(try origins.origin(folder, place.path))
      }
      return try all.compactMap(\.self).filter { origin in
        guard !origin.isItem, !origin.isSideFile, !origin.isUnwritten else { return false }
        return try db.snippetRow(origin.snippet)?.kind == .text
      }
    }
    guard try access.read({ db in try !found(db).isEmpty }) else { return }
    let released = try access.writeLendingReserve { db in
      let settlement = FileSettlement(
        writer: SnippetWriter(db: db),
        now: store.configuration.now(),
        makesTagsOfFolders: false
      )
      return try settlement.release(found(db))
    }
    for text in released { tell(text, of: url) }
  }

  /// Returns the place of a file's origin.
  ///
  /// A file that was given itself has one only if its folder was imported before.
  private func place(of file: FileWalk.File) throws -> FilePlace? {
    guard let given = file.folder else { return try placeOfGiven(file) }
    let folder = try folders[given] ?? findFolder(given)
    folder.foundCount += 1
    return self.place(of: file, in: folder)
  }

  /// Finds the folder of a given path, and reports where it was if it was moved.
  private func findFolder(_ given: Int) throws -> ImportedFolder {
    let root = roots.all[given]
    let folder = try ImportedFolder(root, access: access, check: check)
    folders[given] = folder
    if let moved = folder.moved {
      let former = URL(fileURLWithPath: moved.path, isDirectory: true)
      tell(ImportEvent(.movedFolder, root.url, from: former, fileCount: moved.fileCount))
    }
    return folder
  }

  private func placeOfGiven(_ file: FileWalk.File) throws -> FilePlace? {
    let isAnyKnown = try access.read { db in
      try db.number("SELECT EXISTS (SELECT 1 FROM origin_folder)") == 1
    }
    guard isAnyKnown else { return nil }
    let folder = try ImportedFolder(ofSingleFile: file.path, access: access)
    let place = place(of: file, in: folder)
    let isKnown = try access.read { db in
      let origins = OriginStatements(db: db)
      guard let id = try origins.folder(at: folder.path) else { return false }
      return try origins.origin(id, place.path) != nil
    }
    return isKnown ? place : nil
  }

  private func place(of file: FileWalk.File, in folder: ImportedFolder) -> FilePlace {
    FilePlace(
      folder: folder,
      path: folder.path(of: file),
      stamp: file.stamp,
      foundAt: store.configuration.now()
    )
  }

  // MARK: - In the transaction that saves it

  /// Saves the content of a file.
  func save(
    _ file: File,
    _ snippet: PreparedSnippet,
    _ writer: SnippetWriter
  ) throws -> Saved {
    do {
      let own = file.item?.unread ?? file.note.value?.unread ?? []
      let described = file.description?.unread ?? []
      let settled = try settle(file, snippet, writer)
      let all =
        own + described + file.unread
        + FrontMatterFlaw.flaws(ofKeywords: snippet.unfittingKeywords)
        + FrontMatterFlaw.flaws(ofTexts: snippet.unreadTexts)
      // What is in equal bytes was told before; what another file tells of them is new.
      let isEqual = settled.outcome == .duplicate
      return Saved(
        settled: settled,
        flaw: file.note.value?.frontMatterFlaw,
        unread: isEqual ? described : all
      )
    } catch {
      // The batch, or this part of it, is rolled back.
      for folder in folders.values {
        folder.formerFiles.putBack()
        folder.equalTexts.startAgain()
      }
      throw error
    }
  }

  private func settle(
    _ file: File,
    _ snippet: PreparedSnippet,
    _ writer: SnippetWriter
  ) throws -> SettledFile {
    let settled = try tag(settleInList(file, snippet, writer), of: file, writer)
    if settled.outcome == .leftOut {
      // The row of its folder may be new.
      let folder = file.place?.folder.path ?? FileNames.singleFiles
      try OriginStatements(db: writer.db).removeFolderIfEmpty(at: folder)
    }
    guard file.isTrashed, let id = settled.id else { return settled }
    // One that was in the list before stays there.
    guard settled.outcome == .imported || settled.outcome == .broughtBack else { return settled }
    _ = try writer.moveToTrash(id, at: store.configuration.now())
    return settled.outcome == .imported ? settled : SettledFile(.unchanged, id, settled)
  }

  /// Gives the snippet of a file the tags that all are to get, as far as it does not have them.
  private func tag(
    _ settled: SettledFile,
    of file: File,
    _ writer: SnippetWriter
  ) throws -> SettledFile {
    guard !tags.isEmpty, let id = settled.id, let row = try writer.db.snippetRow(id) else {
      return settled
    }
    let missing = row.lacking(tags)
    guard !missing.isEmpty else { return settled }
    for tag in missing { try writer.add(tag, to: id) }
    try SnippetDigest.give(to: id, in: writer.db)
    // One in the trash is still to be brought back.
    let comesBack = settled.outcome == .duplicate && row.deletedAt != nil
    guard [.unchanged, .duplicate].contains(settled.outcome), !comesBack else { return settled }
    return SettledFile(.updated, id, settled)
  }

  private func settleInList(
    _ file: File,
    _ snippet: PreparedSnippet,
    _ writer: SnippetWriter
  ) throws -> SettledFile {
    let settlement = FileSettlement(
      writer: writer,
      now: store.configuration.now(),
      makesTagsOfFolders: options.makesTagsOfFolders,
      trashedTexts: trashedTexts
    )
    let read = ReadFile(
      snippet: snippet,
      note: file.note.value,
      description: file.description,
      isAmongOthers: file.isAmongOthers
    )
    guard let place = file.place else {
      guard let single = file.single else { return try settleAlone(file, snippet, writer) }
      if let item = file.item { return try settlement.settle(item, snippet, alone: single) }
      return try settlement.taking(read, alone: single, settleAlone(file, snippet, writer))
    }
    if let item = file.item {
      return try settlement.settle(item, snippet, at: place)
    }
    if let settled = try settlement.settleSideFile(read, at: place) { return settled }
    return try settlement.settle(read, at: place)
  }

  private func settleAlone(
    _ file: File,
    _ snippet: PreparedSnippet,
    _ writer: SnippetWriter
  ) throws -> SettledFile {
    if let existing = try writer.duplicate(of: snippet) { return SettledFile(.duplicate, existing) }
    let name = file.url.path.fileName
    let trashed =
      try writer.trashedDuplicate(of: snippet)
      ?? trashedTexts.copy(of: snippet, named: name, inFolder: nil, writer.db)
    if let trashed, try writer.bringBack(trashed) {
      return SettledFile(.broughtBack, trashed)
    }
    return SettledFile(.imported, try writer.insert(snippet))
  }

  // MARK: - Once it is durable

  /// Reports the outcome of a file.
  func take(_ file: File, _ result: Result<Saved, SnippetStoreError>) {
    file.place?.folder.formerFiles.settle()
    switch result {
    case .success(let saved) where saved.settled.outcome == .leftOut:
      tell(LeftOut(file.url.path, .olderState), ofSize: file.byteCount)
    case .success(let saved):
      tell(saved.settled, of: file)
      for text in saved.settled.released { tell(text, of: file.url) }
      for notice in saved.settled.notices { tell(LeftOut(file.url.path, notice)) }
      if !saved.settled.unread.isEmpty, let id = saved.settled.id {
        let error = SnippetStoreError(untaken: saved.settled.unread, of: file.url)
        tell(ImportEvent(.unreadValue, file.url, id, because: error))
      }
      if !saved.settled.replaced.isEmpty, let id = saved.settled.id {
        let error = SnippetStoreError(replaced: saved.settled.replaced, by: file.url)
        tell(ImportEvent(.replacedValue, file.url, id, because: error))
      }
      if let flaw = saved.flaw, let id = saved.settled.describedSnippet {
        let error = SnippetStoreError(flaw, of: file.url)
        tell(ImportEvent(.unreadFrontMatter, file.url, id, because: error))
      }
      let isEqual = saved.settled.outcome == .duplicate && file.place != nil
      if !saved.unread.isEmpty, isEqual || saved.settled.describedSnippet != nil,
        let id = saved.settled.id
      {
        let error = SnippetStoreError(unread: saved.unread, of: file.url)
        tell(ImportEvent(.unreadValue, file.url, id, because: error))
      }
    case .failure(let cause):
      let error = cause.naming(file.url)
      guard error.code == .unsupportedContent else { return fail(file.url, error) }
      tellUnsupported(file, error)
    }
  }

  /// Reports a file that no snippet can be made of, with what brings in its content.
  private func tellUnsupported(_ file: File, _ error: SnippetStoreError) {
    let reason: SnippetStoreError
    switch file.other() {
    case .archiveInArchive?:
      return tell(LeftOut(file.url.path, .archiveInArchive), ofSize: file.byteCount)
    case .archive?: reason = SnippetStoreError(archiveInFolder: file.url)
    case .store?: reason = SnippetStoreError(store: file.url)
    case nil: reason = error
    }
    tell(ImportEvent(.unsupported, file.url, because: reason))
  }

  private func tell(_ settled: SettledFile, of file: File) {
    var outcome = settled.outcome
    if outcome == .duplicate, file.isExported, !file.isTrashed, let id = settled.id {
      do {
        // A snippet found by its identity may be in the trash, where it would be invisible.
        if try bringBack(id) { outcome = .broughtBack }
      } catch {
        return fail(file.url, SnippetStoreError(error, during: Self.operation))
      }
    }
    tell(
      ImportEvent(
        outcome,
        file.url,
        settled.id,
        byteCount: file.byteCount,
        from: settled.formerPath.map { file.place?.folder.url(of: $0) ?? file.url },
        kept: settled.keptID,
        isKeptWritten: isKeptWritten(file)
      )
    )
  }

  /// Whether an export writes the snippet that a conflict has left without this file.
  private func isKeptWritten(_ file: File) -> Bool {
    guard file.item == nil, let place = file.place else { return false }
    return !FileNames.isArchive(place.folder.path)
  }

  /// Brings a snippet back from the trash; returns whether it was there.
  private func bringBack(_ id: SnippetID) throws -> Bool {
    guard try access.read({ try $0.snippetRow(id)?.deletedAt }) != nil else { return false }
    return try access.writeLendingReserve { try SnippetWriter(db: $0).bringBack(id) }
  }

  // MARK: - At the end

  /// Settles what can be known only after all files, and reports it.
  func finish() throws {
    try settleMissing()
    for thing in leftOutCounts.leftOut(of: roots) { tell(thing) }
  }

  // MARK: - Files that are gone

  /// Finds missing files of the folders, and moves their snippets to the trash if that was
  /// requested.
  private func settleMissing() throws {
    try order.recordRenewed()
    try findEmptyFolders()
    for (given, folder) in folders.sorted(by: { $0.key < $1.key })
    where folder.isKnown && roots.all[given].isComplete {
      let url = roots.all[given].url
      if folder.foundCount == 0, options.movesMissingToTrash {
        fail(url, SnippetStoreError(noFileIn: url))
        continue
      }
      var missing: [String] = []
      try folder.forEachOrigin(check) { origin in
        // A note stays when its side file goes, and the next export writes that again. So it does
        // with the file of a snippet that came back from the trash.
        guard !origin.isUnwritten, !origin.isGone, !origin.isSideFile,
          folder.isMissing(origin.path)
        else { return }
        missing.append(origin.path)
        if missing.count == Self.batchCount {
          try settle(missing, of: folder, url)
          missing = []
        }
      }
      try settle(missing, of: folder, url)
    }
  }

  /// Adds folders in which nothing was found.
  private func findEmptyFolders() throws {
    for (given, root) in roots.all.enumerated() where folders[given] == nil {
      guard Self.isPlainFolder(root.path) else { continue }
      _ = try findFolder(given)
    }
  }

  /// Whether a path is a folder of files; an export has no origins.
  private static func isPlainFolder(_ path: String) -> Bool {
    guard (try? Stat(path))?.type == .directory else { return false }
    do {
      return try ExportedFiles(in: path) == nil
    } catch {
      // Already reported.
      return false
    }
  }

  private func settle(_ missing: [String], of folder: ImportedFolder, _ url: URL) throws {
    guard !missing.isEmpty else { return }
    guard options.movesMissingToTrash else {
      report.missingCount += try access.read { db in
        try missing.count { try Self.isInList($0, of: folder, db) }
      }
      return
    }
    let settled = try access.writeLendingReserve { db in
      let settlement = FileSettlement(
        writer: SnippetWriter(db: db),
        now: store.configuration.now(),
        makesTagsOfFolders: false
      )
      return try missing.compactMap { path in
        try settlement.settleMissing(path, of: folder).map { (path, $0) }
      }
    }
    for (path, file) in settled {
      // A conflict has a size, and the file of this one is gone.
      let byteCount: Int64? = file.outcome == .conflict ? 0 : nil
      let url = folder.url(of: folder.identities.path(before: path))
      tell(
        ImportEvent(
          file.outcome,
          url,
          file.id,
          byteCount: byteCount,
          kept: file.keptID,
          isKeptWritten: !FileNames.isArchive(folder.path)
        )
      )
    }
  }

  private static func isInList(
    _ path: String,
    of folder: ImportedFolder,
    _ db: Database
  ) throws -> Bool {
    let origins = OriginStatements(db: db)
    guard let id = try origins.folder(at: folder.path),
      let origin = try origins.origin(id, path),
      let row = try db.snippetRow(origin.snippet)
    else { return false }
    return row.deletedAt == nil
  }

  // MARK: - Telling

  /// Reports a thing that was left out; a size is that of a file which was read before.
  private func tell(_ thing: LeftOut, ofSize byteCount: Int64? = nil) {
    let error = SnippetStoreError(
      thing.reason.outcome == .failed ? .unreadable : .unsupportedContent,
      "import \(thing.path)",
      because: thing.reason.description,
      do: thing.reason.advice
    )
    let url = URL(fileURLWithPath: thing.path)
    tell(ImportEvent(thing.reason.outcome, url, byteCount: byteCount, because: error))
  }

  /// Reports a text that has given up its file.
  private func tell(_ text: ReleasedText, of file: URL) {
    let reason = LeftOut.Reason.describesOther(isTrashed: text.isTrashed)
    let error = SnippetStoreError(
      .unsupportedContent,
      "import \(file.path)",
      because: reason.description,
      do: reason.advice
    )
    tell(ImportEvent(.leftOut, file, text.id, because: error))
  }

  private func fail(_ file: URL, _ error: SnippetStoreError) {
    tell(ImportEvent(.failed, file, because: error))
  }

  private func tell(_ event: ImportEvent) {
    let event = roots.shown(event)
    report.add(event)
    onEvent(event)
  }
}
