import Foundation
import GRDB

/// A long text on its way into the index.
///
/// Reading one and splitting it into words takes longer than other writers should wait for the
/// lock. So a step that meets a long text ends there. The text is prepared without the lock, and
/// the next step uses it if it is still the same. Texts are compared by their hash, because after a
/// restored backup the id of a blob may stand for other bytes.
struct LongTexts: Sendable {
  /// The identity of a long text.
  struct Key: Hashable {
    var sha256: Data
    var encoding: String?
  }

  /// The largest blob, in bytes, that is split on the spot, like a text stored beside its row.
  static let shortByteCount: Int64 = 65_536

  /// The snippet whose text the last step needed.
  private(set) var wanted: SnippetID?
  private var ready: (key: Key, body: SearchText)?

  /// Returns the prepared text; `nil` if it is not ready, which ends the step.
  mutating func body(_ key: Key, of id: SnippetID) -> SearchText? {
    if let ready, ready.key == key { return ready.body }
    wanted = id
    return nil
  }

  /// Prepares the text that a step needed, on a thread that may block.
  mutating func prepare(_ connections: Connections, to operation: String) throws {
    guard let id = wanted else { return }
    wanted = nil
    ready = nil
    let found = try connections.read(.scans, to: operation) { db in
      try SearchedTexts.longText(of: id, in: db)
    }
    if let found { ready = (found.key, SearchText(found.text)) }
  }
}

extension WriteSteps {
  /// Brings the search index up to date.
  ///
  /// Each step indexes `leastCount` snippets even if its time is up, where finding them can take
  /// longer than a step. `last` is called in the step that completes the index, in the same
  /// transaction.
  mutating func updateSearchIndex(
    leastCount: Int = 0,
    then last: (Database) throws -> Void = { _ in }
  ) throws {
    var longTexts = LongTexts()
    while try !take({ db, isOver in
      var count = 0
      let isDone = try SearchIndex.catchUp(
        until: {
          count += 1
          return count > leastCount && isOver()
        },
        &longTexts,
        in: db
      )
      if isDone { try last(db) }
      return isDone
    }) {
      try longTexts.prepare(connections, to: operation)
      letOthersWrite()
    }
  }
}
