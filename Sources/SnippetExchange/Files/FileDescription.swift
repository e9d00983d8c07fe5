import Foundation
import SnippetStorage

/// The properties of a file that are in another file beside it.
struct FileDescription: Equatable, Sendable {
  /// The identity that another program gave the file, whose name may be another in each export.
  var identity: String?
  /// The title.
  var title: String?
  /// The moment that a library shows for a picture.
  var takenAt: Date?
  /// The moment at which the bytes of a picture were made.
  var digitizedAt: Date?
  /// The moment at which the file was added to a library or a note.
  var addedAt: Date?
  /// The moment at which a text was made, for certain.
  var createdAt: Date?
  /// The moment of its last change, for certain.
  var modifiedAt: Date?
  var tags: [String] = []
  var isPinned = false
  var isTrashed = false
  /// The words about a picture.
  var note: String?
  /// Whether a file in another part of an export tells them, which need not be there each time.
  var isOfOtherPart = false
  /// The values that cannot be taken over as they are.
  var unread: [FrontMatterFlaw] = []
  /// The names of values for which a store has no place.
  var unreadNames: [String] = []

  init() {}

  /// Makes a description by JSON, and names the characters in it that are none.
  init(of fields: JSONFields) {
    if let flaw = fields.flaw { unread.append(flaw) }
  }

  /// Adds a tag; one that a store does not take is kept as unread, and an empty one says nothing.
  mutating func add(tag: String) {
    guard !tag.allSatisfy(\.isWhitespace) else { return }
    if let fitting = TextRules.fittingTag(tag) {
      tags.append(fitting)
    } else {
      let reason = "“\(tag.prefix(100))” has a comma, or more than 100 characters (tags)"
      unread.append(FrontMatterFlaw(reason: reason))
    }
  }

  /// Sets the title; one that a store does not take whole is named.
  mutating func set(title: String?) {
    self.title = title
    if let flaw = FrontMatterFlaw(ofTitle: title) { unread.append(flaw) }
  }

  /// Sets the note; one that a store does not take whole is named.
  mutating func set(note: String?) {
    self.note = note
    let limit = TextRules.maximumTextByteCount
    guard let note, note.trimmingCharacters(in: .whitespacesAndNewlines).utf8.count > limit else {
      return
    }
    unread.append(FrontMatterFlaw(reason: "the description was cut to \(limit / 1024) KiB"))
  }

  /// Adds a date of a field in seconds since 1970; one that makes no sense is kept as unread.
  mutating func date(_ seconds: Double?, _ field: String) -> Date? {
    // Programs write zero for none, or the beginning of the year 1.
    guard let seconds, seconds != 0, seconds != -62_135_596_800 else { return nil }
    if let date = Date(storeSeconds: seconds) { return date }
    unread.append(FrontMatterFlaw(reason: "“\(seconds)” is not a date (\(field))"))
    return nil
  }

  /// Adds the names of values that were not read in an object of a list.
  mutating func add(unreadIn fields: JSONFields, of list: String) {
    unreadNames += fields.unreadNames.map { "\(list).\($0)" }
  }

  /// Gives a draft the properties.
  func complete(_ draft: inout SnippetDraft) {
    draft.title = draft.title ?? TextRules.fittingTitle(title)
    draft.tags += tags
    draft.note = draft.note ?? note.map(TextRules.note(of:))
    draft.isPinned = draft.isPinned || isPinned
    draft.createdAt = draft.createdAt ?? createdAt
    draft.modifiedAt = draft.modifiedAt ?? modifiedAt
    draft.hints.dates.add(.libraryTaken, takenAt)
    draft.hints.dates.add(.xmpDigitized, digitizedAt)
    draft.hints.dates.add(.libraryAdded, addedAt)
  }

  /// Returns the description with what another one of the same file tells besides.
  func completed(by other: FileDescription) -> FileDescription {
    var whole = self
    whole.identity = identity ?? other.identity
    whole.title = title ?? other.title
    whole.takenAt = takenAt ?? other.takenAt
    whole.digitizedAt = digitizedAt ?? other.digitizedAt
    whole.addedAt = addedAt ?? other.addedAt
    whole.createdAt = createdAt ?? other.createdAt
    whole.modifiedAt = modifiedAt ?? other.modifiedAt
    let known = TagSet(tags)
    whole.tags += other.tags.filter { !known.contains($0) }
    whole.isPinned = isPinned || other.isPinned
    whole.isTrashed = isTrashed || other.isTrashed
    whole.isOfOtherPart = isOfOtherPart || other.isOfOtherPart
    whole.note = note ?? other.note
    whole.unread += other.unread
    whole.unreadNames += other.unreadNames
    return whole
  }
}
