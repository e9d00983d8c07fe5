import SnippetTestSupport
import Testing

@testable import SnippetStorage

/// Batches joined to one, against plain arrays.
@Suite(.seeded)
struct ListHistoryTests {
  @Test func `joined batches make the old rows into the new ones`() throws {
    var random = SeededGenerator()
    for round in 0..<400 {
      var list = PlainList(count: random.below(30), &random)
      var history = ListHistory()
      var states = [list.rows]
      for _ in 0..<1 + random.below(6) {
        history.append(list.edit(&random))
        states.append(list.rows)
      }
      for (version, former) in states.enumerated().dropLast() {
        let batch = try #require(history.batch(after: Int64(version)))
        #expect(batch.version == list.version)

        // What was not told of is as it was.
        let told = Set((batch.inserted + batch.updated).map(\.id) + batch.moved.map(\.id))
        let now = Dictionary(uniqueKeysWithValues: list.rows.map { ($0.id, $0) })
        var (shown, shownVersion) = (former, Int64(version))
        let isApplied = try batch.apply(to: &shown, at: &shownVersion) {
          try #require(now[$0.id])
        }
        #expect(isApplied && shown == list.rows, "round \(round): \(batch)")
        #expect(shownVersion == list.version)
        var host = HostRules()
        host.reload(former.map(\.id))
        host.update(by: batch)
        #expect(host.violations == [], "round \(round): \(batch)")
        #expect(host.ids(in: []) == list.rows.map(\.id), "round \(round): \(batch)")
        let stayed = former.filter { !told.contains($0.id) && now[$0.id] != nil }
        #expect(stayed.allSatisfy { $0 == now[$0.id] }, "round \(round): \(batch)")

        let ids = batch.removed.map(\.id) + told
        #expect(ids.count == Set(ids).count, "round \(round): \(batch)")
        #expect(batch.removed.allSatisfy { former[$0.position].id == $0.id })
        #expect(batch.moved.allSatisfy { former[$0.from].id == $0.id })
        #expect((batch.inserted + batch.updated).allSatisfy { list.rows[$0.position].id == $0.id })
      }
    }
  }

  @Test func `what came and went in between is not told of`() throws {
    let id = SnippetID(rawValue: 7)
    var came = ListBatch(formerVersion: 1, version: 2, formerCount: 3, count: 4)
    came.inserted = [RowPlace(id: id, position: 1)]
    var went = ListBatch(formerVersion: 2, version: 3, formerCount: 4, count: 3)
    went.removed = [RowPlace(id: id, position: 1)]

    let joined = try #require(came.joined(with: went))

    #expect(joined == ListBatch(formerVersion: 1, version: 3, formerCount: 3, count: 3))
    #expect(came.joined(with: came) == nil)
  }

  @Test func `a reset is told alone, and what follows it after it`() throws {
    var history = ListHistory()
    var reset = ListBatch(formerVersion: 1, version: 2, formerCount: 3, count: 900)
    reset.isReset = true
    var removal = ListBatch(formerVersion: 2, version: 3, formerCount: 900, count: 899)
    removal.removed = [RowPlace(id: SnippetID(rawValue: 1), position: 0)]
    history.append(reset)
    history.append(removal)

    #expect(history.batch(after: 1)?.isReset == true)
    #expect(history.batch(after: 2) == removal)
    #expect(history.batch(after: 3) == nil)
  }

  @Test func `batches are joined as long as the rows can be told one by one`() throws {
    var history = ListHistory()
    for version in 0..<3 as Range<Int64> {
      let count = 600 * Int(version)
      var batch = ListBatch(
        formerVersion: version,
        version: version + 1,
        formerCount: count,
        count: count + 600
      )
      batch.inserted = (0..<600).map {
        RowPlace(id: SnippetID(rawValue: Int64(count + $0 + 1)), position: count + $0)
      }
      history.append(batch)
    }

    let first = try #require(history.batch(after: 0))
    #expect((first.version, first.isReset, first.inserted.count) == (1, false, 600))
  }

  @Test func `what is kept is bounded`() {
    var history = ListHistory()
    var random = SeededGenerator()
    var list = PlainList(count: 20, &random)
    for _ in 0..<200 { history.append(list.edit(&random)) }

    #expect(history.batch(after: 0) == nil)
    #expect(history.batch(after: 199)?.version == 200)
  }
}

/// Rows in an order, which tells of its edits as a list does.
private struct PlainList {
  struct Row: Hashable {
    let id: SnippetID
    var key: Int
    var revision = 0
  }

  private(set) var rows: [Row] = []
  private(set) var version: Int64 = 0
  private var gone: [SnippetID] = []
  private var last: Int64 = 0

  init(count: Int, _ random: inout SeededGenerator) {
    for _ in 0..<count { add(&random) }
    sort()
  }

  private mutating func add(_ random: inout SeededGenerator) {
    if !gone.isEmpty, random.chance(0.5) {
      let id = gone.remove(at: random.below(gone.count))
      rows.append(Row(id: id, key: random.below(10)))
    } else {
      last += 1
      rows.append(Row(id: SnippetID(rawValue: last), key: random.below(10)))
    }
  }

  private mutating func sort() { rows.sort { ($0.key, $0.id) < ($1.key, $1.id) } }

  mutating func edit(_ random: inout SeededGenerator) -> ListBatch {
    let former = rows
    for _ in 0..<random.below(5) where !rows.isEmpty {
      gone.append(rows.remove(at: random.below(rows.count)).id)
    }
    for _ in 0..<random.below(5) where !rows.isEmpty {
      let row = random.below(rows.count)
      rows[row].revision += 1
      if random.chance(0.6) { rows[row].key = random.below(10) }
    }
    for _ in 0..<random.below(5) { add(&random) }
    sort()

    let old = Dictionary(uniqueKeysWithValues: former.enumerated().map { ($1.id, ($0, $1)) })
    let new = Dictionary(uniqueKeysWithValues: rows.enumerated().map { ($1.id, ($0, $1)) })
    version += 1
    var batch = ListBatch(
      formerVersion: version - 1,
      version: version,
      formerCount: former.count,
      count: rows.count
    )
    batch.add(
      Set(old.keys).union(new.keys).compactMap { id in
        guard old[id]?.1 != new[id]?.1 else { return nil }
        return (id.rawValue, old[id]?.0, new[id]?.0, old[id]?.1.key != new[id]?.1.key)
      }
    )
    return batch
  }
}
