import Foundation
import GRDB
import SnippetBase
import SnippetStorage

/// Finds the texts in the store that the files of a folder may be: those that were added without a
/// file, and those with an equal file elsewhere that says the same.
///
/// Each is found once. Texts wait by all that has to be equal, so many equal files in a folder take
/// no longer than different ones, even if what is said of them differs.
struct EqualTexts {
  /// A text that a file is.
  struct Found {
    let id: SnippetID
    /// The origin of its file elsewhere, if that has properties that the text does not.
    var origin: OriginRow?
    /// Whether it has no file yet.
    var isWithoutFile = false
  }

  /// The properties that have to be equal besides the bytes.
  private struct Key: Hashable {
    let name: Name
    let saying: Saying
  }

  /// A property that has to be equal, and is tried before all others.
  private enum Name: Hashable {
    /// The title of the text, or that of its file.
    case title(String)
    /// The path in a folder, where there is no text that could tell more.
    ///
    /// The other folder has been moved: a file that is still there is another one.
    case path(String)
    /// The whole path of a file that was added by itself.
    case file(String)
    /// Nothing, for a text that has no file anywhere.
    case none

    var isPath: Bool { if case .path = self { true } else { false } }
  }

  /// The words of a text or of one of its files, as far as they can be looked up.
  fileprivate enum Saying: Hashable {
    /// Any, of a text that has no file in a folder.
    case anything
    /// Those that another file told of one; the title only where the bytes have none.
    case told(tags: [String]?, created: Int64?, title: String?)
    /// Those of the text itself, with one of its tags, and its date if a file names one.
    case own(title: String, tag: [UInt8]?, created: Int64?)
  }

  /// Texts in the order of their numbers, from a start.
  private struct Queue {
    var ids: [SnippetID] = []
    var start = 0
  }

  /// The texts for one hash.
  private struct Texts {
    /// The last text looked at, by what it says.
    var bySaying: Int64 = 0
    /// The last text looked at, by the bytes of its files.
    var byFile: Int64 = 0
    var waiting: [Key: Queue] = [:]
    /// The texts that were found, which may still wait by other keys.
    var found: Set<SnippetID> = []
  }

  /// The texts by the hash of the file.
  private var texts: [Data: Texts] = [:]

  /// Finds the next text that is a file at a path in a folder.
  ///
  /// The text that is found must get a file in the folder in this transaction, and so must a new
  /// one if none is found.
  mutating func next(
    for file: ReadFile,
    at path: String,
    in folder: (id: Int64, path: String),
    db: Database
  ) throws -> Found? {
    let sha256 = file.snippet.body.sha256
    try look(for: file.snippet.body, sha256, besidesThoseIn: folder.id, in: db)
    let whole = String(FileNames.withoutSlash(folder.path)) + "/" + path
    for name in Self.names(of: file, at: path, whole) {
      if let found = try next(name, file, at: whole, sha256, folder.id, db) { return found }
    }
    return nil
  }

  /// Starts again after the results were rolled back.
  mutating func startAgain() {
    texts = [:]
  }

  /// Returns the first of the texts with a name that is a file, by whatever that says.
  private mutating func next(
    _ name: Name,
    _ file: ReadFile,
    at whole: String,
    _ sha256: Data,
    _ folder: Int64,
    _ db: Database
  ) throws -> Found? {
    // All its tags have to be there; the rarest leads to the fewest texts.
    let own = file.ownSayings.map { Key(name: name, saying: $0) }
    let rarest = own.min { count(of: $0, sha256) < count(of: $1, sha256) }
    let others = [Saying.anything, file.toldSaying].map { Key(name: name, saying: $0) }
    var found: Found?
    for key in others + [rarest].compactMap(\.self) {
      found = try first(key, before: found, file, at: whole, sha256, folder, db) ?? found
    }
    if let found { texts[sha256]?.found.insert(found.id) }
    return found
  }

  private func count(of key: Key, _ sha256: Data) -> Int {
    texts[sha256]?.waiting[key].map { $0.ids.count - $0.start } ?? 0
  }

  /// Returns the first of the texts with a key that is a file, if it comes before another one, and
  /// forgets those that wait no more.
  private mutating func first(
    _ key: Key,
    before other: Found?,
    _ file: ReadFile,
    at whole: String,
    _ sha256: Data,
    _ folder: Int64,
    _ db: Database
  ) throws -> Found? {
    guard var queue = texts[sha256]?.waiting.removeValue(forKey: key) else { return nil }
    defer {
      if queue.start < queue.ids.count { texts[sha256]?.waiting[key] = queue }
    }
    var index = queue.start
    while index < queue.ids.count {
      let id = queue.ids[index]
      if let other, other.id <= id { return nil }
      let isFound = texts[sha256]?.found.contains(id) == true
      let candidate = try isFound ? nil : Candidate(id, sha256, besidesThoseIn: folder, in: db)
      if let candidate {
        if let found = candidate.found(for: file),
          try !key.name.isPath || !candidate.hasFile(besides: whole, in: db)
        {
          return found
        }
        // It may be that of another file.
        index += 1
      } else if index == queue.start {
        queue.start += 1
        index += 1
      } else {
        queue.ids.remove(at: index)
      }
    }
    return nil
  }

