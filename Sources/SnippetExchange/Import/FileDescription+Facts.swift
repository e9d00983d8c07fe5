import Foundation
import SnippetStorage

extension FileDescription {
  /// The properties as an origin stores them; `nil` if there are none.
  var facts: ToldFacts? {
    var facts = ToldFacts()
    facts.identity = identity
    facts.title = TextRules.fittingTitle(title)
    if !tags.isEmpty { facts.tags = tags }
    if isPinned { facts.pinned = true }
    if isTrashed { facts.trashed = true }
    facts.note = fittingNote.map(SideFile.hash(of:))
    facts.taken = (takenAt ?? digitizedAt)?.clampedToStore.milliseconds
    facts.added = addedAt?.clampedToStore.milliseconds
    facts.created = createdAt?.clampedToStore.milliseconds
    facts.modified = modifiedAt?.clampedToStore.milliseconds
    guard facts != ToldFacts() else { return nil }
    if isOfOtherPart { facts.part = true }
    return facts
  }

  /// The note as a snippet has it; `nil` if there is none.
  var fittingNote: String? {
    let fitting = note.map(TextRules.note(of:))
    return fitting?.isEmpty == false ? fitting : nil
  }
}
