import Foundation
import SnipCore
import SnippetBase
import SnippetStorage
import TerminalKit

/// Prints the number of each of several files once it is in the store, and names those that cannot
/// be added, in the order of the files.
final class AddTally: Sendable {
  private struct State {
    /// The outcomes whose turn has not come yet.
    var waiting: [Int: SaveEvent] = [:]
    var next = 0
    var failedCount = 0
    var saved: [(index: Int, id: SnippetID)] = []
    /// The error that ended the work, which is no fault of one file.
    var error: (any Error)?

    mutating func takeNext() -> SaveEvent? {
      let event = waiting.removeValue(forKey: next)
      if event != nil { next += 1 }
      return event
    }
  }

  private let files: [(name: String, url: URL?)]
  private let store: SnippetStore
  private let console: Console
  private let print: @Sendable (SnippetID) throws -> Void
  private let state = Lock(State())

  /// Makes a tally of files; `print` prints the number of a new snippet.
  init(
    of files: [(name: String, url: URL?)],
    in store: SnippetStore,
    _ console: Console,
    print: @escaping @Sendable (SnippetID) throws -> Void
  ) {
    (self.files, self.store, self.console, self.print) = (files, store, console, print)
  }

  /// The snippets in the store, each with the place of its file among all.
  var saved: [(index: Int, id: SnippetID)] { state.withLock { $0.saved } }

  /// Adds the files.
  ///
  /// A problem with one does not keep the others from being added; any other ends the work, and
  /// what was added by then stays.
  func add(_ drafts: [SnippetDraft]) async throws {
    let goesOn = { @Sendable (_: SnippetDraft) in self.state.withLock { $0.error == nil } }
    do {
      try await store.save(contentsOf: drafts.lazy.prefix(while: goesOn), onEvent: take)
    } catch {
      // Those that failed before are named nevertheless.
      for event in state.withLock({ $0.waiting.sorted { $0.key < $1.key } }) { report(event.value) }
      throw error
    }
    let (error, failedCount) = state.withLock { ($0.error, $0.failedCount) }
    if let error { throw error }
    guard failedCount == 0 else {
      throw UnaddedFilesError(count: failedCount, totalCount: files.count)
    }
  }

  /// Takes the outcome of a file.
  ///
  /// A file that cannot be read is known before the files in front of it are in the store.
  private func take(_ event: SaveEvent) {
    state.withLock { $0.waiting[event.index] = event }
    while let event = state.withLock({ $0.takeNext() }) { report(event) }
  }

  private func report(_ event: SaveEvent) {
    do {
      switch event {
      case .saved(let index, let id, _):
        state.withLock { $0.saved.append((index, id)) }
        try print(id)
      case .duplicate: break
      case .failed(let index, let error):
        let file = files[index]
        guard let error = UnaddedFileError(file.name, of: file.url, error) else { throw error }
        state.withLock { $0.failedCount += 1 }
        _ = console.report(error)
      }
    } catch {
      state.withLock { $0.error = $0.error ?? error }
    }
  }
}

extension SaveEvent {
  /// The place of the draft among all.
  fileprivate var index: Int {
    switch self {
    case .saved(let index, _, _), .duplicate(let index, _, _), .failed(let index, _): index
    }
  }
}
