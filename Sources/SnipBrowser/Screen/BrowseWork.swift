package import SnipCore
import TerminalKit

/// The work that a screen does apart from the main actor, and the messages about it.
@MainActor
final class BrowseWork {
  /// A purpose of work.
  enum Kind {
    case reading
    /// It changes the store or something outside; the end waits for it.
    case change
  }

  /// Called when another frame may look different.
  var changeHandler: (() -> Void)?
  /// What was just done, or why not; until the next key.
  var message = ""

  private var tasks: [Int: (kind: Kind, task: Task<Void, Never>)] = [:]
  private var last = 0
  /// Whether the screen is gone.
  private var isEnding = false
  /// The failures that no message on the screen has told yet.
  private var losses: [String] = []

  /// Whether no work goes on.
  var isEmpty: Bool { tasks.isEmpty }

  /// Any work that goes on.
  var any: Task<Void, Never>? { tasks.values.first?.task }

  /// Starts work that may wait; a failure becomes the message.
  ///
  /// - Parameters:
  ///   - kind: Its purpose. The default is that it reads.
  ///   - body: The work.
  func start(_ kind: Kind = .reading, _ body: @escaping @MainActor () async throws -> Void) {
    last += 1
    let number = last
    let task = Task { [weak self] in
      do {
        try await body()
      } catch {
        self?.tell(error)
        if kind == .change { self?.noteLoss(error) }
      }
      self?.tasks[number] = nil
      self?.changeHandler?()
    }
    tasks[number] = (kind, task)
  }

  /// Takes the messages off the screen: a key shows that they were read.
  func clearMessages() {
    message = ""
    losses = []
  }

  func tell(_ error: any Error) {
    // Work that another key cancelled has not failed.
    if let text = Self.words(for: error) { message = text }
  }

  // MARK: - The end

  /// Waits until all changes are made, and takes nothing more from the terminal.
  ///
  /// A change is on the screen at once, so a user expects it to be kept.
  ///
  /// - Parameter isInterrupted: Whether the program was asked to end: then long work, such as an
  ///   export, stops where nothing is lost.
  /// - Returns: The changes that failed with no screen to tell it; `nil` when none did.
  func finishChanges(isInterrupted: Bool) async -> LostChangesError? {
    isEnding = true
    while case let changes = tasks.values.filter({ $0.kind == .change }), !changes.isEmpty {
      if isInterrupted { changes.forEach { $0.task.cancel() } }
      for change in changes { await change.task.value }
    }
    return losses.isEmpty ? nil : LostChangesError(reasons: losses)
  }

  /// Notes a failed change, for when there is no screen to tell it.
  func noteLoss(_ reason: String) {
    if isEnding { losses.append(reason) }
  }

  /// Notes a loss that the end tells as well, unless a key shows that it was read.
  func warn(_ reasons: String...) { losses += reasons }

  private func noteLoss(_ error: any Error) {
    if let text = Self.words(for: error) { noteLoss(text) }
  }

  /// The failure in words; `nil` for an interruption.
  private static func words(for error: any Error) -> String? {
    let report = ErrorReport(error)
    return report.status == .interrupted ? nil : report.message?.description
  }
}

/// The browser ended, and some changes could not be made.
package struct LostChangesError: StatusError, Hashable {
  /// The changes and why they failed, safe to print.
  let reasons: [String]

  package var status: ExitStatus { .failure }
  package var message: String { reasons.first ?? "" }
  package var hint: String? { nil }
  package var details: [String] { Array(reasons.dropFirst()) }
}
