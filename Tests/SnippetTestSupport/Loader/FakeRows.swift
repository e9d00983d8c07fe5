internal import Foundation
import SnippetBase
package import SnippetLoading
package import SnippetStorage

/// A list in memory that a test edits as it likes.
package final class FakeRows: RowSource, RowChangeFeed {
  private struct State {
    var rows: [SnippetRow]
    var version: Int64 = 1
    var error: (any Error)?
    var reads: [Range<Int>] = []
    var countedAhead: Int?
    var isCounted = false
    var handlers: [UInt64: @Sendable () -> Void] = [:]
    var lastHandler: UInt64 = 0
  }

  private let state: Lock<State>

  package init(_ rows: [SnippetRow]) {
    state = Lock(State(rows: rows))
  }

  /// A list of pictures; row *n* has the snippet and the blob *n* + 1.
  package convenience init(count: Int, byteCount: Int = 1_000) {
    self.init((0..<count).map { SnippetRow.image(Int64($0) + 1, byteCount: byteCount) })
  }

  /// The rows, in the order of the list.
  package var rows: [SnippetRow] {
    get { state.withLock(\.rows) }
    set {
      state.withLock { state in
        state.rows = newValue
        state.version += 1
      }
    }
  }

  /// Moves on with every edit.
  package var version: Int64 { state.withLock(\.version) }

  /// What the next reads throw; `nil` lets them succeed.
  package var error: (any Error)? {
    get { state.withLock(\.error) }
    set { state.withLock { $0.error = newValue } }
  }

  /// The ranges that were read.
  package var reads: [Range<Int>] { state.withLock(\.reads) }

  /// How many rows beyond those asked for a first page knows of; `nil` for a list that is counted.
  package var countedAhead: Int? {
    get { state.withLock(\.countedAhead) }
    set { state.withLock { $0.countedAhead = newValue } }
  }

  /// How many observe the list.
  package var observerCount: Int { state.withLock(\.handlers.count) }

  package var count: Int { state.withLock(\.rows.count) }

  package func page(_ positions: Range<Int>) throws -> SnippetPage {
    try state.withLock { state in
      let range = positions.clamped(to: 0..<state.rows.count)
      state.reads.append(range)
      if let error = state.error { throw error }
      state.isCounted = true
      return SnippetPage(
        version: state.version,
        count: state.rows.count,
        start: range.lowerBound,
        rows: Array(state.rows[range])
      )
    }
  }

  package func page(
    _ positions: Range<Int>,
    anchoredAt candidates: [RowPlace]
  ) throws -> AnchoredPage {
    let rows = rows
    let anchor = AnchoredPage.anchor(among: candidates) { id in
      rows.firstIndex { $0.id == id }
    }
    return AnchoredPage(
      page: try page(AnchoredPage.positions(positions, around: anchor)),
      anchor: anchor
    )
  }

  package func firstPage(_ positions: Range<Int>) throws -> SnippetPage {
    let beginning = state.withLock { state -> SnippetPage? in
      guard let ahead = state.countedAhead, !state.isCounted else { return nil }
      let range = positions.clamped(to: 0..<state.rows.count)
      guard range.upperBound + ahead < state.rows.count else { return nil }
      return SnippetPage(
        version: -state.version,
        count: range.upperBound + ahead,
        start: range.lowerBound,
        rows: Array(state.rows[range]),
        isCounted: false
      )
    }
    return try beginning ?? page(positions)
  }

  /// Tells whoever observes the list that it has changed.
  package func announce() {
    for handler in state.withLock(\.handlers.values) { handler() }
  }

  package func observeRows(_ handler: @escaping @Sendable () -> Void) -> any Sendable {
    let id = state.withLock { state in
      state.lastHandler += 1
      state.handlers[state.lastHandler] = handler
      return state.lastHandler
    }
    return Observation { [weak self] in
      self?.state.withLock { $0.handlers[id] = nil }
    }
  }

  private final class Observation: Sendable {
    private let end: @Sendable () -> Void

    init(end: @escaping @Sendable () -> Void) {
      self.end = end
    }

    deinit { end() }
  }
}

extension SnippetRow {
  /// A picture; the blob has the number of the snippet unless told otherwise.
  package static func image(
    _ id: Int64,
    blob: Int64? = nil,
    revision: Int64 = 1,
    title: String = "",
    byteCount: Int = 1_000
  ) -> SnippetRow {
    SnippetRow(
      id: SnippetID(rawValue: id),
      uuid: uuid(of: id),
      kind: .image,
      title: title,
      createdAt: Date(timeIntervalSince1970: 0),
      modifiedAt: Date(timeIntervalSince1970: 0),
      byteCount: Int64(byteCount),
      mediaType: "image/png",
      revision: revision,
      blobID: BlobID(rawValue: blob ?? id)
    )
  }

  /// The identity of a made-up snippet, the same for all of its revisions.
  private static func uuid(of id: Int64) -> UUID {
    UUID(uuidString: "00000000-0000-4000-8000-" + String(format: "%012llX", id)) ?? UUID()
  }

  /// A short text, which is all in its row.
  package static func text(_ id: Int64, _ preview: String, revision: Int64 = 1) -> SnippetRow {
    SnippetRow(
      id: SnippetID(rawValue: id),
      uuid: uuid(of: id),
      kind: .text,
      title: "",
      preview: preview,
      createdAt: Date(timeIntervalSince1970: 0),
      modifiedAt: Date(timeIntervalSince1970: 0),
      byteCount: Int64(preview.utf8.count),
      mediaType: "text/plain",
      revision: revision
    )
  }
}

extension LoadKey {
  /// The original of a blob by its number.
  package init(blob: Int64) {
    self.init(blobID: BlobID(rawValue: blob))
  }
}
