import Foundation
import SnippetBase
import SnippetTestSupport
import Testing

@testable import SnippetStorage

/// Live lists against a plain array, with several editors.
@Suite(.temporaryDirectory, .seeded, .timeLimit(.minutes(30)))
struct LiveListModelTests {
  @Test(arguments: [0, 30, 400])
  func `batches applied in their order make the old rows into the new ones`(
    size: Int
  ) async throws {
    var world = try await LiveWorld(size: size)
    for _ in 0..<(size > 100 ? 4 : 8) {
      try await world.edit()
      try world.expectAgreement()
    }
    try await world.end()
  }
}

/// A file with two stores and a shell that edit it, and lists that follow.
private struct LiveWorld {
  private struct Follower {
    let list: SnippetList
    let updates: ListFollower
    var shown: [SnippetRow] = []
    /// Rows in memory, as a loader has them, of a state that may be rounds old.
    var held: SnippetPage
  }

  private let stores: [SnippetStore]
  private let shell: ShellSession
  private var snippets: RandomSnippets
  private var followers: [Follower] = []
  private var all: [SnippetID] = []
  private var story = ""

  init(size: Int) async throws {
    let seed = SeededGenerator.runSeed &+ UInt64(size)
    let dates = Lock(RandomSnippets(random: SeededGenerator(seed: ~seed)))
    var configuration = SnippetStore.Configuration.withoutLooks
    configuration.now = { dates.withLock { $0.date() } }
    stores = try (0..<2).map { _ in try TemporaryStore.open(configuration: configuration) }
    shell = try ShellSession(TemporaryDirectory.file("store.sqlite"))
    snippets = RandomSnippets(random: SeededGenerator(seed: seed))
    let drafts = (0..<size).map { _ in snippets.draft() }
    try await stores[0].save(contentsOf: drafts)
    let filters = [
      SnippetFilter(tags: ["RARE"]), SnippetFilter(tags: ["home", "work"]),
      SnippetFilter(kinds: [.text], isPinned: false), SnippetFilter(isPinned: true),
      SnippetFilter(createdAt: Date(timeIntervalSince1970: -50_000)..<Date()), snippets.filter(),
      .trash, SnippetFilter(kinds: [.text], isInTrash: true),
      SnippetFilter(tags: ["home"], isInTrash: true),
    ]
    let narrowed = RandomSnippets.conditions.compactMap { SnippetFilter.all.narrowed(by: $0.query) }
    for (number, order) in SnippetOrder.all.enumerated() {
      // Each filter meets several orders.
      for filter in [.all, .trash, narrowed[number % narrowed.count]]
        + (0..<3).map({ filters[(number * 3 + $0) % filters.count] })
      {
        let list = stores[0].list(filter, order: order)
        var follower = Follower(
          list: list,
          updates: ListFollower(list),
          held: try list.page(3..<40)
        )
        follower.shown = try list.rows(in: 0..<100_000)
        followers.append(follower)
      }
    }
  }

  /// Makes some edits, and asks some lists in between.
  mutating func edit() async throws {
    story = ""
    for _ in 0..<1 + snippets.random.below(5) {
      all = try [SnippetFilter.all, .trash].flatMap {
        try stores[1].list($0, order: .oldestFirst).rows(in: 0..<100_000).map(\.id)
      }
      switch snippets.random.below(3) {
      case 0: try await editWithShell()
      case let store: try await edit(with: stores[store - 1])
      }
      if snippets.random.chance(0.3) {
        for _ in 0..<5 { _ = try snippets.random.element(of: followers).list.count }
      }
    }
  }

  func end() async throws { try await shell.end() }

  private mutating func edit(with store: SnippetStore) async throws {
    let choice = snippets.random.below(13)
    story += "store \(choice), "
    switch choice {
    case 0:
      // Enough for blocks to be cut.
      let drafts = (0..<300).map { _ in snippets.draft() }
      try await store.save(contentsOf: drafts)
    case 1:
      let start = snippets.random.below(all.count + 1)
      try await store.delete(Array(all[start...].prefix(250)))
    case 2...4:
      for _ in 0..<1 + snippets.random.below(4) { try await store.save(snippets.draft()) }
    case 5, 6:
      try await store.delete(ids(snippets.random.below(4)))
    case 7:
      let start = snippets.random.below(all.count + 1)
      try await store.moveToTrash(Array(all[start...].prefix(120)))
    case 8: try await store.moveToTrash(ids(1 + snippets.random.below(4)))
    case 9: try await store.undelete(ids(20))
    default:
      for id in ids(1 + snippets.random.below(8)) where try store.row(id)?.deletedAt == nil {
        try await store.apply(snippets.changes(), to: id)
      }
    }
  }

