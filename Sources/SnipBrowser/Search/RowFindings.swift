import SnippetStorage
import TerminalKit

/// Where a search found what is in the rows on screen.
///
/// The texts are read one after the other apart from the main actor, those on screen only: a row
/// that leaves it is not waited for. What has been read is kept until the row is another by then.
@MainActor
final class RowFindings {
  /// How matches stand out.
  let marks: MatchMarks

  /// How many texts were read.
  private(set) var readCount = 0

  /// How many excerpts are kept before those off screen are evicted.
  private static let limit = 512

  /// What was read of a row.
  private struct Entry {
    let revision: Int64
    let length: Int
    /// `nil` when the text holds nothing of what was looked for.
    let excerpt: MarkedText?
  }

  private let results: SearchResults
  private var entries: [SnippetID: Entry] = [:]
  private var wanted: [SnippetRow] = []
  /// How many characters of a text are shown.
  private var length = 0
  private var reading: (id: SnippetID, task: Task<MarkedText?, any Error>)?
  private var isRunning = false

  /// Shows where search results were found.
  ///
  /// - Parameters:
  ///   - results: What was found.
  ///   - color: The colour of matches; `nil` where the terminal has none.
  init(_ results: SearchResults, color: FrameStyle.Color?) {
    self.results = results
    marks = MatchMarks(query: results.query, color: color)
  }

  /// The part of a row's text in which something was found; `nil` when that is not known, as when
  /// it was found in the title or a tag.
  ///
  /// After an edit it is the former one until the text has been read again.
  func excerpt(of row: SnippetRow) -> MarkedText? { entries[row.id]?.excerpt }

  /// Says which rows are on screen now, from above.
  ///
  /// - Parameters:
  ///   - rows: The rows; those that are not texts are skipped.
  ///   - length: How many characters of a text are shown.
  /// - Returns: Whether somebody must call ``read(show:)``.
  func want(_ rows: [SnippetRow], length: Int) -> Bool {
    self.length = length
    wanted = length > 0 ? rows.filter { $0.kind == .text && !isKnown($0) } : []
    if let reading, !rows.contains(where: { $0.id == reading.id }) { reading.task.cancel() }
    if entries.count > Self.limit {
      let shown = Set(rows.map(\.id))
      entries = entries.filter { shown.contains($0.key) }
    }
    guard !wanted.isEmpty, !isRunning else { return false }
    isRunning = true
    return true
  }

  /// Reads the texts on screen until all are known.
  ///
  /// - Parameter show: Called after each.
  /// - Throws: ``SnippetStoreError``; what has been read stays, and the row is not read again.
  func read(show: () -> Void) async throws {
    defer { isRunning = false }
    while let row = wanted.first {
      wanted.removeFirst()
      guard !isKnown(row) else { continue }
      let (results, marks, length) = (results, marks, length)
      let task = Task { try await Self.excerpt(of: row.id, in: results, marks, length: length) }
      reading = (row.id, task)
      defer { reading = nil }
      do {
        keep(try await task.value, of: row, length)
        show()
      } catch {
        // What left the screen is read when it comes back.
        if task.isCancelled { continue }
        keep(nil, of: row, length)
        throw error
      }
    }
  }

  /// Gives up what is being read.
  func cancel() {
    wanted = []
    reading?.task.cancel()
  }

  private func isKnown(_ row: SnippetRow) -> Bool {
    entries[row.id].map { $0.revision == row.revision && $0.length == length } ?? false
  }

  private func keep(_ excerpt: MarkedText?, of row: SnippetRow, _ length: Int) {
    readCount += 1
    entries[row.id] = Entry(revision: row.revision, length: length, excerpt: excerpt)
  }

  /// Reads a text and finds the part to show, all of it apart from the main actor.
  @concurrent
  private nonisolated static func excerpt(
    of id: SnippetID,
    in results: SearchResults,
    _ marks: MatchMarks,
    length: Int
  ) async throws -> MarkedText? {
    guard let excerpt = try await results.excerpt(of: id, length: length),
      !excerpt.matches.isEmpty
    else { return nil }
    // What makes it safe to print may move the matches.
    return marks.marked(TerminalText(excerpt.text, lines: .folded).description)
  }
}
