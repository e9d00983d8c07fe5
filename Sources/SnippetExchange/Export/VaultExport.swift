import Foundation
import GRDB
import SnippetBase
import SnippetRecognition
import SnippetStorage
import SystemPackage

/// Updates a folder of notes and pictures from snippets, one after the other.
struct VaultExport {
  var job: ExportJob
  private var pages: ExportPages
  let folder: VaultFolder
  let paths: VaultPaths
  let filter: SnippetFilter
  let disposal: FileDisposal
  let writesMissing: Bool
  let isDryRun: Bool
  let now: () -> Date

  init(
    _ filter: SnippetFilter,
    _ options: MarkdownExportOptions,
    _ job: ExportJob,
    now: @escaping () -> Date
  ) throws {
    self.filter = filter
    disposal = FileDisposal(place: options.trashedFiles)
    writesMissing = options.writesMissing
    isDryRun = options.isDryRun
    // Refuse a read-only store before anything is written.
    if !isDryRun { try job.seam.requireWritable(for: job.operation) }
    let home = try job.seam.read(to: job.operation) { db in
      try VaultHome(of: job.folder.path, in: db)
    }
    // A path with `..` behind a link may have led elsewhere when it was held against the stores.
    try StoreSeam.requireNoStore(at: home.path, during: job.operation)
    if home.id == 0 { try Self.requireNoMovedFolder(at: home, job) }
    try disposal.requirePlace(outside: home.path, during: job.operation)
    if !writesMissing { try Self.requireSomeFile(in: home, job) }
    let folder = try isDryRun ? VaultFolder(lookingAt: home.path) : VaultFolder(path: home.path)
    guard try !folder.hasManifest() else {
      throw SnippetStoreError(
        .alreadyExists,
        job.operation,
        because: "it holds an export with a manifest, and an import reads nothing there but that",
        keeping: "Nothing was changed.",
        do: "Give another folder."
      )
    }
    guard try !folder.hasItems() else {
      throw SnippetStoreError(
        .alreadyExists,
        job.operation,
        because: "it holds what Joplin has exported, and Joplin would not read notes there",
        keeping: "Nothing was changed.",
        do: "Give another folder, and import that into Joplin as Markdown."
      )
    }
    self.job = job
    self.now = now
    pages = ExportPages(of: .filtered(filter), job)
    self.folder = folder
    paths = try job.seam.read(to: job.operation) { db in
      try VaultPaths(home: home, options.scope, in: db)
    }
  }

  /// Exports everything; files written before a failure are recorded too.
  mutating func run() throws -> ExportReport {
    while let rows = try pages.next() { try export(rows) }
    if disposal.place != .stay {
      try moveTrashedFiles()
      // Nothing else is known of them, so no filter can choose.
      if filter == .all { try moveDeletedFiles() }
    }
    if !isDryRun {
      try recordGoneFiles()
      try folder.synchronize()
    }
    return job.report
  }

  /// Exports a page, whose files are synchronized and recorded together.
  private mutating func export(_ rows: [SnippetRow]) throws {
    var written: [OriginRow] = []
    do {
      for row in rows {
        try job.check()
        try export(row, &written)
      }
    } catch {
      try? writeDown(written)
      throw error
    }
    try writeDown(written)
    if !isDryRun { paths.forgetRecorded() }
  }

  private func writeDown(_ written: [OriginRow]) throws {
    guard !written.isEmpty, !isDryRun else { return }
    // Otherwise, after a power cut, an empty file would look like one that a person has emptied.
    try folder.synchronize()
    let path = folder.path
    let home = paths.home.id
    paths.home.id = try job.seam.write(to: job.operation) { db in
      let origins = OriginStatements(db: db)
      let isNew = written.contains { $0.folder == 0 }
      let folder = try isNew ? origins.makeFolder(at: path) : home
      for origin in written where try db.snippetRow(origin.snippet) != nil {
        var origin = origin
        if origin.folder == 0 { origin.folder = folder }
        try origins.put(origin)
      }
      return folder
    }
  }

