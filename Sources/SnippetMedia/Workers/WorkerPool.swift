internal import Foundation

/// The workers of a ``WorkerMedia``: those that decode, and those that wait to.
///
/// To start a worker takes longer than to decode most pictures. So a call waits a moment for one
/// that is busy before another is started: a screen of small pictures takes one worker, long work
/// takes as many as there are calls.
final class WorkerPool: Sendable {
  /// A worker that is ready.
  struct Worker: Sendable {
    let process: WorkerProcess
    /// What it has done; 0 for one that was just started.
    fileprivate(set) var jobCount = 0
  }

  private let configuration: WorkerMedia.Configuration
  /// How long a call waits for a worker that is busy or starting.
  private let patience: Duration
  private let condition = NSCondition()
  // Guarded by the condition, which no type of the standard library is.
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
    // Should it end before it is used, that says nothing of the file that it gets then.
    keep(worker)
  }

  /// Takes a worker that is idle, or starts one.
  ///
  /// Give it to ``keep(_:weight:)`` or call ``drop()`` afterwards.
  ///
  /// - Throws: ``MediaError`` where none can be started.
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

  /// Keeps a worker that has done its job for the next one, unless it has done many.
  ///
  /// - Parameters:
  ///   - worker: The worker.
  ///   - weight: For how many jobs the last one counts.
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

  /// Notes that a worker that was taken is gone.
  func drop() {
    condition.withLock {
      otherCount -= 1
      condition.signal()
    }
  }
}
