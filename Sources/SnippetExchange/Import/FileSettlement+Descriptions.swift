import Foundation
import GRDB
import SnippetBase
import SnippetStorage

extension FileSettlement {
  /// Records a file that was given by itself, and gives its snippet what another file tells of it.
  func taking(
    _ file: ReadFile,
    alone single: SingleFile,
    _ settled: SettledFile
  ) throws -> SettledFile {
    guard let id = settled.id else { return settled }
    let known = try single.known(in: db)
    let former = known?.snippet == id ? known?.note?.described : nil
    var origin = try single.origin(of: id, file.snippet.body.sha256, in: db)
    origin.note?.described = file.description == nil ? former : file.description?.facts
    try origins.put(origin)
    return try taking(file, former, origin, settled)
  }

  /// Gives the snippet of a settled file what another file tells of it, and did not tell at the
  /// last import.
  ///
  /// What a person has changed since stays; what does not arrive for that is unread.
  func taking(
    _ file: ReadFile,
    _ former: ToldFacts?,
    _ origin: OriginRow,
    _ settled: SettledFile
  ) throws -> SettledFile {
    // Facts that are all gone are news, too.
    guard let description = file.description, description.facts != former,
      // A new snippet has it all.
      ![.imported, .conflict].contains(settled.outcome), let id = settled.id,
      let row = try db.snippetRow(id)
    else { return settled }
    let facts = description.facts ?? ToldFacts()
    let others = try origins.origins(of: id)
      .filter { $0.folder != origin.folder || $0.path != origin.path }
    // That of a file which was given by itself is not kept up to date.
    let earlier = try former ?? factsAlone(of: origin, others)
    let rivals = others.filter { origin.isSingle || !$0.isSingle }
    let news = ToldNews(facts, after: earlier, rivals.compactMap(\.note?.described))
    var settled = settled
    var new = Properties(row)
    if let title = news.title, title != row.title {
      let isText = row.kind == .text
      let named = FileNames.title(of: origin.path, isText: isText)
      let own = others.map { FileNames.title(of: $0.path, isText: isText) } + [named]
      if row.title.isEmpty || row.title == earlier?.title || own.contains(row.title) {
        if earlier != nil || title != named { new.title = title }
      } else if title != named, try isBefore(rivals, origin, where: { $0.title == row.title }) {
        new.title = title
        settled.replaced.append(FrontMatterFlaw(former: "title", row.title))
      } else if title != named {
        settled.unread.append(FrontMatterFlaw(untaken: "title", title))
      }
    } else if news.isTitleGone, row.title == earlier?.title {
      new.title = file.snippet.title
    }
    if let isPinned = news.isPinned { new.isPinned = isPinned }
    if news.isTrashed, row.deletedAt == nil, settled.outcome != .broughtBack {
      settled.unread.append(.inTrashThere)
    }
    if news.isTaken, !news.isCreated {
      new.createdAt = firstDate(of: file, earlier, row, rivals, &settled)
    } else if let date = createdAt(of: file, news, row, others + [origin]) {
      new.createdAt = date
    }
    // A picture that was not edited was changed last when it was made.
    if row.kind != .text, row.modifiedAt.milliseconds == row.createdAt.milliseconds {
      new.modifiedAt = new.createdAt
    }
    if news.isModified, let date = file.description?.modifiedAt?.clampedToStore {
      new.modifiedAt = max(new.modifiedAt, date)
    }
    let hasNote = try takeNote(file, news, earlier, row, &settled) { present in
      try isBefore(rivals, origin) { $0.note == present }
    }
    let present = TagSet(row.tags)
    let added = news.addedTags.filter { !present.contains($0) }
    let removed = news.removedTags.filter(present.contains)
    for tag in added { try writer.add(tag, to: id) }
    for tag in removed { try writer.remove(tag, from: id) }
    guard hasNote || !added.isEmpty || !removed.isEmpty || new != Properties(row) else {
      return settled
    }
    try write(new, to: id)
    try SnippetDigest.give(to: id, in: db)
    guard [.unchanged, .duplicate].contains(settled.outcome) else { return settled }
    return SettledFile(.updated, id, settled)
  }