  private mutating func export(_ row: SnippetRow, _ written: inout [OriginRow]) throws {
    do {
      guard let found = try paths(of: row, isAhead: false) else { return job.leaveOut() }
      var told: ToldProperties?
      for (path, known, source) in found {
        do {
          if let known, try isMissing(known, at: path) {
            tellMissing(row.id, path)
            continue
          }
          let origin = try bringPortably(row, to: path, known, source)
          if let origin { written.append(origin) }
          // Beside the file of something else a note would belong to that.
          guard row.kind != .text, known != nil || origin != nil || isDryRun else { continue }
          let place = known == nil ? origin?.path ?? path : path
          // By now the file has its name and its date.
          let file: VaultPaths.File = (place, known, origin ?? source)
          let side = try bringSideFile(
            of: row,
            at: place,
            known,
            &told,
            among: [file] + found.filter { !$0.path.hasBytes(of: path) }
          )
          if let side { written.append(side) }
          if let told, path.hasBytes(of: found[0].path), row.modifiedAt != row.createdAt {
            let url = URL(fileURLWithPath: folder.path).appendingPathComponent(place)
            tell(told.keptTags(of: row), row.id, url)
          }
        } catch let error as FileError where error.concernsOneFile {
          // The snippet's other files may still be writable.
          try fail(row.id, error)
        }
      }
    } catch let error as FileError where error.concernsOneFile {
      try fail(row.id, error)
    } catch let error as SnippetStoreError {
      try job.fail(row.id, error)
    }
  }

  /// Returns the paths for the files of a snippet; `nil` if it gets none.
  private func paths(of row: SnippetRow, isAhead: Bool) throws -> [VaultPaths.File]? {
    let isUnicode = try job.seam.content(of: row.id).encoding == .utf8
    let (folder, paths) = (folder, paths)
    return try job.seam.read(to: job.operation) { db in
      try paths.paths(
        of: row,
        isAhead: isAhead,
        isUnicode: isUnicode,
        isFree: { path in
          if case .nothing = try folder.place(at: path) { return true }
          return false
        },
        in: db
      )
    }
  }

  /// Returns the path of the file of a snippet with an identity; `nil` if it gets none.
  private func target(_ uuid: UUID) throws -> String? {
    let filter = filter
    let row = try job.seam.read(to: job.operation) { db -> SnippetRow? in
      let uuid = withUnsafeBytes(of: uuid.uuid) { Data($0) }
      guard
        let id = try db.number(
          "SELECT id FROM snippet WHERE uuid = ? AND deleted_at IS NULL",
          [uuid.databaseValue]
        ),
        try StoreSeam.ids(in: filter, after: id - 1, limit: 1, in: db) == [id]
      else { return nil }
      return try db.snippetRow(SnippetID(rawValue: id))
    }
    return try row.flatMap { try paths(of: $0, isAhead: true)?.first?.path }
  }

  mutating func fail(_ id: SnippetID, _ error: FileError) throws {
    try job.fail(id, SnippetStoreError(error, fillingFolderDuring: "export snippet \(id)"))
  }

  /// Updates one file, under another name if the disk cannot hold its own.
  private mutating func bringPortably(
    _ row: SnippetRow,
    to path: String,
    _ known: OriginRow?,
    _ source: OriginRow?
  ) throws -> OriginRow? {
    do {
      return try bring(row, to: path, known, source)
    } catch let error as FileError where error.mayConcernName && known == nil {
      guard let portable = PortableName.path(path) else { throw error }
      return try bring(row, to: portable, nil, source)
    }
  }

