import TerminalKit

/// What goes on apart from the main actor on behalf of a screen: searches, changes, reading a text.
@MainActor
struct BrowseWork {
  private var tasks: [Int: Task<Void, Never>] = [:]
  private var last = 0

  /// Whether nothing goes on.
  var isEmpty: Bool { tasks.isEmpty }

  /// One of those that go on.
  var any: Task<Void, Never>? { tasks.values.first }

  /// Notes a task.
  ///
  /// - Returns: The number that it is known by.
  mutating func begin(_ make: (Int) -> Task<Void, Never>) {
    last += 1
    tasks[last] = make(last)
  }

  /// Notes that a task is done.
  mutating func end(_ number: Int) {
    tasks[number] = nil
  }
}

extension BrowseScreen {
  /// Starts work that may wait; what fails is told at the bottom of the screen.
  func start(_ body: @escaping @MainActor () async throws -> Void) {
    work.begin { number in
      Task { [weak self] in
        do {
          try await body()
        } catch {
          self?.tell(error)
        }
        self?.work.end(number)
        self?.changeHandler?()
      }
    }
  }

  func tell(_ error: any Error) {
    let report = ErrorReport(error)
    // What another key cancelled is no failure.
    guard report.status != .interrupted, let text = report.message else { return }
    message = text.description
  }
}
