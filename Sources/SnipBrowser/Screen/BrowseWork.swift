package import SnipCore
import TerminalKit

/// What goes on apart from the main actor on behalf of a screen: searches, changes, reading a text.
@MainActor
struct BrowseWork {
  /// What is done.
  enum Kind {
    case reading
    /// Something is to be another than before, in the store or outside: the end waits for it.
    case change
  }

  private var tasks: [Int: (kind: Kind, task: Task<Void, Never>)] = [:]
  private var last = 0

  /// Whether nothing goes on.
  var isEmpty: Bool { tasks.isEmpty }

  /// One of those that go on.
  var any: Task<Void, Never>? { tasks.values.first?.task }

  /// The changes that go on.
  var changes: [Task<Void, Never>] {
    tasks.values.filter { $0.kind == .change }.map(\.task)
  }

  /// Notes a task.
  ///
  /// - Parameters:
  ///   - kind: What it does.
  ///   - make: Makes the task, of the number that it is known by.
  mutating func begin(_ kind: Kind, _ make: (Int) -> Task<Void, Never>) {
    last += 1
    tasks[last] = (kind, make(last))
  }

  /// Notes that a task is done.
  mutating func end(_ number: Int) {
    tasks[number] = nil
  }
}

extension BrowseScreen {
  /// Starts work that may wait; what fails is told at the bottom of the screen.
  ///
  /// - Parameters:
  ///   - kind: What it does. The default is that it reads.
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

  /// Waits until what was changed is so, and takes nothing more from the terminal.
  ///
  /// What a key changed is on the screen at once, so nobody would expect it to be given up.
  ///
  /// - Parameter isInterrupted: Whether the program was asked to end: then what takes long, such as
  ///   an export, stops where nothing is lost.
  /// - Returns: What could not be changed, and there is no screen any more to tell it; `nil` when
  ///   nothing failed.
  func finishChanges(isInterrupted: Bool) async -> LostChangesError? {
    isEnding = true
    stopPlaying()
    while case let changes = work.changes, !changes.isEmpty {
      if isInterrupted { changes.forEach { $0.cancel() } }
      for change in changes { await change.value }
    }
    return losses.isEmpty ? nil : LostChangesError(reasons: losses)
  }

  /// Notes what could not be changed, for when there is no screen to tell it.
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
    // What another key cancelled is no failure.
    guard report.status != .interrupted, let text = report.message else { return }
    message = text.description
  }
}

/// The browser ended, and what was still to be changed could not be.
package struct LostChangesError: StatusError, Hashable {
  /// What and why, safe to print.
  let reasons: [String]

  package var status: ExitStatus { .failure }
  package var message: String { reasons.first ?? "" }
  package var hint: String? { nil }
  package var details: [String] { Array(reasons.dropFirst()) }
}