  /// Updates one file, and returns the origin to record, if there is one.
  private mutating func bring(
    _ row: SnippetRow,
    to path: String,
    _ known: OriginRow?,
    _ source: OriginRow?
  ) throws -> OriginRow? {
    // Before the file is looked at, so that no later edit has a date that looks old enough.
    let moment = now()
    let told = known?.note?.described
    let content = try FileContent(
      row,
      at: path,
      told,
      job.seam.content(of: row.id),
      source,
      isNew: known == nil,
      isOfItem: { try isOfItem(row.id) },
      target: target
    )
    let url = URL(fileURLWithPath: folder.path).appendingPathComponent(path)
    var origin = OriginRow(
      folder: known?.folder ?? 0,
      path: known?.path ?? path,
      snippet: row.id,
      stamp: FileStamp(modifiedNanoseconds: 0, byteCount: 0),
      sha256: content.sha256,
      contentSHA256: content.sha256 == content.contentSHA256 ? nil : content.contentSHA256,
      note: content.note
        ?? (source?.sha256 == content.sha256 && source?.isUnwritten == false ? source?.note : nil),
      taggedFolderCount: (known ?? source)?.taggedFolderCount ?? 0
    )
    // What another file tells stays true only beside that.
    origin.note = .note(origin.note, described: told)
    origin.note?.untold = known?.note?.untold
    let former: FormerFile?
    switch try folder.place(at: path) {
    case .nothing: former = nil
    case .other where known?.sha256 == content.sha256 && folder.isThroughLink(path):
      // An import has followed it, and there is nothing to write.
      job.tell(ExportEvent(.unchanged, row.id, url, byteCount: content.byteCount))
      return nil
    case .other:
      conflictWithOther(row.id, url)
      return nil
    case .file(let file, let stamp):
      let recorded = stamp.recorded(asOf: moment, onNetwork: folder.isOnNetwork)
      // Since the clock was set back, a date ahead of it may be that of an edit.
      let isKnown = known?.stamp == stamp && recorded == stamp
      let found = try isKnown ? known?.sha256 : file.contentHash(job.check)
      if found == content.sha256 {
        job.tell(ExportEvent(.unchanged, row.id, url, byteCount: stamp.byteCount))
        tell(content.omission, row.id, url)
        origin.stamp = recorded
        return known == origin ? nil : origin
      }
      guard let known, known.sha256 == found else {
        conflict(
          row.id,
          url,
          known == nil
            ? "another file has the name of its file" : "its file was changed since"
        )
        return nil
      }
      former = FormerFile(file: file, stamp: stamp, sha256: known.sha256)
    }
    let outcome = former == nil ? ExportEvent.Outcome.exported : .updated
    if isDryRun {
      job.tell(ExportEvent(outcome, row.id, url, byteCount: content.byteCount))
      tell(content.omission, row.id, url)
      return nil
    }
    // A file that has not changed keeps its date.
    let date = source.flatMap { source in
      source.sha256 == content.sha256 && !source.isUnwritten
        ? source.stamp.modifiedNanoseconds : nil
    }
    var pieces = content
    let check = job.check
    let stamp = try folder.write(
      path,
      inPlaceOf: former,
      date: date ?? row.modifiedAt.fileNanoseconds
    ) {
      try check()
      return try pieces.next()
    }
    guard let stamp else {
      conflict(row.id, url, "another program has written its file at the same time")
      return nil
    }
    job.tell(ExportEvent(outcome, row.id, url, byteCount: stamp.byteCount))
    tell(content.omission, row.id, url)
    origin.stamp = stamp.recorded(asOf: moment, onNetwork: folder.isOnNetwork)
    return origin
  }

  /// Reports the properties of its snippet that a file lacks.
  mutating func tell(_ omission: NoteFile.Omission?, _ id: SnippetID, _ url: URL) {
    guard let omission else { return }
    // A word with a number sign in a note of Joplin or Keep has never been a tag.
    if omission.isRemoval, (try? isOfItem(id)) == true { return }
    let error = SnippetStoreError(
      .unreadable,
      "write \(omission.words.joined(separator: " and ")) of snippet \(id) into \(url.path)",
      because: omission.reason,
      do: omission.advice
    )
    job.tell(ExportEvent(.incomplete, id, url, because: error))
  }

  private func isOfItem(_ id: SnippetID) throws -> Bool {
    try job.seam.read(to: job.operation) { db in
      try OriginStatements(db: db).origins(of: id).contains { $0.isItem }
    }
  }

  mutating func conflict(
    _ id: SnippetID,
    _ url: URL,
    _ reason: String,
    do advice: String =
      "Import the folder, so that the store has both, or move the file away; then export again."
  ) {
    let error = SnippetStoreError(
      .conflict,
      "export snippet \(id) to \(url.path)",
      because: reason,
      do: advice
    )
    job.tell(ExportEvent(.conflict, id, url, because: error))
  }

