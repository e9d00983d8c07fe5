internal import CProcess
internal import Foundation
import SnippetBase

/// A running worker, killed when it is released.
final class WorkerProcess: Sendable {
  let socket: WorkerSocket
  private let number: Int32
  private let hasEnded = Lock(false)

  /// Starts a program and waits until it is ready.
  ///
  /// - Parameters:
  ///   - executable: The program.
  ///   - arguments: The arguments of the program.
  ///   - startLimit: The longest time until it is ready.
  /// - Throws: ``MediaError/Code/workerMissing``, ``MediaError/Code/workerUnavailable``
  init(
    executable: URL,
    arguments: [String],
    startLimit: Duration = .seconds(10)
  ) throws(MediaError) {
    var descriptor: Int32 = -1
    var process: Int32 = 0
    let words = ([executable.path] + arguments).map { strdup($0) }
    let error = snippet_worker_start(executable.path, words + [nil], &descriptor, &process)
    for word in words { free(word) }
    guard error == 0 else {
      let reason = String(cString: strerror(error))
      let isMissing = [ENOENT, ENOTDIR, EISDIR, EACCES, ENOEXEC, ELOOP].contains(error)
      throw MediaError(
        isMissing ? .workerMissing : .workerUnavailable,
        reason: "\(executable.path): \(reason)"
      )
    }
    socket = WorkerSocket(descriptor: descriptor)
    number = process
    let starting = WorkerSocket(descriptor: descriptor, deadline: WorkClock.now + startLimit)
    guard case .ready? = try? starting.receiveReply() else {
      _ = end()
      throw MediaError(
        .workerUnavailable,
        reason: "\(executable.path) does not answer as one that decodes"
      )
    }
  }

  deinit { _ = end() }

  /// Ends the process, unless it has ended.
  ///
  /// - Returns: The number of the signal that had already ended it; 0 if there was none.
  func end() -> Int32 {
    let isFirst = hasEnded.withLock { hasEnded in
      defer { hasEnded = true }
      return !hasEnded
    }
    return isFirst ? snippet_worker_end(socket.descriptor, number) : 0
  }

  /// Waits for a limited time until there is a reply or the process is gone.
  func waitForReply(milliseconds: Int32) -> Bool {
    snippet_worker_wait(socket.descriptor, milliseconds) != 0
  }
}
