package import Foundation
import SnippetBase
internal import SnippetStorage

/// Serializes the starting of processes.
private let starting = Lock(0)

extension Process {
  /// So many files are open that a process cannot be started safely.
  struct TooManyOpenFiles: Error {
    var count: Int
  }

  /// Starts the process, while no other thread starts one.
  ///
  /// Foundation on Linux reads past the end of its list of open files if that list fills a whole
  /// buffer, at some 1,360 files, and sometimes crashes (swift-corelibs-foundation, pull request
  /// 5472). So a test that leaves pipes open fails long before.
  package func runAlone() throws {
    try starting.withLock { count in
      count += 1
      let openFiles = try FileManager.default.contentsOfDirectory(atPath: "/dev/fd").count
      guard openFiles < 500 else { throw TooManyOpenFiles(count: openFiles) }
      // A shell lets background processes ignore Ctrl-C, and children inherit ignored signals.
      signal(SIGINT, SIG_DFL)
      // They also inherit the blocked signals of the starting thread, and a worker thread blocks
      // all.
      var (none, blocked) = (sigset_t(), sigset_t())
      sigemptyset(&none)
      pthread_sigmask(SIG_SETMASK, &none, &blocked)
      defer { pthread_sigmask(SIG_SETMASK, &blocked, nil) }
      try run()
    }
  }
}
