import SnippetBase
import SnippetLoading

/// The steps of a loader's work, in their order.
final class EventLog: Sendable {
  private let log = Lock<[LoaderEvent]>([])

  var events: [LoaderEvent] { log.withLock { $0 } }

  func append(_ event: LoaderEvent) {
    log.withLock { $0.append(event) }
  }
}
