import Foundation
import SnippetStorage
import SnippetTestSupport
import Testing

@testable import SnippetRescue

@Suite(.temporaryDirectory, .seeded, .timeLimit(.minutes(30)))
struct RepairTests {
  private let file = TemporaryDirectory.file("store.sqlite")

  @Test func `a sound store stays byte for byte as it is`() async throws {
    try await makeStore()
    let before = try Data(contentsOf: file)
    let store = try SnippetStore(at: file)

    let report = try await store.repair()
    try await store.close()

    #expect(report.check.isSound)
    #expect(report.repairs.isEmpty)
    #expect(try Data(contentsOf: file) == before)
  }

  @Test(arguments: [
    ("title", "'Shoppinf'"), ("title", "'shopping'"), ("preview", "'Milk, eggs, bresd'"),
    ("media_type", "'text/plaio'"), ("byte_count", "byte_count ^ 64"), ("revision", "revision ^ 8"),
    ("digest", "digest ^ 4096"), ("kind", "3"),
  ])
  func `a flipped bit of a row is put back`(
    _ column: String,
    _ value: String
  ) async throws {
    let ids = try await makeStore()
    let id = column == "kind" ? ids[1] : ids[0]
    let store = try SnippetStore(at: file)
    let before = try #require(try store.row(id))
    let sql =
      value.replacingOccurrences(of: "^", with: "+ 0 -")
        .split(separator: "-").count > 1
      ? try await flipped(value, id) : value
    try store.runWithoutTriggers(
      "PRAGMA ignore_check_constraints = ON; UPDATE snippet SET \(column) = \(sql) WHERE id = \(id)"
    )

    let report = try await store.repair()

    #expect(report.check.isSound, "\(report.check.problems)")
    let after = try #require(try store.row(id))
    #expect(ShownSnippet(after, Data()) == ShownSnippet(before, Data()))
    #expect(report.repairs.contains("a flipped bit of 1 snippet was put back"))
    try await store.close()
  }

  /// What SQLite, which has no exclusive or, makes of one.
  private func flipped(_ value: String, _ id: SnippetID) async throws -> String {
    let parts = value.components(separatedBy: " ^ ")
    return "(\(parts[0]) | \(parts[1])) - (\(parts[0]) & \(parts[1]))"
  }

  @Test func `a flipped bit of a text is put back`() async throws {
    let ids = try await makeStore()
    let store = try SnippetStore(at: file)
    let text = try await store.text(of: ids[0])
    try store.runWithoutTriggers(
      "UPDATE snippet_text SET body = replace(body, 'bread', 'breae') WHERE snippet_id = \(ids[0])"
    )
    #expect(await errorCode { try await store.text(of: ids[0]) } == .damaged)

    let report = try await store.repair()

    #expect(report.check.isSound, "\(report.check.problems)")
    #expect(try await store.text(of: ids[0]) == text)
    try await store.close()
  }

  @Test func `a flipped bit of a note is put back`() async throws {
    let ids = try await makeStore()
    let store = try SnippetStore(at: file)
    try await store.apply(SnippetEdit(note: "The lake at noon"), to: ids[1])
    try store.runWithoutTriggers(
      "UPDATE snippet_text SET body = replace(body, 'lake', 'lakd') WHERE snippet_id = \(ids[1])"
    )
    #expect(await errorCode { try await store.note(of: ids[1]) } == .damaged)

    let report = try await store.repair()

    #expect(report.check.isSound, "\(report.check.problems)")
    #expect(try await store.note(of: ids[1]) == "The lake at noon")
    try await store.close()
  }

  @Test func `what nothing proves stays, and is accepted when asked to`() async throws {
    let ids = try await makeStore()
    let store = try SnippetStore(at: file)
    try store.runWithoutTriggers("UPDATE snippet SET title = 'Slipping' WHERE id = \(ids[0])")

    let report = try await store.repair()
    #expect(report.check.problems.map(\.area) == [.rows])
    #expect(try store.row(ids[0])?.title == "Slipping")
    let accepting = try await store.repair(acceptsDamage: true)

    #expect(accepting.check.isSound, "\(accepting.check.problems)")
    #expect(accepting.repairs.contains("1 damaged snippet was accepted as it is"))
    #expect(try store.row(ids[0])?.title == "Slipping")
    try await store.close()
  }

