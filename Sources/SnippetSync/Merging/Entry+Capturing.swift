import Foundation
import SnippetRecognition
import SnippetStorage

/// A snippet as the store has it now.
struct CapturedRow: Hashable, Sendable {
  var uuid: UUID
  var content: SyncedContent
  var title: String
  /// The note of an image or recording; empty if there is none.
  var note = ""
  var isPinned: Bool
  /// Milliseconds since 1970, UTC, as the next two.
  var createdAt: Int64
  var modifiedAt: Int64
  var deletedAt: Int64?
  var tags: [String]
  /// The path of a file that the snippet was made of.
  var file: String?
  /// The beginning of a long text whose preview does not begin with the title; empty for others.
  var beginning = ""

  /// Whether the title is one that the program makes of a content: of its first line or of the path
  /// of its file.
  var hasMadeTitle: Bool {
    if isTitleOfContent { return true }
    guard let path = file ?? content.file else { return false }
    return TextRules.isTitle(title, ofFileAt: path, isText: content.kind == .text)
  }

  private var isTitleOfContent: Bool {
    guard content.kind == .text else { return title.isEmpty }
    switch content.body {
    case .text(let text): return TextPreview(of: text).makes(title)
    case .blob: return previewBeginsWithTitle || TextPreview(of: beginning).makes(title)
    }
  }

  /// Whether the preview of a text, in which no line ends, begins with the title.
  var previewBeginsWithTitle: Bool {
    content.preview.hasPrefix(title.hasSuffix("…") ? String(title.dropLast()) : title)
  }
}

extension Entry {
  /// Makes the first entry of a snippet.
  ///
  /// Its stamps are the date of the snippet's last change, but not later than now. What no person has
  /// given is no edit, and gives way to every edit.
  init(of row: CapturedRow, on device: DeviceID, now: Int64) {
    let stamp = Stamp(min(row.modifiedAt, now), device)
    let unedited = Stamp.unedited(on: device)
    var content = row.content
    content.title = row.title
    self.init(
      uuid: row.uuid,
      content: ContentVersions(content, stamp),
      title: row.hasMadeTitle
        ? Register(.ofContent, unedited) : Register(.title(row.title), stamp),
      pin: row.isPinned ? Register(.pinned, stamp) : Register(.unpinned, unedited),
      createdAt: Register(row.createdAt, row.createdAt == row.modifiedAt ? unedited : stamp),
      modifiedAt: Register(row.modifiedAt, stamp),
      trash: Register(row.deletedAt.map(TrashMark.since) ?? .out, stamp)
    )
    if !row.note.isEmpty { note.replace(by: row.note, at: stamp.milliseconds, on: device) }
    if row.deletedAt != nil { noteTrashed() }
    for tag in row.tags { tags[Self.folded(tag)] = Register(.on(tag), stamp) }
  }

  /// Adds what has been edited on this device since the entry was captured or merged.
  ///
  /// Whatever differs gets the stamp of the edit: the date of the last change where that has moved,
  /// otherwise now. So an edit of Monday that is captured on Friday does not beat one of Wednesday,
  /// and an edit always beats what it replaced.
  ///
  /// - Parameters:
  ///   - row: The snippet as it is now.
  ///   - device: This device.
  ///   - now: Milliseconds since 1970.
  /// - Returns: Whether anything differs.
  @discardableResult
  mutating func capture(_ row: CapturedRow, on device: DeviceID, now: Int64) -> Bool {
    let former = self
    let edited = row.modifiedAt == modifiedAt.value ? now : min(row.modifiedAt, now)
    func stamp(replacing replaced: Stamp?) -> Stamp {
      Stamp(Stamp.moment(of: edited, replacing: replaced?.milliseconds), device)
    }
    func set<Value>(_ register: inout Register<Value>, _ value: Value) {
      if register.value != value {
        register = Register(value, stamp(replacing: register.stamp))
      }
    }

    var new = row.content
    let old = content.shown
    // Only a new version takes the title and the file of its time. A preview and the facts follow
    // from the bytes, and another version of this package, or a decoder, may find others.
    if let old {
      (new.title, new.file) = (old.title, old.file)
      if new.hasBytes(of: old) {
        (new.preview, new.facts, new.others) = (old.preview, old.facts, old.others)
      }
    }
    let hasNewNote = row.note != shownNote
    if hasNewNote { note.replace(by: row.note, at: edited, on: device) }
    // A new note makes a new version too, so that it brings back what others have deleted.
    let isNewVersion = isDeleted || new != old || hasNewNote
    // A title that follows its content is no edit: it gives way to one that a person gives elsewhere.
    let hasFollowed = isNewVersion && title.value == .ofContent && row.hasMadeTitle
    let isRenamed = row.title != shownTitle && !hasFollowed
    if isNewVersion {
      (new.title, new.file) = (row.title, row.content.file ?? old?.file)
      content.replace(by: new, at: edited, on: device)
    }
    if isRenamed {
      title = Register(.title(row.title), stamp(replacing: title.stamp))
    }
    set(&pin, row.isPinned ? .pinned : .unpinned)
    set(&createdAt, row.createdAt)
    set(&modifiedAt, row.modifiedAt)
    let carried = Dictionary(row.tags.map { (Self.folded($0), $0) }) { one, _ in one }
    for (name, tag) in carried {
      if case .on = tags[name]?.value { continue }
      tags[name] = Register(.on(tag), stamp(replacing: tags[name]?.stamp))
    }
    for (name, mark) in tags where carried[name] == nil && mark.value != .off {
      tags[name] = Register(.off, stamp(replacing: mark.stamp))
    }
    if row.deletedAt != deletedAt {
      let mark = row.deletedAt.map(TrashMark.since) ?? .out
      trash = Register(mark, stamp(replacing: trash.stamp))
      if row.deletedAt != nil { noteTrashed() }
    }
    return self != former
  }

  /// Notes all that is known where the snippet is moved to the trash: only what is not brings it back.
  private mutating func noteTrashed() {
    trashedVersions.join(content.known)
    trashedNotes.join(note.known)
  }

  /// Adds that the snippet has been deleted for good on this device.
  ///
  /// The texts of the entry go. What is known stays, so that it keeps other devices from bringing that
  /// back.
  ///
  /// - Returns: Whether it was there.
  @discardableResult
  mutating func captureDeletion() -> Bool {
    guard !isDeleted else { return false }
    content.versions = [:]
    title.value = .ofContent
    note.texts = [:]
    return true
  }

  /// Adds that the conflict copy of a version has been edited or deleted for good on this device.
  ///
  /// A version that only the copy showed goes, as the person means it. One that the snippet shows too is
  /// not meant. It becomes a version of its own, so that it gets another copy where a later one beats it.
  /// So does the shown one where that which goes may have come with a text of the note: the text stays, and
  /// a deletion that did not know it must not take it along.
  ///
  /// - Returns: Whether anything differs.
  mutating func captureEnd(ofCopyOf stamp: Stamp, on device: DeviceID) -> Bool {
    guard content.versions[stamp] != nil || !content.known.knows(stamp) else { return false }
    let (shown, isInTrash) = (content.shown, deletedAt != nil)
    let isMeant =
      content.last != stamp && !note.texts.keys.contains { $0.device == stamp.device }
    content.drop(stamp)
    if let shown, !isMeant {
      // As early as can be: this beats no edit.
      content.replace(by: shown, at: stamp.milliseconds, on: device)
      if isInTrash { noteTrashed() }
    }
    return true
  }
}