  // MARK: - What has to be equal

  private static func names(of file: ReadFile, at path: String, _ whole: String) -> [Name] {
    let alone = Name.file(String(whole.dropFirst()))
    guard !file.isBlank else { return [alone, .path(path)] }
    let named = FileNames.title(of: path, isText: true)
    return [alone, .title(file.snippet.title), .title(named), .none]
  }

  private static func names(of candidate: Candidate, isBlank: Bool) -> Set<Name> {
    var names = Set(candidate.files.filter(\.isSingle).map { Name.file($0.path) })
    guard !isBlank else {
      return names.union(candidate.files.filter { !$0.isSingle }.map { .path($0.path) })
    }
    names.insert(.title(candidate.row.title))
    if candidate.files.isEmpty { names.insert(.none) }
    for origin in candidate.files {
      names.insert(.title(FileNames.title(of: origin.path, isText: true)))
      if let title = origin.note?.title ?? origin.note?.described?.title {
        names.insert(.title(title))
      }
    }
    return names
  }

  // MARK: - Looking

  /// Looks at the texts that were not looked at yet.
  private mutating func look(
    for body: PreparedSnippet.Body,
    _ sha256: Data,
    besidesThoseIn folder: Int64,
    in db: Database
  ) throws {
    let content: DatabaseValue =
      switch body {
      case .text(let body): body.databaseValue
      case .blob(let blob, _): blob.sha256.databaseValue
      }
    let known = texts[sha256] ?? Texts()
    var (bySaying, byFile) = (known.bySaying, known.byFile)
    var free: Set<Int64> = []
    try db.forEachRow(
      Self.query(body),
      [folder.databaseValue, bySaying.databaseValue, content]
    ) { row in
      bySaying = try row.number(0)
      if try row.number(1) == 1 { free.insert(bySaying) }
      return true
    }
    try db.forEachRow(
      Self.queryByFile,
      [folder.databaseValue, byFile.databaseValue, sha256.databaseValue]
    ) { row in
      byFile = try row.number(0)
      if try row.number(1) == 1 { free.insert(byFile) }
      return true
    }
    // Most files have no equal.
    guard bySaying != known.bySaying || byFile != known.byFile else { return }
    texts[sha256, default: known].bySaying = bySaying
    texts[sha256, default: known].byFile = byFile
    let isBlank = body.isBlank
    for number in free.sorted() {
      let id = SnippetID(rawValue: number)
      guard let candidate = try Candidate(id, sha256, besidesThoseIn: folder, in: db) else {
        continue
      }
      let sayings = candidate.sayings
      for name in Self.names(of: candidate, isBlank: isBlank) {
        for saying in sayings {
          let key = Key(name: name, saying: saying)
          texts[sha256]?.waiting[key, default: Queue()].ids.append(id)
        }
      }
    }
  }

  private static let isFree = """
    deleted_at IS NULL AND kind = 1
      AND NOT EXISTS (
        SELECT 1 FROM origin AS own WHERE own.snippet_id = snippet.id AND own.folder_id = ?1
      )
    """

  private static let queryByFile = """
    SELECT snippet_id, \(isFree)
    FROM origin INDEXED BY origin_by_file CROSS JOIN snippet ON snippet.id = snippet_id
    WHERE snippet_id > ?2 AND sha256 = ?3 AND content_sha256 IS NOT NULL
    ORDER BY snippet_id
    """

  private static func query(_ body: PreparedSnippet.Body) -> String {
    switch body {
    case .text:
      """
      SELECT snippet_id, \(isFree)
      FROM snippet_text INDEXED BY snippet_text_by_content
        CROSS JOIN snippet ON snippet.id = snippet_id
      WHERE snippet_id > ?2 AND \(SnippetWriter.condition(thatBodyIs: "?3"))
      ORDER BY snippet_id
      """
    case .blob:
      """
      SELECT snippet.id, \(isFree)
      FROM blob CROSS JOIN snippet INDEXED BY snippet_by_blob ON snippet.blob_id = blob.id
      WHERE blob.sha256 = ?3 AND snippet.id > ?2
      ORDER BY snippet.id
      """
    }
  }
}

/// A text in the store with the bytes of a file, in itself or in one of its files.
private struct Candidate {
  let row: SnippetRow
  /// Its files, besides those that are still to be written.
  let files: [OriginRow]
  /// Whether the text itself has the bytes.
  private let saysIt: Bool
  private let sha256: Data

