import Foundation
import SnippetBase
import SnippetStorage
import SystemPackage

/// A folder of Google Photos or Google Keep, in which files of JSON describe others or are notes.
///
/// They are recognized by their content. Google cuts a large export into several archives, so the
/// JSON of a picture may be in the same folder of another one, a *sister*.
struct TakeoutFolder {
  /// The properties of files, by their names.
  private(set) var descriptions: [String: FileDescription] = [:]
  private(set) var notes: [KeepItem] = []
  /// The names of files that say something about others.
  private(set) var silentNames: Set<String> = []
  private(set) var leftOut: [LeftOut] = []
  /// The paths of notes that say something, even where files of theirs are missing.
  private(set) var usedPaths: Set<String> = []

  /// The files of JSON in a folder.
  fileprivate struct Found {
    var sidecars: [String: PhotoSidecar] = [:]
    var notes: [KeepItem] = []
    /// The titles of albums.
    var albums: [String: String] = [:]
    /// The names of other files.
    var others: [String] = []
    /// The names of those among them that are the page of a note whose JSON is not there.
    var pages: [String] = []
    /// The damaged files, each with what to say of it.
    var damaged: [(name: String, reason: LeftOut.Reason)] = []
    /// The size of all JSON that was read.
    var byteCount = 0

    var isOfGoogle: Bool {
      !sidecars.isEmpty || !notes.isEmpty || !pages.isEmpty || !damaged.isEmpty
    }
  }

  /// Reads a folder with some names in it; `nil` if nothing in it is Google's.
  ///
  /// The readings keep the JSON that was found in it and in its sisters, for them.
  init?(
    in folder: String,
    _ names: [String],
    sisters: [String] = [],
    _ readings: inout Readings
  ) {
    let count = sisters.count
    let found = readings.found(in: folder, names, sisterCount: count)
    let beside = sisters.map { sister in
      let names = Self.names(in: sister)
      return (folder: sister, found: readings.found(in: sister, names, sisterCount: count))
    }
    guard ([found] + beside.map(\.found)).contains(where: \.isOfGoogle) else { return nil }
    addPhotos(found, beside.map(\.found), folder.withSlash)
    addNotes(found, beside, folder.withSlash)
    for (name, reason) in found.damaged {
      leftOut.append(LeftOut(folder.withSlash + name, reason))
      if case .damagedNoteBesidePage = reason { silentNames.insert(name) }
    }
  }

  private static func names(in folder: String) -> [String] {
    // What cannot be read is reported in its turn.
    ((try? FileSystem.names(in: folder)) ?? []).filter(\.isText).map(\.name)
  }

  // MARK: - Reading

  /// The files of JSON in folders whose sisters are still to come, so that each is read once.
  struct Readings {
    private struct Reading {
      let names: [String]
      let found: Found
      /// The number of sisters that are still to come.
      let restCount: Int
    }

    private var readings: [String: Reading] = [:]
    private var byteCount = 0
    /// The most bytes of JSON to keep; folders beyond it are read again.
    private let maximumByteCount: Int

    init(maximumByteCount: Int = 64 << 20) {
      self.maximumByteCount = maximumByteCount
    }

    fileprivate mutating func found(
      in folder: String,
      _ names: [String],
      sisterCount: Int
    ) -> Found {
      let names = names.sorted()
      if let reading = readings.removeValue(forKey: folder) {
        byteCount -= reading.found.byteCount
        if reading.names == names {
          keep(reading.found, names, for: folder, reading.restCount - 1)
          return reading.found
        }
      }
      let found = TakeoutFolder.found(in: folder, names)
      keep(found, names, for: folder, sisterCount)
      return found
    }

    private mutating func keep(
      _ found: Found,
      _ names: [String],
      for folder: String,
      _ restCount: Int
    ) {
      guard restCount > 0, byteCount + found.byteCount <= maximumByteCount else { return }
      readings[folder] = Reading(names: names, found: found, restCount: restCount)
      byteCount += found.byteCount
    }
  }

