internal import Foundation
import SnippetBase
package import SnippetLoading
public import SnippetStorage

/// A list in memory that a test can edit.
public final class ScriptedRows: RowList, UpdatingRowList {
  private struct State {
    var rows: [SnippetRow]
    var version: Int64 = 1
    /// The list as it was in its latest versions.
    var formerRows: [Int64: [SnippetRow]] = [:]
    var hidesBatches = false
    var error: (any Error)?
    var reads: [Range<Int>] = []
    var countedAhead: Int?
    var isCounted = false
    var handlers: [UInt64: @Sendable () -> Void] = [:]
    var lastHandler: UInt64 = 0
  }

  private let state: Lock<State>

  /// Makes a list.
  ///
  /// - Parameter rows: The rows, in the order of the list.
  public init(_ rows: [SnippetRow]) {
    state = Lock(State(rows: rows))
  }

  /// Makes a list of pictures; row *n* has the snippet and the blob *n* + 1.
  ///
  /// - Parameters:
  ///   - count: The number of rows.
  ///   - byteCount: The size of each picture.
  public convenience init(count: Int, byteCount: Int = 1_000) {
    self.init((0..<count).map { SnippetRow.image(Int64($0) + 1, byteCount: byteCount) })
  }

  /// The rows, in the order of the list.
  public var rows: [SnippetRow] {
    get { state.withLock(\.rows) }
    set {
      state.withLock { state in
        state.formerRows[state.version] = state.rows
        state.formerRows[state.version - 64] = nil
        state.rows = newValue
        state.version += 1
      }
    }
  }

  /// Increases with every edit.
  public var version: Int64 { state.withLock(\.version) }

  /// Whether the list hides the fate of its rows, so that every change is a reset.
  public var hidesBatches: Bool {
    get { state.withLock(\.hidesBatches) }
    set { state.withLock { $0.hidesBatches = newValue } }
  }

  /// The error of the next reads; `nil` lets them succeed.
  public var error: (any Error)? {
    get { state.withLock(\.error) }
    set { state.withLock { $0.error = newValue } }
  }

  /// The ranges read so far.
  public var reads: [Range<Int>] { state.withLock(\.reads) }

  /// The number of rows that a first page counts beyond the requested ones; `nil` for a counted
  /// list.
  public var countedAhead: Int? {
    get { state.withLock(\.countedAhead) }
    set { state.withLock { $0.countedAhead = newValue } }
  }

  /// The number of observers.
  public var observerCount: Int { state.withLock(\.handlers.count) }

  /// The number of rows.
  public var count: Int { state.withLock(\.rows.count) }

  /// Reads rows.
  ///
  /// - Parameter positions: Any range; positions outside the list are left out.
  /// - Returns: The rows.
  /// - Throws: ``error``
  public func page(_ positions: Range<Int>) throws -> SnippetPage {
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

  /// Reads the changes that bring rows in memory to the present state of the list.
  ///
  /// - Parameters:
  ///   - held: The rows in memory.
  ///   - positions: The wanted positions.
  ///   - candidates: The rows on screen with their positions, the best first.
  /// - Returns: The rows that changed or are not in memory, and the changes of the list since, as
  ///   far back as 64 edits.
  /// - Throws: ``error``
  package func update(
    _ held: HeldRows,
    at positions: Range<Int>,
    anchoredAt candidates: [RowPlace]
  ) throws -> RowUpdate {
    let (rows, version, former) = state.withLock { state in
      let former =
        held.version == state.version
        ? state.rows : state.hidesBatches ? nil : state.formerRows[held.version]
      return (state.rows, state.version, former)
    }
    let anchor = RowMove.ofFirst(candidates) { id in
      rows.firstIndex { $0.id == id }
    }
    let page = try page(positions.shifted(with: anchor))
    guard page.version == version, let former, held.count == former.count else {
      return RowUpdate(page, from: held, anchor: anchor)
    }
    let batch = ListBatch(from: former, held.version, to: rows, version)
    return RowUpdate(page, from: held, by: batch, anchor: anchor)
  }

  /// Reads rows near the start, before or after the list has been counted.
  ///
  /// - Parameter positions: Any range; positions outside the list are left out.
  /// - Returns: The rows.
  /// - Throws: ``error``
  public func firstPage(_ positions: Range<Int>) throws -> SnippetPage {
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

  /// Tells the observers that the list has changed.
  public func announce() {
    for handler in state.withLock(\.handlers.values) { handler() }
  }

  /// Calls a closure at every ``announce()``.
  ///
  /// - Parameter handler: Called on the thread that announces.
  /// - Returns: The observation, which lasts as long as it is held.
  public func observeChanges(_ handler: @escaping @Sendable () -> Void) -> ChangeObservation {
    let id = state.withLock { state in
      state.lastHandler += 1
      state.handlers[state.lastHandler] = handler
      return state.lastHandler
    }
    return ChangeObservation { [weak self] in
      self?.state.withLock { $0.handlers[id] = nil }
    }
  }
}

extension SnippetRow {
  /// Makes up a picture; its blob has the number of the snippet by default.
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

  /// Makes up a short text that its row holds completely.
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
  /// The original of a blob, by its number.
  package init(blob: Int64) {
    self.init(blobID: BlobID(rawValue: blob))
  }
}