  /// Looks a text up; `nil` if it is none any more, or has a file in a folder.
  init?(_ id: SnippetID, _ sha256: Data, besidesThoseIn folder: Int64, in db: Database) throws {
    guard let row = try db.snippetRow(id), row.deletedAt == nil, row.kind == .text else {
      return nil
    }
    let origins = try OriginStatements(db: db).origins(of: id)
    guard !origins.contains(where: { $0.folder == folder }) else { return nil }
    saysIt = try db.contentHash(of: row) == sha256
    guard saysIt || origins.contains(where: { $0.sha256 == sha256 }) else { return nil }
    self.row = row
    files = origins.filter { !$0.isUnwritten }
    self.sha256 = sha256
  }

  /// The words by which files look it up: a file that it is has one of these.
  var sayings: Set<EqualTexts.Saying> {
    if files.allSatisfy(\.isSingle) { return [.anything] }
    var sayings: Set<EqualTexts.Saying> = []
    for other in files where !other.isSingle && other.sha256 == sha256 {
      let known = other.note?.described
      for title in [Self.title(of: other), nil] {
        sayings.insert(.told(tags: known?.tags, created: known?.created, title: title))
      }
    }
    for tag in row.tags.map(Optional.some) + [nil] {
      for created in [row.createdAt.milliseconds, nil] {
        let key = tag.map(TextRules.key(ofTag:))
        sayings.insert(.own(title: row.title, tag: key, created: created))
      }
    }
    return sayings
  }

  /// Returns what it is to a file; `nil` if the file says anything else.
  func found(for file: ReadFile) -> EqualTexts.Found? {
    if files.allSatisfy(\.isSingle) { return EqualTexts.Found(id: row.id, isWithoutFile: true) }
    let said = files.contains { !$0.isSingle && says($0, file) }
    guard said || rowSays(file) else { return nil }
    let other = saysIt ? nil : files.first { $0.sha256 == sha256 && $0.contentSHA256 != nil }
    return EqualTexts.Found(id: row.id, origin: other)
  }

  /// Whether one of its files is still in its folder, and is another one than that at a path.
  func hasFile(besides path: String, in db: Database) throws -> Bool {
    let this = FileIdentity(path: path)
    let origins = OriginStatements(db: db)
    return try files.contains { file in
      guard !file.isSingle, let folder = try origins.path(ofFolder: file.folder),
        let other = FileIdentity(path: folder.withSlash + file.path)
      else { return false }
      return other != this
    }
  }

  /// Whether the text has all that the file says.
  private func rowSays(_ file: ReadFile) -> Bool {
    let tags = TagSet(row.tags)
    return row.title == file.snippet.title && file.ownTags.allSatisfy(tags.contains)
      && file.ownDate.map { $0 == row.createdAt.milliseconds } ?? true
  }

  /// Whether another file, in the last common state, says the same.
  private func says(_ other: OriginRow, _ file: ReadFile) -> Bool {
    guard other.sha256 == sha256 else { return false }
    let (facts, known) = (file.description?.facts, other.note?.described)
    guard facts?.tags == known?.tags, facts?.created == known?.created else { return false }
    return file.hasTitleInside || file.snippet.title == Self.title(of: other)
  }

  private static func title(of other: OriginRow) -> String {
    other.note?.described?.title ?? FileNames.title(of: other.path, isText: true)
  }
}

extension ReadFile {
  /// Whether it is a text without anything in it.
  fileprivate var isBlank: Bool { snippet.body.isBlank }

  /// Whether its title is in the bytes, and so in those of any equal file.
  fileprivate var hasTitleInside: Bool { TextRules.fittingTitle(note?.title) != nil }

  /// The date that the file tells, in milliseconds since 1970; `nil` if it tells none.
  fileprivate var ownDate: Int64? {
    (description?.createdAt ?? note?.createdAt)?.clampedToStore.milliseconds
  }

  /// The words that another file told which says the same.
  fileprivate var toldSaying: EqualTexts.Saying {
    let facts = description?.facts
    let title = hasTitleInside ? nil : snippet.title
    return .told(tags: facts?.tags, created: facts?.created, title: title)
  }

  /// The words of a text that has all of this, one for each of the tags.
  fileprivate var ownSayings: [EqualTexts.Saying] {
    let tags = ownTags.map(TextRules.key(ofTag:))
    guard !tags.isEmpty else { return [.own(title: snippet.title, tag: nil, created: ownDate)] }
    return tags.map { .own(title: snippet.title, tag: $0, created: ownDate) }
  }

  /// The tags that the file tells, without those of its folders.
  var ownTags: [String] {
    (note?.tags ?? []).compactMap(TextRules.fittingTag) + (description?.tags ?? [])
  }
}

extension PreparedSnippet.Body {
  fileprivate var isBlank: Bool {
    guard case .text(let text) = self else { return false }
    return text.allSatisfy(\.isWhitespace)
  }
}