  fileprivate static func found(in folder: String, _ names: [String]) -> Found {
    var found = Found()
    var isOfPhotos = false
    var albums: [String: String] = [:]
    let all = Set(names)
    for name in names.sorted() {
      guard name.lowercased().hasSuffix(".json") else {
        found.others.append(name)
        continue
      }
      // It is reported like any other file.
      let picture = described(by: name, all)
      let page = "\(name.withoutFileExtension).html"
      let hasPage = picture == nil && all.contains(page)
      let isWhole = picture == nil && !hasPage
      guard let (data, stamp) = try? bytes(of: folder.withSlash + name, isWhole: isWhole) else {
        continue
      }
      found.byteCount += data.count
      guard let fields = JSONFields(data) else {
        // A list or the like is whole, and none of Google's.
        guard (try? JSONSerialization.jsonObject(with: data)) == nil else { continue }
        if let picture {
          found.damaged.append((name, .damagedSidecar(picture)))
        } else if hasPage, isPage(folder.withSlash + page) {
          found.damaged.append((name, .damagedNoteBesidePage(page)))
        } else if data.range(of: Data("TimestampUsec\"".utf8)) != nil {
          found.damaged.append((name, .damagedKeepNote))
        }
        continue
      }
      if let sidecar = PhotoSidecar(fields) {
        found.sidecars[name] = sidecar
        isOfPhotos = true
      } else if let note = KeepNote(fields) {
        found.notes.append(
          KeepItem(
            path: folder.withSlash + name,
            stamp: stamp,
            note: note,
            sha256: ContentHash.of(data)
          )
        )
      } else if fields.has("title"), fields.has("date") || fields.has("access") {
        var fields = fields
        albums[name] = fields.text("title") ?? ""
      }
    }
    if isOfPhotos { found.albums = albums }
    found.pages = pages(in: folder, names)
    return found
  }

  /// Returns the file with an extension that JSON is named for, as `IMG.jpg.json` is.
  private static func described(by json: String, _ names: Set<String>) -> String? {
    json.indices.reversed().lazy.filter { json[$0] == "." }.map { String(json[..<$0]) }
      .first { names.contains($0) && !$0.fileExtension.isEmpty }
  }

  /// Returns the names of pages in HTML that are notes of Google Keep without JSON.
  ///
  /// If the first page in a folder is none, the others are not looked at.
  private static func pages(in folder: String, _ names: [String]) -> [String] {
    let all = Set(names)
    let alone = names.filter { name in
      name.lowercased().hasSuffix(".html") && !all.contains("\(name.withoutFileExtension).json")
    }
    guard let first = alone.min(), isPage(folder.withSlash + first) else { return [] }
    return alone.sorted().filter { isPage(folder.withSlash + $0) }
  }

  /// Whether a file is such a page, by the marks behind its style.
  private static func isPage(_ path: String) -> Bool {
    guard let (file, _) = try? OpenFile.ahead(path),
      let head = try? file.bytes(at: 0, count: 1 << 15)
    else { return false }
    let data = Data(head)
    return ["<div class=\"note", "<div class=\"heading\">"].allSatisfy { mark in
      data.range(of: Data(mark.utf8)) != nil
    }
  }

  /// Reads a file that may be Google's; `nil` for others.
  ///
  /// Without its end it may lack the marks of such a file.
  private static func bytes(of path: String, isWhole: Bool) throws -> (Data, FileStamp)? {
    guard let (file, status) = try OpenFile.ahead(path, upTo: JSONFields.maximumByteCount) else {
      return nil
    }
    let data = Data(try file.bytes(at: 0, count: Int(status.size)))
    // Most files of JSON are not Google's, and may be large.
    let marks = ["\"photoTakenTime\"", "TimestampUsec\"", "\"access\"", "\"date\""]
    guard !isWhole || marks.contains(where: { data.range(of: Data($0.utf8)) != nil }) else {
      return nil
    }
    return (data, FileStamp(status))
  }

  // MARK: - Photos