  /// Reports a folder or a link in the place of a file, which an import would not take for one.
  mutating func conflictWithOther(_ id: SnippetID, _ url: URL) {
    let advice = "Move away what is there, then export again."
    conflict(id, url, "something other than a file has its name", do: advice)
  }
}

extension FileError {
  /// Whether other files may still be writable, unlike on a full, broken or read-only disk.
  var concernsOneFile: Bool {
    [
      .permissionDenied, .notPermitted, .fileNameTooLong, .invalidArgument, .illegalByteSequence,
      .fileTooLarge,
    ].contains(code)
  }
}

/// The bytes for the file of a snippet.
private struct FileContent {
  /// The hash of the file.
  let sha256: Data
  /// The hash of the snippet's content.
  let contentSHA256: Data
  let byteCount: Int64
  /// The properties in the file that the content does not have.
  private(set) var note: FileNote?
  /// The properties missing in the file.
  private(set) var omission: NoteFile.Omission?
  private var cursor: ContentCursor?
  /// All bytes, if they were already read.
  private var bytes: Data?

  /// `source` is the file that the path comes from, which may be in another folder; `target` returns
  /// the path of the file of a note or a resource of Joplin.
  init(
    _ row: SnippetRow,
    at path: String,
    _ told: ToldFacts?,
    _ cursor: ContentCursor,
    _ source: OriginRow?,
    isNew: Bool,
    isOfItem: () throws -> Bool,
    target: (UUID) throws -> String?
  ) throws {
    var cursor = cursor
    if let known = cursor.sha256, !NoteFile.isNote(row, in: cursor.encoding, at: path) {
      (sha256, contentSHA256) = (known, known)
      byteCount = cursor.byteCount
      omission = try NoteFile.omission(in: cursor.encoding, of: row, at: path, told) {
        var beginning = Data()
        var reader = cursor
        while beginning.count < NoteMetadata.maximumByteCount, let piece = try reader.next() {
          beginning += piece
        }
        return beginning.prefix(NoteMetadata.maximumByteCount)
      }
      self.cursor = cursor
      return
    }
    let content = try cursor.readToEnd()
    let contentHash = ContentHash.of(content)
    contentSHA256 = contentHash
    var dates = NoteDates()
    if !isNew {
      dates.isNamed = source?.note?.dated == true
    } else if let source, !source.isUnwritten,
      (source.contentSHA256 ?? source.sha256) == contentHash
    {
      dates.ofNewFile = source.stamp.modifiedAt
    } else {
      dates.ofNewFile = row.modifiedAt
    }
    let encoding = cursor.encoding
    let isUnread = try FrontMatter(of: NoteFile.beginning(of: content)) != nil && isOfItem()
    func file(_ dates: NoteDates) throws -> (bytes: Data, omission: NoteFile.Omission?) {
      let (made, omission) = NoteFile.bytes(
        content,
        in: encoding,
        of: row,
        at: path,
        told,
        dates: dates,
        isOfItem: isUnread
      )
      guard NoteFile.isNote(row, in: encoding, at: path), ItemLinks.mayBe(in: made) else {
        return (made, omission)
      }
      return (try ItemLinks.replaced(in: made, at: path, target: target), omission)
    }
    func hash(_ bytes: Data) -> Data { bytes == content ? contentHash : ContentHash.of(bytes) }
    var new = try file(dates)
    if isNew, dates.ofNewFile != row.modifiedAt, hash(new.bytes) != source?.sha256 {
      // Only the same bytes keep the date of their source.
      dates.ofNewFile = row.modifiedAt
      new = try file(dates)
    }
    let written = new.bytes
    omission = new.omission
    byteCount = Int64(written.count)
    sha256 = hash(written)
    if written != content {
      let metadata = NoteMetadata(NoteFile.beginning(of: written), ofBundle: told != nil)
      note = FileNote(metadata)
      // So that the next export writes the same bytes.
      if let date = metadata.createdAt,
        NoteMetadata(NoteFile.beginning(of: content)).createdAt == nil
      {
        note?.dated = true
        note?.created = date.clampedToStore.milliseconds
      }
    }
    bytes = written
  }

  /// Returns the next piece; `nil` at the end.
  mutating func next() throws -> Data? {
    if let bytes {
      self.bytes = nil
      return bytes
    }
    return try cursor?.next()
  }
}
