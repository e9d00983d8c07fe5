import Foundation
import SnippetBase
import SnippetStorage

extension FileSettlement {
  /// Finds the last common state of a file with an identity that had another name then, and puts
  /// aside the state of another file that had its name.
  ///
  /// Several files may have one identity, if it is a date; then those with the same bytes are the
  /// same, or else those with the same name.
  ///
  /// - Returns: The state, still at its former path; `nil` if the file has the name that it had, or is
  ///   new.
  func renamedFile(
    _ identity: String,
    to origin: OriginRow,
    in folder: ImportedFolder
  ) throws -> OriginRow? {
    let own = try origins.origin(origin.folder, origin.path)
    // The state of an import that knew no identities counts by its name.
    if let own, own.identity == nil { return nil }
    let isOwn = own?.identity == identity
    if isOwn, own?.sha256 == origin.sha256 { return nil }
    var former: OriginRow?
    for path in folder.identities.paths(of: identity) where !path.hasBytes(of: origin.path) {
      guard let other = try origins.origin(origin.folder, path), other.identity == identity else {
        continue
      }
      let isElsewhere =
        folder.identities.identity(at: path).map { $0 != identity } ?? folder.isMissing(path)
      if other.sha256 == origin.sha256 {
        guard try isElsewhere || folder.isGone(other, writer.check) else { continue }
        former = other
        break
      }
      if !isOwn, isElsewhere, former == nil { former = other }
    }
    guard let own, let ownIdentity = own.identity, former != nil || !isOwn else { return former }
    // A date of creation may be edited.
    if former == nil, own.sha256 == origin.sha256, !folder.identities.isFound(ownIdentity) {
      return nil
    }
    try putAside(own, ownIdentity, in: folder)
    return former
  }

  /// Finds the last common states of a note with other bytes that came with backups under other
  /// names; none if they are of several snippets.
  func statesInOtherArchives(
    of file: ReadFile,
    _ origin: OriginRow,
    besides folder: ImportedFolder
  ) throws -> [OriginRow] {
    // Notes of Evernote have dates as identities, which others have too.
    guard file.snippet.kind == .text, FileNames.isArchive(folder.path),
      let identity = file.description?.identity, WrittenDate.date(identity) == nil
    else { return [] }
    let places = try folder.identities.placesInOtherArchives(of: identity) {
      try origins.placesInArchives(besides: origin.folder)
    }
    let states = try places.compactMap { place -> OriginRow? in
      guard let state = try origins.origin(place.folder, place.path), state.identity == identity,
        try db.snippetRow(state.snippet)?.kind == .text
      else { return nil }
      return state
    }
    let isOfOne = Set(states.map(\.snippet)).count == 1
    return isOfOne && states.allSatisfy { $0.sha256 != origin.sha256 } ? states : []
  }

  /// Whether a note in an archive, with other bytes, is an older version than a state of it.
  func isOlder(_ origin: OriginRow, than state: OriginRow, in folder: ImportedFolder) -> Bool {
    FileNames.isArchive(folder.path) && origin.identity != nil && origin.sha256 != state.sha256
      && origin.isOlder(than: state)
  }

  /// Keeps the state of a file whose name another one has, until the file itself is found.
  private func putAside(
    _ own: OriginRow,
    _ identity: String,
    in folder: ImportedFolder
  ) throws {
    let path = try ConflictName.path(beside: own.path, "former") { path in
      try origins.origin(own.folder, path) == nil && folder.isMissing(path)
    }
    try origins.move(own, to: path)
    folder.identities.putAside(identity, from: own.path, to: path)
  }
}
