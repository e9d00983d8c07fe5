import Foundation
import GRDB

/// A long text on its way into the index.
///
/// To read one and to take it apart takes longer than others can wait for the write lock. So a step
/// that comes to one ends, the text is made ready without the lock, and the next step takes it up,
/// unless it is another one by then. Bytes are compared by their hash: a number of a blob can mean
/// other bytes after a backup was restored.
struct LongTexts: Sendable {
  /// What a long text is told by.
  struct Key: Hashable {
    var sha256: Data
    var encoding: String?
  }

  /// A blob of up to so many bytes is taken apart where it is met, like a text beside its row.
  static let shortByteCount: Int64 = 65_536

  /// The snippet whose text a step had need of.
  private(set) var wanted: SnippetID?
  private var ready: (key: Key, body: SearchText)?

  /// The text, taken apart; `nil` where it is not ready, which ends the step.
  mutating func body(_ key: Key, of id: SnippetID) -> SearchText? {
    if let ready, ready.key == key { return ready.body }
    wanted = id
    return nil
  }

  /// Takes apart the text that a step had need of, on a thread that may block.
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