  private mutating func editWithShell() async throws {
    let choice = snippets.random.below(13)
    story += "shell \(choice), "
    let id = ids(1).first ?? SnippetID(rawValue: 1)
    let other = ids(1).first ?? id
    let tag = snippets.random.element(of: ["home", "Work", "rare", "a b"])
    let sql =
      switch choice {
      case 0: "UPDATE snippet SET title = 'shell', pinned = 1 - pinned WHERE id = \(id);"
      case 1:
        "UPDATE snippet SET created_at = created_at + 1, revision = revision + 3 WHERE id = \(id);"
      case 2: "INSERT INTO snippet (kind, title, created_at) VALUES (1, 'Shell', 5), (1, 'a', 4);"
      case 3: "DELETE FROM snippet WHERE id IN (\(id), \(other));"
      case 4: "DELETE FROM tag WHERE name = '\(tag)';"
      case 5:
        // It would rightly be refused where there is such a tag already.
        "UPDATE tag SET name = 'was ' || name WHERE name = '\(tag)' "
          + "AND NOT EXISTS (SELECT 1 FROM tag WHERE name = 'was \(tag)');"
      case 6:
        // A tag that nothing carries would rightly fail the check at the end.
        "INSERT OR IGNORE INTO tag (name) SELECT '\(tag)' "
          + "WHERE NOT EXISTS (SELECT 1 FROM tag WHERE name = '\(tag)') "
          + "AND EXISTS (SELECT 1 FROM snippet WHERE id IN (\(id), \(other))); "
          + "REPLACE INTO snippet_tag SELECT snippet.id, tag.id FROM snippet, tag "
          + "WHERE name = '\(tag)' AND snippet.id IN (\(id), \(other));"
      case 7:
        "PRAGMA foreign_keys = ON; PRAGMA recursive_triggers = ON; "
          + "UPDATE OR REPLACE snippet SET modified_at = 7 WHERE id = \(id); "
          + "DELETE FROM snippet_tag WHERE snippet_id = \(other); "
          + "PRAGMA foreign_keys = OFF; PRAGMA recursive_triggers = OFF;"
      case 8:
        "UPDATE snippet SET deleted_at = 7, title = 'gone' WHERE id IN (\(id), \(other));"
      case 9: "UPDATE snippet SET deleted_at = NULL, created_at = 3 WHERE id IN (\(id), \(other));"
      case 10:
        "PRAGMA recursive_triggers = ON; "
          + "UPDATE snippet SET deleted_at = CASE WHEN deleted_at IS NULL THEN 9 END "
          + "WHERE id = \(id); PRAGMA recursive_triggers = OFF;"
      case 11:
        "INSERT INTO snippet (kind, title, created_at, deleted_at) VALUES (1, 'dead', 5, 6); "
          + "UPDATE snippet SET deleted_at = deleted_at + 1, pinned = 1 WHERE id = \(id);"
      default:
        // It comes and goes, and comes again.
        "INSERT INTO snippet (id, kind, title) VALUES (900000, 1, 'm'); "
          + "DELETE FROM snippet WHERE id = 900000; "
          + "BEGIN; DELETE FROM snippet WHERE id = \(id); ROLLBACK;"
      }
    let output = try await shell.run(sql)
    #expect(output == "")
  }

  private mutating func ids(_ count: Int) -> [SnippetID] {
    guard !all.isEmpty else { return [] }
    return Set((0..<count).map { _ in snippets.random.element(of: all) }).sorted()
  }

  mutating func expectAgreement() throws {
    // A new list knows nothing of changes.
    let rows = try [SnippetFilter.all, .trash].flatMap {
      try stores[1].list($0).rows(in: 0..<100_000)
    }
    var model = ListModel()
    for row in rows { model.rows[row.id] = row }
    for index in followers.indices {
      var follower = followers[index]
      follower.shown = try expectedRows(of: &follower, model)
      followers[index] = follower
    }
  }

