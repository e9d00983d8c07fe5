import Foundation

/// A naive record of all edits: which text was made from which, and what was done to it by whom.
///
/// It knows nothing of stamps or versions, and tells from the history alone what must be there.
struct SyncOracle {
  fileprivate struct Edit {
    var text: String
    var parent: String?
  }

  fileprivate struct Mark: Hashable {
    var uuid: UUID
    var text: String
  }

  /// What a device did.
  struct Deeds {
    fileprivate var edits: [Edit] = []
    fileprivate var deleted: [Mark] = []
    fileprivate var trashed: [Mark] = []
  }

  private var sent = Deeds()
  private var unsent: [Int: Deeds] = [:]
  private var broughtBack: Set<Mark> = []
  /// What may have been sent by a synchronization that failed, before its device went back.
  private var possible = Deeds()

  mutating func edit(_ text: String, from parent: String?, on device: Int) {
    unsent[device, default: Deeds()].edits.append(Edit(text: text, parent: parent))
  }

  /// Notes a deletion for good; `isKnown` tells whether other devices may know the snippet.
  mutating func delete(_ uuid: UUID, _ text: String, isKnown: Bool, on device: Int) {
    if isKnown {
      unsent[device, default: Deeds()].deleted.append(Mark(uuid: uuid, text: text))
    } else {
      // It had no other text that was sent.
      var text: String? = text
      while let gone = unsent[device]?.edits.firstIndex(where: { $0.text == text }) {
        text = unsent[device]?.edits.remove(at: gone).parent
      }
    }
  }

  mutating func trash(_ uuid: UUID, _ text: String, on device: Int) {
    unsent[device, default: Deeds()].trashed.append(Mark(uuid: uuid, text: text))
  }

  /// Notes that a restored backup holds a text which its entries do not know to be sent.
  ///
  /// It is captured as if it were new, so a deletion of the same text elsewhere does not meet it.
  mutating func bringBack(_ uuid: UUID, _ text: String) {
    broughtBack.insert(Mark(uuid: uuid, text: text))
  }

  mutating func send(of device: Int) {
    guard let deeds = unsent.removeValue(forKey: device) else { return }
    sent.edits += deeds.edits
    sent.deleted += deeds.deleted
    sent.trashed += deeds.trashed
  }

  /// Notes that a device has gone back to a backup, with what was not sent then.
  mutating func goBack(of device: Int, to deeds: Deeds) {
    let undone = self[unsentOf: device]
    possible.edits += undone.edits
    possible.deleted += undone.deleted
    possible.trashed += undone.trashed
    unsent[device] = deeds
  }

  /// What a device has done and not sent yet, which a backup of it holds too.
  subscript(unsentOf device: Int) -> Deeds {
    get { unsent[device] ?? Deeds() }
    set { unsent[device] = newValue }
  }

  /// Says what is wrong with a state in which all devices agree.
  ///
  /// - Parameter rows: The snippets: their identities, their texts, and whether they are in the
  ///   trash.
  /// - Returns: The problems.
  func problems(_ rows: [(uuid: UUID, text: String, isInTrash: Bool)]) -> [String] {
    let replaced = Set((sent.edits + possible.edits).compactMap(\.parent))
    let deletedTexts = Set((sent.deleted + possible.deleted).map(\.text))
    let present = Set(rows.map(\.text))
    let deleted = Set(sent.deleted).subtracting(broughtBack)
    let trashedTexts = Set((sent.trashed + possible.trashed).map(\.text))
    var problems: [String] = []
    for edit in sent.edits
    where !replaced.contains(edit.text) && !deletedTexts.contains(edit.text)
      && !present.contains(edit.text)
    {
      problems.append("lost: \(edit.text)")
    }
    for row in rows {
      if deleted.contains(Mark(uuid: row.uuid, text: row.text)) {
        problems.append("undead: \(row.text)")
      }
      if row.isInTrash, !trashedTexts.contains(row.text) {
        problems.append("in the trash though only an earlier text was put there: \(row.text)")
      }
    }
    return problems
  }
}