  @Test(arguments: [
    "DELETE FROM search_index WHERE rowid = 1",
    "UPDATE derivative_total SET byte_count = 7",
    "INSERT INTO tag (name) VALUES ('of nobody')",
    "INSERT INTO origin_folder (path) VALUES ('/of/nobody')",
    "PRAGMA foreign_keys = OFF; INSERT INTO origin VALUES (1, 'a', 99999, 0, 0, zeroblob(32), NULL, NULL, 0)",
    "UPDATE derivative SET data = X'FF', byte_count = 1",
    "DELETE FROM sqlite_sequence WHERE name = 'snippet'",
    "UPDATE sqlite_sequence SET seq = 1 WHERE name = 'snippet'",
    "UPDATE search_index SET body = 'other words' WHERE rowid = 1",
    "UPDATE snippet SET preview = 'of no note', digest = NULL WHERE id = 2",
    SyncSample.rows,
  ])
  func `what can be computed again is`(_ sql: String) async throws {
    let ids = try await makeStore()
    let store = try SnippetStore(at: file)
    try store.runWithoutTriggers(sql)
    try #require(try await !store.check().isSound)

    let report = try await store.repair()

    #expect(report.check.isSound, "\(report.check.problems)")
    #expect(!report.repairs.isEmpty)
    #expect(try await store.search("milk").finished().count == 1)
    #expect(try await store.save(SnippetDraft(.text("next"))).id > ids[2])
    try await store.close()
  }

  @Test func `an index is made anew from rows that are right`() async throws {
    let ids = try await makeStore()
    try await damageIndex("snippet_by_created")
    let store = try SnippetStore(at: file)
    try #require(try await store.check().problems.map(\.area).contains(.structure))

    let report = try await store.repair()

    #expect(report.check.isSound, "\(report.check.problems)")
    #expect(try store.list().rows(in: 0..<9).map(\.id) == ids.reversed())
    try await store.close()
  }

  @Test func `an index that knows of lost rows is kept`() async throws {
    let store = try SnippetStore(at: file)
    try await store.save(contentsOf: (1...400).map { SnippetDraft(.text("\($0)")) })
    try await store.close()
    _ = try await LostPage(of: "snippet", in: file)
    let damaged = try SnippetStore(at: file)

    // The damage is such that the check cannot go on, or it is told.
    let report = try? await damaged.repair()

    #expect(report?.check.isSound != true)
    #expect(report?.repairs.contains { $0.contains("indexes") } != true)
    try? await damaged.close()
  }

  @Test(arguments: [false, true])
  func `a snippet that a flipped bit takes to the trash or out of it goes back`(
    isInTrash: Bool
  ) async throws {
    let id = try await makeStore()[0]
    if isInTrash {
      // One bit makes NULL of no other date.
      _ = try await Shell.sqlite3(file, "UPDATE snippet SET deleted_at = 0 WHERE id = \(id)")
    }
    try await flipTrashBit(of: id)
    let store = try SnippetStore(at: file)
    #expect(try await store.check().isSound == false)

    let report = try await store.repair()

    #expect(report.repairs.contains("a flipped bit of 1 snippet was put back"))
    #expect(report.check.isSound)
    #expect(try (store.row(id)?.deletedAt != nil) == isInTrash)
    try await store.close()
  }

  @Test func `a store that is only read is not repaired`() async throws {
    try await makeStore()
    let store = try SnippetStore(at: file, configuration: .init(access: .readOnly))

    #expect(await errorCode { try await store.repair() } == .readOnly)
    try await store.close()
  }

