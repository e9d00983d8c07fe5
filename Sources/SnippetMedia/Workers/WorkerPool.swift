internal import Foundation

/// The workers of a ``WorkerMedia``, both busy and idle.
///
/// Starting a worker takes longer than decoding most pictures. So a call briefly waits for a busy
/// one before another is started: a screen of small pictures needs one worker, and long work gets
/// as many as there are calls.
final class WorkerPool: Sendable {
  /// A worker that is ready.
  struct Worker: Sendable {
    let process: WorkerProcess
    /// The number of its jobs; 0 if it was just started.
    fileprivate(set) var jobCount = 0
  }

  private let configuration: WorkerMedia.Configuration
  /// The time for which a call waits for a worker that is busy or starting.
  private let patience: Duration
  private let condition = NSCondition()
  // Guarded by the condition, which the compiler cannot see.
  private nonisolated(unsafe) var idle: [Worker] = []
  private nonisolated(unsafe) var otherCount = 0

  init(_ configuration: WorkerMedia.Configuration, patience: Duration = .milliseconds(30)) {
    (self.configuration, self.patience) = (configuration, patience)
  }

  /// Starts the first worker, if there is none.
  func start() {
    let isFirst = condition.withLock {
      guard idle.isEmpty, otherCount == 0 else { return false }
      otherCount = 1
      return true
    }
    guard isFirst, let worker = try? newWorker() else { return }
    // If it ends before it is used, that says nothing about the next file.
    keep(worker)
  }

  /// Takes an idle worker, or starts one.
  ///
  /// Afterwards pass it to ``keep(_:weight:)`` or call ``drop()``.
  ///
  /// - Throws: ``MediaError`` if none can be started.
  func take() throws(MediaError) -> Worker {
    let waiting: Worker? = condition.withLock {
      let deadline = Date(timeIntervalSinceNow: patience / .seconds(1))
      while idle.isEmpty, otherCount > 0, condition.wait(until: deadline) {}
      otherCount += 1
      return idle.popLast()
    }
    return if let waiting { waiting } else { try newWorker() }
  }

  private func newWorker() throws(MediaError) -> Worker {
    do {
      return Worker(
        process: try WorkerProcess(
          executable: configuration.executable,
          arguments: configuration.arguments
        )
      )
    } catch {
      drop()
      throw error
    }
  }

  /// Keeps a worker for the next job, unless it has done many.
  ///
  /// - Parameters:
  ///   - worker: The worker.
  ///   - weight: The number of jobs that the last one counts as.
  func keep(_ worker: Worker, weight: Int = 1) {
    var worker = worker
    worker.jobCount += weight
    condition.withLock {
      otherCount -= 1
      if worker.jobCount < configuration.jobsPerWorker, idle.count < configuration.idleWorkerCount {
        idle.append(worker)
      }
      condition.signal()
    }
  }

  /// Notes that a worker taken before is gone.
  func drop() {
    condition.withLock {
      otherCount -= 1
      condition.signal()
    }
  }
}
