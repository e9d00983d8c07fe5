import Foundation

/// A naive record of all edits: which text was made from which, and what was done to it by whom.
///
/// It knows nothing of stamps or versions, and tells from the history alone what must be there.
struct SyncOracle {
  fileprivate struct Edit {
    var text: String
    var parent: String?
    /// The snippet; `nil` for what several devices import.
    var uuid: UUID?
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
    /// The texts that were there where a snippet was edited or deleted: a copy may have one of them from
    /// then on, and the snippet not.
    fileprivate var left: [UUID: Set<String>] = [:]

    /// Adds what was done in another stretch.
    fileprivate mutating func add(_ other: Deeds) {
      edits += other.edits
      deleted += other.deleted
      trashed += other.trashed
      left.merge(other.left) { $0.union($1) }
    }
  }

  private var sent = Deeds()
  private var unsent: [Int: Deeds] = [:]
  private var broughtBack: Set<Mark> = []
  /// What may have been sent by a synchronization that failed, before its device went back.
  private var possible = Deeds()

  /// Notes an edit.
  ///
  /// - Parameters:
  ///   - text: The new text.
  ///   - parent: The former one; `nil` for a new snippet.
  ///   - uuid: The snippet; `nil` for one that becomes one with a twin.
  ///   - texts: All texts of the device, before the edit.
  ///   - device: The device.
  mutating func edit(
    _ text: String,
    from parent: String?,
    of uuid: UUID?,
    among texts: Set<String> = [],
    on device: Int
  ) {
    unsent[device, default: Deeds()].edits.append(Edit(text: text, parent: parent, uuid: uuid))
    if let uuid { unsent[device]?.left[uuid, default: []].formUnion(texts) }
  }

  /// Notes a deletion for good; `isKnown` tells whether other devices may know the snippet.
  mutating func delete(
    _ uuid: UUID,
    _ text: String,
    among texts: Set<String>,
    isKnown: Bool,
    on device: Int
  ) {
    if isKnown {
      unsent[device, default: Deeds()].deleted.append(Mark(uuid: uuid, text: text))
      unsent[device]?.left[uuid, default: []].formUnion(texts)
    } else {
      // It had no other text that was sent.
      var text: String? = text
      while let gone = unsent[device]?.edits.firstIndex(where: { $0.text == text }) {
        text = unsent[device]?.edits.remove(at: gone).parent
      }
    }
  }

  /// Notes a move to the trash.
  ///
  /// A text that a copy has beside the snippet goes there with it.
  mutating func trash(_ uuid: UUID, among texts: Set<String>, on device: Int) {
    unsent[device, default: Deeds()].trashed += texts.map { Mark(uuid: uuid, text: $0) }
  }

  /// Notes that a device captures a text as if it were new, so that a deletion of the same text
  /// elsewhere does not meet it.
  ///
  /// A restored backup does so where its entries do not know that the text was sent.
  mutating func bringBack(_ uuid: UUID, _ text: String) {
    broughtBack.insert(Mark(uuid: uuid, text: text))
  }

  mutating func send(of device: Int) {
    guard let deeds = unsent.removeValue(forKey: device) else { return }
    sent.add(deeds)
  }

  /// Notes that a device has gone back to a backup, with what was not sent then.
  mutating func goBack(of device: Int, to deeds: Deeds) {
    possible.add(self[unsentOf: device])
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
    let trashed = Set(sent.trashed + possible.trashed)
    var left = sent
    left.add(possible)
    let uuids = Set(rows.map(\.uuid))
    var problems: [String] = []
    for edit in sent.edits
    where !replaced.contains(edit.text) && !deletedTexts.contains(edit.text) {
      if !present.contains(edit.text) {
        problems.append("lost: \(edit.text)")
      } else if let uuid = edit.uuid, !uuids.contains(uuid),
        left.left[uuid]?.contains(edit.text) != true
      {
        problems.append("only in a copy: \(edit.text)")
      }
    }
    for row in rows {
      if deleted.contains(Mark(uuid: row.uuid, text: row.text)) {
        problems.append("undead: \(row.text)")
      }
      if row.isInTrash, !trashed.contains(Mark(uuid: row.uuid, text: row.text)) {
        problems.append("in the trash though only an earlier text was put there: \(row.text)")
      }
    }
    return problems
  }
}
