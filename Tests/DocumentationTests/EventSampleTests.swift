import Foundation
import Logging
import SnippetStorage
import SnippetTestSupport
import Synchronization
import Testing

/// The samples on live events, run.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct EventSampleTests {
  @Test func `events of a store become lines of a log`() async throws {
    let lines = LogLines()
    let logger = Logger(label: "test") { _ in RecordingLog(lines: lines) }
    let store = try await openLogged(at: TemporaryDirectory.file("log.sqlite"), logger)
    try await store.save(SnippetDraft(.text("Milk, eggs")))

    _ = try await store.search("milk")

    await lines.untilThere(["debug: indexing ended after "])
    try await store.close()
  }
}

/// What was logged.
private final class LogLines: Sendable {
  private struct State {
    var lines: [String] = []
    var wanted: [String] = []
    var waiting: CheckedContinuation<Void, Never>?

    var isThere: Bool { wanted.allSatisfy { text in lines.contains { $0.hasPrefix(text) } } }
  }

  private let state = Mutex(State())

  func append(_ line: String) {
    let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
      state.lines.append(line)
      guard state.waiting != nil, state.isThere else { return nil }
      defer { state.waiting = nil }
      return state.waiting
    }
    waiting?.resume()
  }

  /// Waits for lines that begin so.
  func untilThere(_ wanted: [String]) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        state.wanted = wanted
        if !state.isThere { state.waiting = continuation }
        return state.isThere
      }
      if isThere { continuation.resume() }
    }
  }
}

private struct RecordingLog: LogHandler {
  let lines: LogLines
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.trace

  init(lines: LogLines) {
    self.lines = lines
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    lines.append("\(event.level): \(event.message)")
  }
}