  private mutating func addPhotos(_ found: Found, _ beside: [Found], _ folder: String) {
    let all = ([found] + beside).reduce(into: [String: PhotoSidecar]()) { all, next in
      all.merge(next.sidecars) { own, _ in own }
    }
    guard !all.isEmpty else { return }
    // The note of a picture would have its name.
    let own = found.others.filter { !FileNames.isText($0) }
    let pictures = own + beside.flatMap(\.others)
    let names = SidecarNames(all.map { ($0.key, $0.value.fileName) }, beside: pictures)
    var used: Set<String> = []
    for picture in own {
      let match = names.match(picture)
      used.formUnion(match.sidecars)
      // A picture of another export may have the same name.
      let nearest = match.sidecars.first { found.sidecars[$0] != nil } ?? match.sidecars.first
      guard let name = nearest, let sidecar = all[name] else { continue }
      var description = sidecar.description
      description.isOfOtherPart = found.sidecars[name] == nil
      // The copy keeps the name that tells what it is.
      if match.isEdited { description.title = nil }
      descriptions[picture] = description
    }
    for other in beside {
      for picture in other.others { used.formUnion(names.match(picture).sidecars) }
    }
    for name in found.sidecars.keys.sorted() {
      silentNames.insert(name)
      guard !used.contains(name) else { continue }
      let isOfSeveral = names.ambiguous.contains(name)
      let reason: LeftOut.Reason = isOfSeveral ? .sidecarOfSeveral : .sidecarWithoutPicture
      leftOut.append(LeftOut(folder + name, reason))
    }
    for (name, title) in found.albums.sorted(by: { $0.key < $1.key }) {
      silentNames.insert(name)
      leftOut.append(LeftOut(folder + name, .album(title)))
    }
  }

  // MARK: - Keep

  private mutating func addNotes(
    _ found: Found,
    _ beside: [(folder: String, found: Found)],
    _ folder: String
  ) {
    let moments = ([found] + beside.map(\.found)).flatMap(\.notes)
      .map(\.note.createdMicroseconds)
    let counts = Dictionary(moments.map { ($0, 1) }, uniquingKeysWith: +)
    let own = Set(found.others)
    let others = beside.reduce(into: Set<String>()) { $0.formUnion($1.found.others) }
    var pageCount = 0
    for var item in found.notes {
      let name = String(item.path.dropFirst(folder.count))
      let stem = String(name.dropLast(".json".count))
      silentNames.insert(name)
      if own.contains("\(stem).html") {
        silentNames.insert("\(stem).html")
        pageCount += 1
      }
      let moment = item.note.createdMicroseconds
      if moment == nil || counts[moment, default: 0] > 1 { item.distinction = stem }
      describeAttachments(of: item.note, own)
      let attachments = item.note.attachments
      let missing = attachments.filter {
        Self.file($0, in: own) == nil && Self.file($0, in: others) == nil
      }
      leftOut += missing.map { LeftOut(item.path, .attachmentMissing($0)) }
      let isNote = !item.note.isEmpty || attachments.isEmpty
      // Otherwise its pictures have all that it says.
      if isNote { notes.append(item) }
      if isNote || missing.count < attachments.count { usedPaths.insert(item.path) }
    }
    for note in beside.flatMap(\.found.notes) {
      describeAttachments(of: note.note, own, isOfOtherPart: true)
    }
    if !found.notes.isEmpty, own.contains("Labels.txt") {
      silentNames.insert("Labels.txt")
      leftOut.append(LeftOut(folder + "Labels.txt", .labelsOfNotes))
    }
    leftOut += found.pages.map { LeftOut(folder + $0, .pageWithoutNote) }
    if pageCount > 0 {
      leftOut.append(LeftOut(String(folder.dropLast()), .pagesOfNotes(pageCount)))
    }
  }

  private mutating func describeAttachments(
    of note: KeepNote,
    _ names: Set<String>,
    isOfOtherPart: Bool = false
  ) {
    // Pictures stand for a note that has nothing else, and the first has what cannot be taken over.
    var unread = note.isEmpty ? note.description : FileDescription()
    for file in note.attachments {
      guard let name = Self.file(file, in: names), descriptions[name] == nil else { continue }
      var description = FileDescription()
      description.isPinned = note.isEmpty && note.description.isPinned
      (description.unread, description.unreadNames) = (unread.unread, unread.unreadNames)
      unread = FileDescription()
      description.title = note.description.title
      description.addedAt = note.description.createdAt
      description.tags = note.description.tags
      description.isTrashed = note.description.isTrashed
      description.isOfOtherPart = isOfOtherPart
      descriptions[name] = description
    }
  }

  /// Returns the name of the file of an attachment, which may have another extension.
  private static func file(_ attachment: String, in names: Set<String>) -> String? {
    if names.contains(attachment) { return attachment }
    let stem = attachment.withoutFileExtension
    return ["jpg", "jpeg", "png", "gif", "webp", "3gp", "m4a", "amr", "aac"].lazy
      .map { "\(stem).\($0)" }.first(where: names.contains)
  }
}