  /// Compares a list with the array, and gives the latter.
  private mutating func expectedRows(
    of follower: inout Follower,
    _ model: ListModel
  ) throws -> [SnippetRow] {
    let list = follower.list
    let expected = model.rows(list.filter, list.order)
    let comment: Comment = "\(list.filter), \(list.order): \(story)"
    #expect(try list.count == expected.count, comment)

    var shown = follower.shown.map(\.id)
    var told: Set<SnippetID> = []
    while let batch = follower.updates.takeBatch() {
      #expect(!batch.isReset, comment)
      #expect(batch.formerCount == shown.count, comment)
      guard !batch.isReset, batch.formerCount == shown.count else { break }
      let former = shown
      var version = batch.formerVersion
      #expect(batch.apply(to: &shown, at: &version) { $0.id }, comment)
      #expect(batch.count == shown.count, comment)
      #expect(Set(shown).count == shown.count, comment)
      expectAnchors(of: batch, from: former, to: shown, comment)
      told.formUnion((batch.inserted + batch.updated).map(\.id) + batch.moved.map(\.id))
    }
    #expect(shown == expected.map(\.id), comment)

    // Whatever was not reported is as it was.
    let former = Dictionary(uniqueKeysWithValues: follower.shown.map { ($0.id, $0) })
    for row in expected where !told.contains(row.id) {
      #expect(former[row.id] == row, comment)
    }
    try expectAnchoredRows(of: list, from: follower.shown, to: expected, comment)
    try expectUpdate(of: list, &follower.held, to: expected, comment)
    let start = snippets.random.below(expected.count + 1)
    #expect(try list.rows(in: start..<start + 20) == Array(expected[start...].prefix(20)), comment)
    if let row = expected.randomElement(using: &snippets.random) {
      #expect(try list.position(of: row.id) == expected.firstIndex(of: row), comment)
    }
    return expected
  }

  /// Brings rows that are held up to date, now and then, and reads no row that stayed as it was.
  private mutating func expectUpdate(
    of list: SnippetList,
    _ held: inout SnippetPage,
    to expected: [SnippetRow],
    _ comment: Comment
  ) throws {
    guard snippets.random.chance(0.5) else { return }
    let positions = held.start..<held.start + held.rows.count
    let places = zip(positions, held.rows).prefix(4).map { RowPlace(id: $1.id, position: $0) }
    let wanted = positions.lowerBound..<positions.upperBound + snippets.random.below(20)

    let update = try list.update(
      HeldRows(version: held.version, count: held.count, positions: positions),
      at: wanted,
      anchoredAt: snippets.random.chance(0.5) ? places : []
    )

    let map = ListPositions(update.batch)
    let formerRows = Dictionary(uniqueKeysWithValues: held.rows.map { ($0.id, $0) })
    held = SnippetPage(
      version: update.batch.version,
      count: update.batch.count,
      start: update.positions.lowerBound,
      rows: try update.positions.map { position in
        let place = map.old(position) - positions.lowerBound
        let kept = held.rows.indices.contains(place) ? held.rows[place] : nil
        return try #require(update.rows[position] ?? kept, comment)
      }
    )
    #expect(held.rows == Array(expected[update.positions]), comment)
    #expect(held.count == expected.count, comment)
    guard !update.batch.isReset else { return }
    let told = Set(
      update.batch.inserted.map(\.id) + update.batch.updated.map(\.id)
        + update.batch.moved.map(\.id)
    )
    #expect(
      update.rows.values.allSatisfy { told.contains($0.id) || formerRows[$0.id] == nil },
      comment
    )
  }

  /// Asks for the rows around what may be on screen, as it was before and as it is now.
  private mutating func expectAnchoredRows(
    of list: SnippetList,
    from former: [SnippetRow],
    to expected: [SnippetRow],
    _ comment: Comment
  ) throws {
    let start = snippets.random.below(former.count + 1)
    let places = former.indices[start...].prefix(8).map {
      RowPlace(id: former[$0].id, position: $0)
    }
    let anchored = try list.update(
      HeldRows(version: .min, count: 0, positions: 0..<0),
      at: start..<start + 8,
      anchoredAt: places
    )

    let positions = Dictionary(uniqueKeysWithValues: expected.enumerated().map { ($1.id, $0) })
    let place = places.first { positions[$0.id] != nil }
    let anchor = place.flatMap { place in
      positions[place.id].map { RowMove(id: place.id, from: place.position, to: $0) }
    }
    #expect(anchored.anchor == anchor, comment)
    let first = start + (anchor.map { $0.to - $0.from } ?? 0)
    let range = (max(0, first)..<max(0, first) + 8).clamped(to: 0..<expected.count)
    #expect(range.map { anchored.rows[$0] } == Array(expected[range]), comment)
    #expect(anchored.positions == range, comment)
  }

  private func expectAnchors(
    of batch: ListBatch,
    from former: [SnippetID],
    to shown: [SnippetID],
    _ comment: Comment
  ) {
    let positions = Dictionary(uniqueKeysWithValues: shown.enumerated().map { ($1, $0) })
    let moved = Set(batch.moved.map(\.id))
    // From the end on: where the next row that stays in its order stands.
    var next = shown.count - 1
    for (position, id) in former.enumerated().reversed() {
      if let now = positions[id], !moved.contains(id) { next = now }
      let expected = positions[id] ?? (shown.isEmpty ? nil : next)
      #expect(batch.position(of: position) == expected, comment)
    }
  }
}
