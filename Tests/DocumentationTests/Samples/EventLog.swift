import Foundation
import Logging
import SnippetStorage

extension Logger {
  /// Writes an event of a store; a failure is a warning.
  nonisolated func write(_ event: StoreEvent) {
    log(level: event.error == nil ? .debug : .warning, "\(event)")
    if event.lostCount > 0 { warning("\(event.lostCount) events before this one were lost") }
  }
}

func openLogged(at url: URL, _ logger: Logger) async throws -> SnippetStore {
  var configuration = SnippetStore.Configuration()
  configuration.onEvent = { logger.write($0) }
  return try await SnippetStore.open(at: url, configuration: configuration)
}
