import Foundation
import GRDB
import SnippetBase
import SnippetStorage
import SystemPackage

/// Decides which files of an import are passed over, and which come last.
///
/// Last come changed files, and notes that may be those of pictures with other names: a file that was
/// renamed over another can be told from an edited one only once the other has been found.
final class FileOrder {
  /// A file that comes last.
  enum Late {
    case file(FileWalk.File, FilePlace?)
    case item(any ImportItem, FilePlace?, folder: Int?)
  }

  /// The turn of a file.
  enum Turn {
    case now
    /// It is kept until the others are over.
    case last
    /// It is passed over, because it has not changed since its snippet agreed with it.
    case never(SnippetID)
  }

  private let access: ImportAccess
  private let options: ImportOptions
  private let tags: [String]
  private let check: () throws -> Void
  private var late: [Late] = []
  private var lateStart = 0
  /// Files whose stamps have become reliable, or no longer are, with their hashes.
  private var renewed: [(place: FilePlace, sha256: Data)] = []

  /// The number of stamps to record in one transaction.
  private static let batchCount = 256

  init(
    _ access: ImportAccess,
    _ options: ImportOptions,
    tags: [String],
    check: @escaping () throws -> Void
  ) {
    (self.access, self.options) = (access, options)
    (self.tags, self.check) = (tags, check)
  }

  /// Returns the turn of a file with a place, and keeps one that comes last.
  func turn(of file: FileWalk.File, at place: FilePlace) throws -> Turn {
    let known = try place.folder.isKnown ? known(at: place) : nil
    let identity = file.description?.identity
    var comesLast = identity.map { find($0, at: place, known) } ?? false
    if !comesLast, let known {
      let isTagged =
        !options.makesTagsOfFolders
        || known.taggedFolderCount >= FileNames.folderCount(of: place.path)
      let isUnchanged = try isUnchanged(known, at: place, file)
      let isWhereItWas = !known.isInTrash || file.description?.isTrashed == true
      let isToldAlready = known.hasHeard(of: file, at: place)
      if isUnchanged, isWhereItWas, isToldAlready, !options.comparesContent, isTagged,
        try hasTags(known.id)
      {
        return .never(known.id)
      }
      comesLast = !isUnchanged
    } else if !comesLast, let picture = SideFile.path(besides: place.path),
      // Any note may have the name of a picture without an extension.
      !picture.fileExtension.isEmpty
    {
      comesLast = place.folder.isMissing(picture)
    }
    return comesLast && keep(.file(file, place)) ? .last : .now
  }

  /// Returns the turn of an item, and keeps one that comes last.
  func turn(of item: any ImportItem, at place: FilePlace?, folder: Int?) throws -> Turn {
    guard let place, let identity = item.identity, place.folder.isKnown,
      try find(identity, at: place, known(at: place))
    else { return .now }
    return keep(.item(item, place, folder: folder)) ? .last : .now
  }

  /// Returns the next of the files that come last; `nil` if there is none.
  func nextLate() -> Late? {
    guard lateStart < late.count else { return nil }
    lateStart += 1
    return late[lateStart - 1]
  }

  /// Keeps a file until the others are over, if there is room; returns whether there is.
  private func keep(_ file: Late) -> Bool {
    guard late.count < ImportedFolder.maximumChangedCount else { return false }
    late.append(file)
    return true
  }

  /// Notes the identity of a file that was found; returns whether its last common state may be that
  /// of another name.
  private func find(_ identity: String, at place: FilePlace, _ known: Known?) -> Bool {
    place.folder.identities.find(identity, at: place.path)
    guard let known else { return place.folder.identities.isKnown(identity) }
    return known.identity.map { $0 != identity } ?? false
  }

  /// Whether a snippet has the tags that all are to get.
  private func hasTags(_ id: SnippetID) throws -> Bool {
    guard !tags.isEmpty else { return true }
    return try access.read { db in try db.snippetRow(id)?.lacking(tags).isEmpty ?? true }
  }

  // MARK: - The last common state