  /// Returns what another file told of a file when it was given by itself; `nil` if none did.
  private func factsAlone(of origin: OriginRow, _ others: [OriginRow]) throws -> ToldFacts? {
    let singles = others.filter { $0.isSingle && $0.note?.described != nil }
    guard !singles.isEmpty, let folder = try origins.path(ofFolder: origin.folder) else {
      return nil
    }
    let path = String(FileNames.withoutSlash(folder)) + "/" + origin.path
    return singles.first { path.hasBytes(of: "/" + $0.path) }?.note?.described
  }

  /// Returns the date of a snippet, if a better evidence than before tells one.
  private func createdAt(
    of file: ReadFile,
    _ news: ToldNews,
    _ row: SnippetRow,
    _ origins: [OriginRow]
  ) -> Date? {
    if news.isCreated { return file.description?.createdAt?.clampedToStore }
    // Of all evidence only the date of a file is worse.
    let isOfFile = origins.contains {
      abs($0.stamp.modifiedAt.timeIntervalSince(row.createdAt)) < FileStamp.finestGrain
    }
    return news.isAdded && isOfFile ? file.snippet.createdAt : nil
  }

  /// Returns the date of a picture for which a file tells a new moment.
  ///
  /// The bytes are the same, so what is better in them counted before and counts now. Of what the
  /// files of equal pictures tell, the earliest counts, whichever was imported first.
  private func firstDate(
    of file: ReadFile,
    _ former: ToldFacts?,
    _ row: SnippetRow,
    _ rivals: [OriginRow],
    _ settled: inout SettledFile
  ) -> Date {
    let date = file.snippet.createdAt.clampedToStore
    let (new, present) = (date.milliseconds, row.createdAt.milliseconds)
    let told = rivals.compactMap(\.note?.described?.taken)
    let isOfRival = told.contains(present)
    guard let earliest = told.min(), isOfRival || present == former?.taken else { return date }
    // One that is worse evidence than the moment is no rival of it.
    guard new == file.description?.facts?.taken else { return row.createdAt }
    if earliest < new {
      let words = date.iso8601Milliseconds
      settled.unread.append(FrontMatterFlaw(untaken: "date of creation", words))
      return Date(milliseconds: earliest)
    }
    if isOfRival, present != new {
      let words = row.createdAt.iso8601Milliseconds
      settled.replaced.append(FrontMatterFlaw(former: "date of creation", words))
    }
    return date
  }

  /// Whether a value of a snippet is one that the files of equal pictures tell, and the path of this
  /// one comes before theirs: then the value of this one counts, whichever was imported first.
  private func isBefore(
    _ rivals: [OriginRow],
    _ origin: OriginRow,
    where tells: (ToldFacts) -> Bool
  ) throws -> Bool {
    let tellers = rivals.filter { $0.note?.described.map(tells) ?? false }
    let path = try wholePath(of: origin)
    return try !tellers.isEmpty && tellers.allSatisfy { try path < wholePath(of: $0) }
  }

  private func wholePath(of origin: OriginRow) throws -> String {
    let folder = try origins.path(ofFolder: origin.folder) ?? ""
    return "\(FileNames.withoutSlash(folder))/\(origin.path)"
  }

