#if GTK
import Foundation
import SnippetBase
import SnippetExchange
import SnippetStorage

/// The imports of a window, one after the other, with their progress.
@MainActor
final class FileImport {
  /// Called while files are imported with the number of files done and of all; with `nil` at the
  /// end.
  var progressHandler: (((done: Int, total: Int)?) -> Void)?
  /// Called at the end with the outcome in a sentence, and with the first error of a file.
  var endHandler: ((String, SnippetStoreError?) -> Void)?

  private let store: SnippetStore
  private var waiting: [[URL]] = []
  private var task: Task<Void, Never>?

  init(_ store: SnippetStore) { self.store = store }

  /// Imports files and folders, after those that are being imported.
  func start(_ files: [URL]) {
    guard !files.isEmpty else { return }
    waiting.append(files)
    guard task == nil else { return }
    task = Task {
      await run()
      task = nil
      // Some may have come while the last were being cancelled.
      if let next = waiting.popLast() { start(next) }
    }
  }

  /// Ends all imports; imported files stay.
  func cancel() {
    waiting = []
    task?.cancel()
  }

  private func run() async {
    let seen = Lock(Seen())
    let ticker = Task {
      while !Task.isCancelled {
        progressHandler?(seen.withLock { ($0.done, $0.total) })
        try? await Task.sleep(for: .milliseconds(100))
      }
    }
    var counts: [ImportEvent.Outcome: Int] = [:]
    var failure: SnippetStoreError?
    while !waiting.isEmpty, failure == nil {
      let files = waiting.removeFirst()
      let counting = Task {
        let count = await store.sizeOfImport(of: files).fileCount
        seen.withLock { $0.total += count }
      }
      do throws(SnippetStoreError) {
        let report = try await store.importFiles(at: files) { event in
          if event.outcome == .movedFolder, let former = event.formerFile {
            seen.withLock { $0.moved.append(Seen.Move(from: former.path, to: event.file.path)) }
          }
          if event.isNotice { return }
          seen.withLock { seen in
            seen.done += 1
            seen.error = seen.error ?? event.error
          }
        }
        for outcome in ImportEvent.Outcome.allCases {
          counts[outcome, default: 0] += report[outcome]
        }
      } catch {
        failure = error
      }
      counting.cancel()
    }
    ticker.cancel()
    progressHandler?(nil)
    if failure?.code == .cancelled {
      endHandler?(localized("The import was cancelled. Imported files stay."), nil)
    } else {
      let all = seen.withLock(\.self)
      let sentences = [Self.summary(of: counts), Self.words(for: all.moved)].compactMap(\.self)
      endHandler?(sentences.joined(separator: " "), failure ?? all.error)
    }
  }

  /// The events of imports so far.
  private struct Seen {
    struct Move {
      let from: String
      let to: String
    }

    var done = 0
    var total = 0
    /// The first error of a file.
    var error: SnippetStoreError?
    /// The folders that were moved as a whole.
    var moved: [Move] = []
  }

  /// Names the folders that were moved, whose snippets have followed; `nil` if there are none.
  private static func words(for moved: [Seen.Move]) -> String? {
    guard let first = moved.first else { return nil }
    return moved.count == 1
      ? localized("The folder {1} is {2} now; its snippets follow.", first.from, first.to)
      : localizedCount(
        "{1} folder was moved; its snippets follow.",
        "{1} folders were moved; their snippets follow.",
        count: moved.count
      )
  }

  /// The outcome of the imports, in a sentence.
  private static func summary(of counts: [ImportEvent.Outcome: Int]) -> String {
    func count(_ outcomes: ImportEvent.Outcome...) -> Int {
      outcomes.reduce(0) { $0 + counts[$1, default: 0] }
    }
    let parts = [
      (count(.imported), localized("imported")),
      (count(.broughtBack), localized("brought back from the trash")),
      (count(.updated), localized("updated")),
      (count(.moved), localized("moved")),
      (count(.conflict), localized("changed on both sides")),
      (count(.duplicate, .unchanged), localized("there already")),
      (count(.unsupported), localized("of no kind that can be kept")),
      (count(.failed), localized("could not be read")),
      (count(.unreadFrontMatter), localized("with front matter that cannot be read")),
    ].filter { $0.0 > 0 }
    return parts.isEmpty
      ? localized("There was nothing to import.")
      : parts.map { "\($0.0.formatted()) \($0.1)" }.joined(separator: ", ") + "."
  }
}
#endif
