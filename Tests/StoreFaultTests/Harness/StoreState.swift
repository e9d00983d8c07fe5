import Foundation
import GRDB
import SnippetBase

@testable import SnippetStorage

/// Everything in a store that somebody saved, without what differs from run to run: dates and
/// identities.
struct StoreState: Sendable, Equatable {
  /// One line for each snippet, with its id.
  var snippets: [Int64: String] = [:]
  /// The last number that was given to something.
  var sequences: [String: Int64] = [:]

  /// Reads a store that must be sound.
  ///
  /// On one connection, which is much quicker than to open the store. One of an older version must
  /// be sound as it is, and is brought up to date.
  ///
  /// - Throws: ``Unsound``, or what SQLite does.
  init(of file: URL) throws {
    guard FileStatus.byteCount(of: file.path) > 0 else {
      self.init()
      return
    }
    // Whoever had it may still be closing it on another thread.
    var configuration = Configuration()
    configuration.busyMode = .timeout(60)
    let connection = try DatabaseQueue(path: file.path, configuration: configuration)
    var check = StoreCheck()
    let report = try check.run(on: connection)
    guard report.isSound else { throw Unsound(problems: report.problems.map(\.description)) }
    try MigrationRunner(operation: "look").run(on: connection)
    self = try connection.snapshot(Self.read)
    try connection.close()
  }

  private init() {}

  private static func read(_ db: Database) throws -> StoreState {
    var state = StoreState()
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT snippet.id, concat_of FROM (
          SELECT id, printf('%s|%s|%s|%s|%s|%s|%s|%s|%s', kind, title, preview, pinned,
            deleted_at IS NOT NULL, byte_count,
            coalesce((SELECT hex(sha256) FROM blob WHERE blob.id = blob_id), ''),
            coalesce((SELECT body FROM snippet_text WHERE snippet_id = snippet.id), ''),
            coalesce((SELECT group_concat(name) FROM (
              SELECT name FROM snippet_tag JOIN tag ON tag.id = tag_id
              WHERE snippet_id = snippet.id ORDER BY name)), '')) AS concat_of
          FROM snippet) AS snippet
        """
    )
    state.snippets = Dictionary(uniqueKeysWithValues: rows.map { ($0[0], $0[1]) })
    let sequences = try Row.fetchAll(db, sql: "SELECT name, seq FROM sqlite_sequence")
    state.sequences = Dictionary(uniqueKeysWithValues: sequences.map { ($0[0], $0[1]) })
    return state
  }

  /// What another state has and this one lacks, and the other way round, in order.
  func difference(from other: StoreState) -> String {
    let (own, others) = (Set(snippets.values), Set(other.snippets.values))
    return others.subtracting(own).sorted().map { "- \($0.prefix(60))" }.joined(separator: " ")
      + own.subtracting(others).sorted().map { "+ \($0.prefix(60))" }.joined(separator: " ")
  }

  /// The numbers that are lower than they were: they would be given a second time.
  func sequencesGoneBack(from former: StoreState) -> [String] {
    former.sequences.filter { $0.value > sequences[$0.key] ?? 0 }.keys.sorted()
  }

  /// The check found something.
  struct Unsound: Error {
    var problems: [String]
  }
}
