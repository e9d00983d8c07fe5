import Foundation
import SnippetRescue
import SnippetStorage
import SnippetTestSupport
import Testing

/// Numbers at the ends of what SQLite can count, which the shell can write.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct NumberLimitTests {
  let file = TemporaryDirectory.file("numbers.sqlite")

  /// An edit with rules and triggers put aside, and how a check names it.
  private static let edits: [(sql: String, named: String, snippets: [Int64])] = [
    ("UPDATE snippet SET revision = 9223372036854775807 WHERE id = 1", "revision that leaves", [1]),
    ("UPDATE snippet SET revision = 9007199254740991 WHERE id = 1", "revision that leaves", [1]),
    (
      "INSERT INTO snippet (id, kind) VALUES (9223372036854775807, 1)",
      "snippet 9223372036854775807 has a number that leaves too few", [.max]
    ),
    (
      "INSERT INTO snippet (id, kind) VALUES (9007199254740991, 1)",
      "snippet 9007199254740991 has a number that leaves too few", [9_007_199_254_740_991]
    ),
    (
      "INSERT INTO change (number, snippet_id, event) VALUES (9007199254740991, 1, 1)",
      "change 9007199254740991 has a number", []
    ),
    (
      "INSERT INTO tag VALUES (9007199254740991, 'x'); INSERT INTO snippet_tag VALUES (1, 9007199254740991)",
      "tag 9007199254740991 has a number", []
    ),
    (
      """
      INSERT INTO derivative (id, blob_id, recipe, version, byte_count, data)
      VALUES (9007199254740991, 1, 'x', 1, 0, X'')
      """,
      "derivative 9007199254740991 has a number", []
    ),
    (
      "UPDATE sqlite_sequence SET seq = 'many' WHERE name = 'snippet'",
      "does not tell which number was given last", []
    ),
    (
      "UPDATE search_state SET change_number = 9223372036854775807",
      "CHECK constraint failed in search_state", []
    ),
    (
      "UPDATE snippet SET preview = 'lie' WHERE id = 2",
      "snippet 2 has a preview that its text does not begin with", [2]
    ),
    (
      "UPDATE snippet SET preview = 'lie' WHERE id = 3",
      "snippet 3 has a preview that its text does not begin with", [3]
    ),
  ]

  @Test(arguments: edits)
  func `a number or a preview that cannot be is named, also in a store that is only read`(
    sql: String,
    named: String,
    snippets: [Int64]
  ) async throws {
    try await makeStore()
    let output = try await Shell.sqlite3(file, Damage.edit(sql))
    #expect(output == Shell.Output(standardOutput: ""))

    for access in [SnippetStore.Configuration.Access.readWrite, .readOnly] {
      let store = try SnippetStore(at: file, configuration: .init(access: access))
      let report = try await store.check()
      try await store.close()

      #expect(
        report.problems.contains { problem in
          problem.description.contains(named)
            && problem.snippetIDs.map(\.rawValue) == snippets
        },
        "\(report.problems)"
      )
    }
  }

  @Test(arguments: edits.map(\.sql))
  func `a repair mends it, and everything is there`(sql: String) async throws {
    try await makeStore()
    let output = try await Shell.sqlite3(file, Damage.edit(sql))
    #expect(output == Shell.Output(standardOutput: ""))
    let store = try SnippetStore(at: file)
    let text = try await store.content(of: SnippetID(rawValue: 3), in: 0..<999_999)

    let report = try await store.repair()

    #expect(report.check.isSound, "\(report.check.problems)")
    #expect(!report.repairs.isEmpty)
    let rows = try store.list(order: .oldestFirst).rows(in: 0..<9)
    #expect(rows.count == (sql.contains("INSERT INTO snippet ") ? 4 : 3))
    #expect(rows.allSatisfy { $0.id.rawValue < 100 && $0.revision < 100 && $0.preview != "lie" })
    #expect(try await store.content(of: SnippetID(rawValue: 3)) == text)
    _ = try await store.save(Samples.image(Samples.bytes(10)))
    #expect(try await store.repair().repairs.isEmpty)
    try await store.close()
  }

  @Test(
    arguments: [
      ("snippet", Int64.max), ("snippet", 9_007_199_254_740_991), ("change", .max),
      ("change", 9_007_199_254_740_991), ("blob", .max), ("blob", 8_796_093_022_207),
    ]
  )
  func `a table without a number left is not a full disk, and a repair and a restore help`(
    table: String,
    number: Int64
  ) async throws {
    let backup = TemporaryDirectory.file("backup.sqlite")
    let store = try await makeStore(closes: false)
    try await store.backUp(to: backup)
    let sql = "UPDATE sqlite_sequence SET seq = \(number) WHERE name = '\(table)'"
    #expect(try await Shell.sqlite3(file, sql).status == 0)

    let error = await #expect(throws: SnippetStoreError.self) {
      try await store.save(Samples.image(Samples.bytes(10)))
    }

    #expect(error?.code == .damaged)
    #expect(error?.reason == "there is no number left for another row of the table \(table)")
    #expect(try await store.repair().check.isSound)
    _ = try await store.save(Samples.image(Samples.bytes(11)))
    #expect(try await Shell.sqlite3(file, sql).status == 0)
    try await SnippetStore.restore(from: backup, to: file)
    _ = try await store.save(Samples.image(Samples.bytes(10)))
    #expect(try await store.check().isSound)
    try await store.close()
  }

  @Test func `a repair takes no number of a capture, and gives captures lower ones`() async throws {
    let file = TemporaryDirectory.file("captures.sqlite")
    let store = try SnippetStore(at: file)
    try await Self.leaveCapture("Low", seed: 1, in: store)
    try store.runWithoutTriggers(
      "UPDATE sqlite_sequence SET seq = \((1 << 42) + 7) WHERE name = 'blob'"
    )
    try await Self.leaveCapture("High", seed: 2, in: store)
    let image = try await store.save(Samples.image(Samples.bytes(5000, seed: 3)))

    let report = try await store.repair()

    #expect(report.check.isSound, "\(report.check)")
    #expect(try await store.content(of: image.id) == Samples.bytes(5000, seed: 3))
    for capture in try await store.captures() {
      let row = try await store.finishCapture(capture.id, kind: .voice)
      let seed: UInt64 = row.title == "Low" ? 1 : 2
      #expect(try await store.content(of: row.id) == Samples.bytes(300_000, seed: seed))
    }
    #expect(try store.list().count == 3)
    try await store.close()
  }

  private static func leaveCapture(
    _ title: String,
    seed: UInt64,
    in store: SnippetStore
  ) async throws {
    let capture = try await store.startCapture(title: title)
    try await capture.append(Samples.bytes(300_000, seed: seed))
  }

  @Test func `a disk that is full still is`() async throws {
    let store = try await makeStore(closes: false)
    try store.limitPages(toMore: 0)

    let code = await errorCode { try await store.save(Samples.image(Samples.bytes(900_000))) }

    #expect(code == .diskFull)
    try await store.close()
  }

  /// A store with an image (snippet 1, blob 1), a short text (2) and a long one (3, blob 2).
  @discardableResult
  private func makeStore(closes: Bool = true) async throws -> SnippetStore {
    let store = try SnippetStore(at: file)
    _ = try await store.save(Samples.image(Samples.bytes(1000)))
    _ = try await store.save(SnippetDraft(.text("short")))
    _ = try await store.save(SnippetDraft(.text(Samples.longText())))
    if closes { try await store.close() }
    return store
  }
}
