import SnippetStorage
import SnippetTestSupport
import SnippetTesting
import Testing

@testable import SnippetLoading

/// Edits, their outcomes, edits of others and lists that are behind, in any order, beside plain
/// rows.
struct EditOverlayModelTests {
  @Test(arguments: Array(1...40) as [UInt64])
  func `cells show what was asked for, and in the end what is so`(seed: UInt64) {
    var world = World(seed: seed)
    for _ in 0..<1_000 {
      world.step()
      guard world.violations.isEmpty else { break }
    }
    world.rest()
    #expect(world.violations == [], "seed \(seed)")
  }
}

/// Three snippets in a store, and a list that follows it late.
private struct World {
  private struct Asked {
    var title: String?
    var isPinned: Bool?
  }

  var violations: [String] = []
  private var random: SeededGenerator
  private var overlay = EditOverlay()
  private var stored: [SnippetID: SnippetRow] = [:]
  private var listed: [SnippetID: SnippetRow] = [:]
  /// The edit under way of each snippet.
  private var running: [SnippetID: EditOverlay.PendingAction] = [:]
  /// What was asked for last and has neither failed nor been carried out.
  private var asked: [SnippetID: [UInt64: Asked]] = [:]
  private var held: [SnippetID: SnippetRow] = [:]
  private var lastTitle = 0
  private let ids = (1...3).map { SnippetID(rawValue: $0) }

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    for id in ids { stored[id] = .text(id.rawValue, "text \(id)") }
    listed = stored
  }

  mutating func step() {
    let id = random.element(of: ids)
    switch random.below(10) {
    case 0..<3: send(to: id)
    case 3..<6: end(of: id)
    case 6: changeByOthers(id)
    case 7: listed[id] = stored[id]
    case 8: hold(id)
    default: release(id)
    }
    check(id)
  }

  /// Lets everything come to an end.
  mutating func rest() {
    for id in ids {
      while running[id] != nil { end(of: id) }
      release(id)
      listed[id] = stored[id]
      if shown(id) != stored[id] { violations.append("\(id) is shown as it is not.") }
    }
  }

  private func shown(_ id: SnippetID) -> SnippetRow? { listed[id].map(overlay.shown) }

  private mutating func send(to id: SnippetID) {
    guard let seen = shown(id) else { return }
    var wish = Asked()
    if random.chance(0.5) {
      lastTitle += 1
      wish.title = "mine \(lastTitle)"
    } else {
      wish.isPinned = !seen.isPinned
    }
    let edit = SnippetEdit(title: wish.title, isPinned: wish.isPinned)
    let number = overlay.add(.edit(edit), seen: seen)
    var joined = asked[id, default: [:]][number] ?? Asked()
    joined.title = wish.title ?? joined.title
    joined.isPinned = wish.isPinned ?? joined.isPinned
    asked[id, default: [:]][number] = joined
    begin(id)
  }

  private mutating func begin(_ id: SnippetID) {
    guard let next = overlay.begin(of: id) else { return }
    if running[id] != nil { violations.append("Two edits of \(id) run at once.") }
    running[id] = next
  }

  /// The store carries an edit out, or refuses it.
  private mutating func end(of id: SnippetID) {
    guard let pending = running.removeValue(forKey: id), let edit = pending.action.edit,
      let former = stored[id]
    else { return }
    let wish = asked[id]?.removeValue(forKey: pending.number)
    if wish?.title != edit.title || wish?.isPinned != edit.isPinned {
      violations.append("An edit is not what was asked for.")
    }
    let isConflict =
      edit.title != nil && former.title != pending.seen.title && former.title != edit.title
    if isConflict || random.chance(0.2) {
      overlay.takeBack(id)
    } else {
      let row = former.edited(by: edit).copy(revision: former.revision + 1)
      stored[id] = row
      overlay.finish(id, EditOutcome(row: row, formerRevision: former.revision))
    }
    overlay.rest([id])
    begin(id)
  }

  private mutating func changeByOthers(_ id: SnippetID) {
    guard let row = stored[id] else { return }
    lastTitle += 1
    stored[id] = row.copy(
      title: random.chance(0.5) ? "theirs \(lastTitle)" : nil,
      isPinned: random.chance(0.5) ? !row.isPinned : nil,
      revision: row.revision + 1
    )
  }

  private mutating func hold(_ id: SnippetID) {
    guard held[id] == nil, let row = shown(id) else { return }
    held[id] = row
    overlay.hold(SnippetFields(.title), of: row)
  }

  private mutating func release(_ id: SnippetID) {
    held[id] = nil
    overlay.release(id)
  }

  private mutating func check(_ id: SnippetID) {
    guard let row = shown(id), let list = listed[id] else { return }
    if row.revision < list.revision { violations.append("\(id) goes back.") }
    let wishes = (asked[id] ?? [:]).sorted { $0.key < $1.key }.map(\.value)
    let title = held[id]?.title ?? wishes.compactMap(\.title).last
    if let title, row.title != title { violations.append("The title of \(id) is not shown.") }
    if let isPinned = wishes.compactMap(\.isPinned).last, row.isPinned != isPinned {
      violations.append("The pin of \(id) is not shown.")
    }
  }
}
