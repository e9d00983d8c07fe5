package import Foundation
import SnippetBase
internal import SnippetStorage

/// One process is started at a time.
private let starting = Lock(0)

extension Process {
  /// More files are open than a process may be started with.
  struct TooManyOpenFiles: Error {
    var count: Int
  }

  /// Starts the process, while no other thread starts one.
  ///
  /// Foundation on Linux reads past the end of its list of open files where that list fills a whole
  /// buffer, at some 1,360 files, and sometimes crashes (swift-corelibs-foundation, pull request
  /// 5472). So a test that leaves pipes open is told so, long before.
  package func runAlone() throws {
    try starting.withLock { count in
      count += 1
      let openFiles = try FileManager.default.contentsOfDirectory(atPath: "/dev/fd").count
      guard openFiles < 500 else { throw TooManyOpenFiles(count: openFiles) }
      // A shell has what runs in the background ignore Ctrl-C, and children ignore what this does.
      signal(SIGINT, SIG_DFL)
      // They also block what the thread blocks that starts them, and a worker thread blocks all.
      var (none, blocked) = (sigset_t(), sigset_t())
      sigemptyset(&none)
      pthread_sigmask(SIG_SETMASK, &none, &blocked)
      defer { pthread_sigmask(SIG_SETMASK, &blocked, nil) }
      try run()
    }
  }
}
