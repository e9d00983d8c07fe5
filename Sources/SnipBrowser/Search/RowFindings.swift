import SnippetLoading
import SnippetStorage
import TerminalKit

/// The places of a search's matches in the rows on screen.
///
/// The texts are read one by one off the main actor, only those on screen: a row that leaves the
/// screen is not waited for. Results are kept until the row changes.
@MainActor
final class RowFindings {
  /// The search and the style of its matches.
  let marks: MatchMarks

  /// The number of texts read.
  private(set) var readCount = 0

  /// The number of excerpts kept before those off screen are evicted.
  private static let limit = 512

  /// The result of reading a row.
  private struct Entry {
    let revision: Int64
    let length: Int
    /// `nil` when the text has no match.
    let excerpt: MarkedText?
  }

  private let results: SearchResults
  private var entries: [SnippetID: Entry] = [:]
  private var wanted: [SnippetRow] = []
  /// The number of characters of a text to show.
  private var length = 0
  private var reading: (id: SnippetID, task: Task<MarkedText?, any Error>)?
  private var isRunning = false

  /// Shows the places of search matches.
  ///
  /// - Parameters:
  ///   - results: The search results.
  ///   - color: The colour of matches; `nil` where the terminal has none.
  init(_ results: SearchResults, color: FrameStyle.Color?) {
    self.results = results
    marks = MatchMarks(query: results.query, color: color)
  }

  /// The part of a row's text with a match; `nil` when it is not known, or when the match is in the
  /// title or a tag.
  ///
  /// After an edit it is the former part until the text has been read again.
  func excerpt(of row: SnippetRow) -> MarkedText? { entries[row.id]?.excerpt }

  /// Sets the rows on screen, from above.
  ///
  /// - Parameters:
  ///   - rows: The rows; those that are not texts are skipped.
  ///   - length: The number of characters of a text to show.
  /// - Returns: Whether ``read(show:)`` must be called.
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

  /// Reads the texts on screen until all have been read.
  ///
  /// - Parameter show: Called after each.
  /// - Throws: ``SnippetStoreError``; earlier results stay, and the failed row is not read again.
  func read(show: () -> Void) async throws {
    defer { isRunning = false }
    while let row = wanted.first {
      wanted.removeFirst()
      guard !isKnown(row) else { continue }
      let (results, marks, length) = (results, marks, length)
      let task = Task { try await Self.excerpt(of: row, in: results, marks, length: length) }
      reading = (row.id, task)
      defer { reading = nil }
      do {
        keep(try await task.value, of: row, length)
        show()
      } catch {
        // A row that has left the screen is read when it comes back.
        if task.isCancelled { continue }
        keep(nil, of: row, length)
        throw error
      }
    }
  }

  /// Stops reading.
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

  /// Reads a text and finds the part to show, off the main actor.
  @concurrent
  private nonisolated static func excerpt(
    of row: SnippetRow,
    in results: SearchResults,
    _ marks: MatchMarks,
    length: Int
  ) async throws -> MarkedText? {
    guard let excerpt = try await results.excerpt(of: row.id, length: length),
      !excerpt.matches.isEmpty
    else { return nil }
    // Making it safe to print may move the matches.
    let text = String(excerpt.textWithoutFrontMatter(of: row))
    guard !text.isEmpty else { return nil }
    return marks.marked(TerminalText(text, lines: .folded).description)
  }
}