  /// The last common state of a file and its snippet.
  private struct Known {
    let id: SnippetID
    let stamp: FileStamp
    let sha256: Data
    let isInTrash: Bool
    let taggedFolderCount: Int
    let note: FileNote?

    var identity: String? { note?.givenIdentity }

    /// Whether the last import knew all that another file tells, or that none does.
    func hasHeard(of file: FileWalk.File, at place: FilePlace) -> Bool {
      guard note?.sideFile != true else { return true }
      guard let description = file.description else {
        return !file.isAmongOthers(at: place) || note?.isDescribed(beside: place.path) != true
      }
      return description.facts == note?.described && note?.untold != true
    }
  }

  /// Whether a file has not changed since its snippet agreed with it.
  private func isUnchanged(
    _ known: Known,
    at place: FilePlace,
    _ file: FileWalk.File
  ) throws -> Bool {
    guard known.stamp == place.stamp else { return try renews(known, at: place, file) }
    if place.stamp != place.recordedStamp {
      // The clock was set back since, and an edit gets this date again when the clock reaches it.
      guard try hasBytes(of: known, file) else { return false }
      try renew(place, known.sha256)
      return true
    }
    // The date of a member is what the archive tells, and an edit there may keep it.
    return try !FileNames.isArchive(place.folder.path) || hasBytes(of: known, file)
  }

  private func hasBytes(of known: Known, _ file: FileWalk.File) throws -> Bool {
    do {
      let open = try OpenFile(file.path, options: [.noFollow, .nonBlocking])
      return try open.contentHash(check) == known.sha256
    } catch is FileError {
      // It is reported when it is read as a changed one.
      return false
    }
  }

  /// Whether a file has the size and the date of an unreliable stamp, and its bytes.
  private func renews(_ known: Known, at place: FilePlace, _ file: FileWalk.File) throws -> Bool {
    guard known.stamp == place.stamp.unreliable, try hasBytes(of: known, file) else {
      return false
    }
    if place.stamp == place.recordedStamp { try renew(place, known.sha256) }
    return true
  }

  private func renew(_ place: FilePlace, _ sha256: Data) throws {
    renewed.append((place, sha256))
    if renewed.count >= Self.batchCount { try recordRenewed() }
  }

  /// Records the stamps that have become reliable, or no longer are, since the last time.
  func recordRenewed() throws {
    guard !renewed.isEmpty else { return }
    try access.write { db in
      let origins = OriginStatements(db: db)
      for (place, sha256) in renewed {
        guard let folder = try origins.folder(at: place.folder.path) else { continue }
        try origins.renew(place.recordedStamp, of: place.path, in: folder, with: sha256)
      }
    }
    renewed = []
  }

  /// Returns the known state of a file; `nil` if there is none.
  private func known(at place: FilePlace) throws -> Known? {
    try access.read { db in
      try db.value(
        """
        SELECT snippet_id, modified_ns, origin.byte_count, sha256, deleted_at IS NOT NULL,
          tagged_folders, note
        FROM origin JOIN snippet ON snippet.id = snippet_id
        WHERE folder_id = (SELECT id FROM origin_folder WHERE path = ?) AND origin.path = ?
        """,
        [place.folder.path.databaseValue, place.path.databaseValue]
      ) { row in
        Known(
          id: SnippetID(rawValue: try row.number(0)),
          stamp: FileStamp(modifiedNanoseconds: try row.number(1), byteCount: try row.number(2)),
          sha256: try row.bytes(3),
          isInTrash: try row.number(4) == 1,
          taggedFolderCount: Int(try row.number(5)),
          note: try row.optionalText(6).flatMap(FileNote.init(json:))
        )
      }
    }
  }
}

extension FileWalk.File {
  /// Whether the files beside it were looked at for what they tell of it; another archive may have
  /// them.
  func isAmongOthers(at place: FilePlace?) -> Bool {
    folder != nil && place.map { !FileNames.isArchive($0.folder.path) } ?? false
  }
}

extension SnippetRow {
  /// Returns those of some tags that the snippet does not have.
  func lacking(_ wanted: [String]) -> [String] {
    let present = TagSet(tags)
    return wanted.filter { !present.contains($0) }
  }
}
