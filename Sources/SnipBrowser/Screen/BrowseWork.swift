package import SnipCore
import TerminalKit

/// Work of a screen off the main actor: searches, changes, reading a text.
@MainActor
struct BrowseWork {
  /// The kind of work.
  enum Kind {
    case reading
    /// A change in the store or outside, which the end waits for.
    case change
  }

  private var tasks: [Int: (kind: Kind, task: Task<Void, Never>)] = [:]
  private var last = 0

  /// Whether no work is running.
  var isEmpty: Bool { tasks.isEmpty }

  /// One of the running tasks.
  var any: Task<Void, Never>? { tasks.values.first?.task }

  /// The running changes.
  var changes: [Task<Void, Never>] {
    tasks.values.filter { $0.kind == .change }.map(\.task)
  }

  /// Notes a task.
  ///
  /// - Parameters:
  ///   - kind: The kind of work.
  ///   - make: Makes the task, given its number.
  mutating func begin(_ kind: Kind, _ make: (Int) -> Task<Void, Never>) {
    last += 1
    tasks[last] = (kind, make(last))
  }

  /// Notes that a task has ended.
  mutating func end(_ number: Int) {
    tasks[number] = nil
  }
}

extension BrowseScreen {
  /// Starts slow work, and reports its failure at the bottom of the screen.
  ///
  /// - Parameters:
  ///   - kind: The kind of work. The default is reading.
  ///   - body: The work.
  func start(
    _ kind: BrowseWork.Kind = .reading,
    _ body: @escaping @MainActor () async throws -> Void
  ) {
    work.begin(kind) { number in
      Task { [weak self] in
        do {
          try await body()
        } catch {
          self?.tell(error)
          if kind == .change { self?.noteLoss(error) }
        }
        self?.work.end(number)
        self?.changeHandler?()
      }
    }
  }

  /// Waits until all changes are made, and takes nothing more from the terminal.
  ///
  /// The screen shows a change at once, so the user does not expect it to be dropped.
  ///
  /// - Parameter isInterrupted: Whether the program was asked to end. Slow work, such as an export,
  ///   then stops at a point where nothing is lost.
  /// - Returns: The changes that failed without a screen to report them on; `nil` when none did.
  func finishChanges(isInterrupted: Bool) async -> LostChangesError? {
    isEnding = true
    stopPlaying()
    while case let changes = work.changes, !changes.isEmpty {
      if isInterrupted { changes.forEach { $0.cancel() } }
      for change in changes { await change.value }
    }
    return losses.isEmpty ? nil : LostChangesError(reasons: losses)
  }

  /// Notes failed changes, for when there is no screen to report them on.
  func noteLoss(_ reasons: String...) {
    if isEnding { losses += reasons }
  }

  private func noteLoss(_ error: any Error) {
    let report = ErrorReport(error)
    guard report.status != .interrupted, let text = report.message else { return }
    noteLoss(text.description)
  }

  func tell(_ error: any Error) {
    let report = ErrorReport(error)
    // Work that another key cancelled has not failed.
    guard report.status != .interrupted, let text = report.message else { return }
    message = text.description
  }
}

/// The browser ended before some changes could be made.
package struct LostChangesError: StatusError, Hashable {
  /// The failed changes with their reasons, safe to print.
  let reasons: [String]

  package var status: ExitStatus { .failure }
  package var message: String { reasons.first ?? "" }
  package var hint: String? { nil }
  package var details: [String] { Array(reasons.dropFirst()) }
}
