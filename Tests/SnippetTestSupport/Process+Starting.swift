package import Foundation
internal import SnippetStore

/// One process is started at a time.
private let starting = Lock(0)

extension Process {
  /// Starts the process, while no other thread starts one.
  ///
  /// Foundation on Linux has been seen to read past the end of a buffer when several threads start
  /// processes at the same moment.
  package func runAlone() throws {
    try starting.withLock { count in
      count += 1
      try run()
    }
  }
}