  @Test func `whatever bit flips, no repair makes something else of a snippet in silence`()
    async throws
  {
    try await Self.longerTemplate.copy(toBeDamagedAt: file)
    let original = try Data(contentsOf: file)
    let seen = try await Seen(in: file)
    var random = SeededGenerator()
    let output = try await Shell.sqlite3(
      file,
      """
      SELECT pageno FROM dbstat WHERE name LIKE 'snippet%' OR name IN ('tag', 'blob', 'search_state')
      """
    )
    // The header of a page tells where its rows begin; an empty one has none.
    let areas = output.standardOutput.split(separator: "\n").compactMap { Int($0) }
      .map { page in
        let header = (page - 1) * 8192
        return header + (Int(original[header + 5]) << 8 | Int(original[header + 6]))..<page * 8192
      }
      .filter { !$0.isEmpty }
    var (wrongCount, mendedCount) = (0, 0)

    for _ in 0..<40 {
      let area = random.element(of: areas)
      let byte = area.lowerBound + random.below(area.count)
      var damaged = original
      damaged[byte] ^= 1 << UInt8(random.below(8))
      try damaged.write(to: file)
      guard let store = try? SnippetStore(at: file) else { continue }
      let isWrong = (try? await store.check().isSound) != true
      let report = try? await store.repair()
      try? await store.close()
      guard isWrong else { continue }
      wrongCount += 1
      guard let report, report.check.isSound else { continue }
      mendedCount += 1
      #expect(try await Seen(in: file) == seen, "byte \(byte): \(report.repairs)")
    }

    #expect(wrongCount > 10)
    // Some 36 % are mended: one run in a million mends one or none.
    #expect(mendedCount > 1, "\(mendedCount) of \(wrongCount)")
  }

  // MARK: - Stores

  /// A text, an image and a short text, with all that belongs to them.
  @discardableResult
  private func makeStore() async throws -> [SnippetID] {
    try await Self.template.copy(toBeDamagedAt: file)
    return (1...3).map(SnippetID.init(rawValue:))
  }

  private static let template = StoreTemplate { try await fill($0) }
  private static let longerTemplate = StoreTemplate { try await fill($0, moreCount: 12) }

  private static func fill(_ store: SnippetStore, moreCount: Int = 0) async throws {
    try await store.save(
      SnippetDraft(.text("Milk, eggs, bread"), title: "Shopping", tags: ["home"])
    )
    let image = try await store.save(
      Samples.image(Samples.bytes(900), title: "Lake", tags: ["walk"])
    )
    try await store.save(SnippetDraft(.text("third")))
    for number in 0..<moreCount {
      try await store.save(SnippetDraft(.text(Samples.texts[number % 10]), tags: ["n"]))
    }
    let blob = try #require(image.blobID)
    try await store.saveDerivatives([.init(blobID: blob, recipe: Recipe("r"), data: Data("d".utf8))]
    )
    try await store.updateSearchIndex()
  }

  /// Turns a bit over in the last entry of an index.
  private func damageIndex(_ name: String) async throws {
    let output = try await Shell.sqlite3(file, "SELECT pageno FROM dbstat WHERE name = '\(name)'")
    let page = try #require(Int(output.standardOutput.split(separator: "\n").first ?? ""))
    var bytes = try Data(contentsOf: file)
    // The first entry stands at the end: its first value is the date.
    let place = page * 8192 - 12
    bytes[place] ^= 2
    try bytes.write(to: file)
  }

  /// Turns over the bit that tells NULL from zero in the date of deletion of one of a few snippets.
  private func flipTrashBit(of id: SnippetID) async throws {
    let output = try await Shell.sqlite3(
      file,
      "SELECT pageno FROM dbstat WHERE name = 'snippet' AND pagetype = 'leaf'"
    )
    let page = try #require(Int(output.standardOutput.split(separator: "\n").first ?? ""))
    var bytes = try Data(contentsOf: file)
    let start = (page - 1) * 8192
    let pointer = start + 8 + 2 * (Int(id.rawValue) - 1)
    var place = start + (Int(bytes[pointer]) << 8 | Int(bytes[pointer + 1]))
    // The size of the cell, its id and the size of its header, then a type of each column.
    while bytes[place] > 127 { place += 1 }
    place += 3 + 7
    try #require([0, 8].contains(bytes[place]))
    bytes[place] ^= 8
    try bytes.write(to: file)
  }

  /// What a store shows of its snippets.
  private struct Seen: Equatable {
    var snippets: [ShownSnippet] = []

    init(in file: URL) async throws {
      let store = try SnippetStore(at: file)
      for row in try store.list(order: .oldestFirst).rows(in: 0..<99) {
        snippets.append(
          ShownSnippet(row, try await store.content(of: row.id, in: 0..<99_999))
        )
      }
      try await store.close()
    }
  }
}

extension SearchResults {
  fileprivate func finished() async throws -> SearchResults {
    try await finish()
    return self
  }
}
