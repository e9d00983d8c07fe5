import Foundation
import Logging
import SnippetLoading
import SnippetStorage

extension Logger {
  /// Writes what a store or a loader tells; what failed stands out.
  func write<Action>(_ event: LiveEvent<Action>) {
    log(level: event.error == nil ? .debug : .warning, "\(event)")
    if event.lostCount > 0 { warning("\(event.lostCount) events before this one were lost") }
  }
}

@MainActor
func openLogged(at url: URL, _ logger: Logger) async throws -> (SnippetStore, SnippetLoader) {
  var configuration = SnippetStore.Configuration()
  configuration.onEvent = { logger.write($0) }
  let store = try await SnippetStore.open(at: url, configuration: configuration)
  let trace = LoaderTrace(capacity: 0) { logger.write($0) }
  return (store, SnippetLoader(list: store.list(), source: store, trace: trace))
}