  /// Gives a picture or a recording a note, if it has none but that in its bytes, or still has the
  /// former, or that of a later file; returns whether it was given.
  ///
  /// A note that is gone gives way to that in the bytes.
  private func takeNote(
    _ file: ReadFile,
    _ news: ToldNews,
    _ former: ToldFacts?,
    _ row: SnippetRow,
    _ settled: inout SettledFile,
    isOfLater: (Data) throws -> Bool
  ) throws -> Bool {
    guard row.kind != .text, news.hasNote || news.isNoteGone else { return false }
    let present = try writer.note(of: row.id) ?? ""
    let isFormer = former?.note == SideFile.hash(of: present)
    guard news.hasNote, let told = file.description?.fittingNote else {
      guard news.isNoteGone, isFormer, present != file.snippet.note else { return false }
      try writer.replaceNote(of: row.id, with: file.snippet.note)
      return true
    }
    if present == told { return false }
    let isOfBytes =
      try former?.note == nil && (present.isEmpty || present == embeddedTexts(of: row, file).note)
    if !isFormer, !isOfBytes, try isOfLater(SideFile.hash(of: present)) {
      settled.replaced.append(FrontMatterFlaw(former: "note", present))
    } else if !isFormer, !isOfBytes {
      settled.unread.append(FrontMatterFlaw(untaken: "note", told))
      return false
    }
    try writer.replaceNote(of: row.id, with: told)
    return true
  }
}

/// The facts that another file tells now and did not tell before, of this file or of an equal one.
private struct ToldNews {
  /// A title.
  let title: String?
  /// Whether no file tells the former title any more.
  let isTitleGone: Bool
  /// Whether it is pinned now, if that has changed.
  let isPinned: Bool?
  /// Whether it went to the trash.
  let isTrashed: Bool
  let hasNote: Bool
  /// Whether no file tells the former note any more.
  let isNoteGone: Bool
  let isCreated: Bool
  let isTaken: Bool
  let isAdded: Bool
  let isModified: Bool
  let addedTags: [String]
  let removedTags: [String]

  init(_ facts: ToldFacts, after former: ToldFacts?, _ others: [ToldFacts]) {
    func isNew<Value: Equatable>(_ fact: KeyPath<ToldFacts, Value?>) -> Bool {
      guard let value = facts[keyPath: fact] else { return false }
      return value != former?[keyPath: fact] && !others.contains { $0[keyPath: fact] == value }
    }
    func isGone<Value: Equatable>(_ fact: KeyPath<ToldFacts, Value?>) -> Bool {
      guard facts[keyPath: fact] == nil, let value = former?[keyPath: fact] else { return false }
      return !others.contains { $0[keyPath: fact] == value }
    }
    title = isNew(\.title) ? facts.title : nil
    (isTitleGone, isNoteGone) = (isGone(\.title), isGone(\.note))
    let isUnpinned = former?.pinned == true && facts.pinned == nil
    isPinned = isNew(\.pinned) ? true : isUnpinned ? false : nil
    isTrashed = isNew(\.trashed)
    hasNote = isNew(\.note)
    (isCreated, isTaken) = (isNew(\.created), isNew(\.taken))
    (isAdded, isModified) = (isNew(\.added), isNew(\.modified))
    let told = others.flatMap { $0.tags ?? [] }
    let known = TagSet(told + (former?.tags ?? []))
    let still = TagSet(told + (facts.tags ?? []))
    addedTags = (facts.tags ?? []).filter { !known.contains($0) }
    removedTags = (former?.tags ?? []).filter { !still.contains($0) }
  }
}

extension FrontMatterFlaw {
  /// The flaw of a snippet in the list whose note or picture is in the trash of another program.
  static var inTrashThere: FrontMatterFlaw {
    FrontMatterFlaw(reason: "it is in the trash there, and the snippet is not")
  }

  /// The flaw of a value in whose place a snippet has another, which a person may have given it.
  init(untaken name: String, _ value: String) {
    let beginning = value.prefix(100)
    self.init(reason: "the snippet has another \(name) than “\(beginning)”")
  }

  /// The flaw of a value of another file that gave way to that of this one.
  init(former name: String, _ value: String) {
    self.init(reason: "the snippet had the \(name) “\(value.prefix(100))”")
  }

  /// The flaw of a date that gives way to another one, if it is not the former one of the file, in
  /// milliseconds since 1970; `nil` if nothing is lost, or that is unknown.
  init?(replacing date: Date, by other: Date, after former: Int64?) {
    let moment = date.milliseconds
    guard let former, moment != former, moment != other.milliseconds else { return nil }
    self.init(reason: "the snippet had the date of creation \(date.iso8601Milliseconds)")
  }
}
