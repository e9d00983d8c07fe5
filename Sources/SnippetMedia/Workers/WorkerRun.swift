internal import CProcess
internal import Foundation
import SnippetBase

/// One job of one worker, from the side of the app.
struct WorkerRun {
  enum Failure: Error {
    /// The worker was gone before it had read anything.
    case workerGone
    /// The worker reported that it could not do the job.
    case refused(MediaError)
    case media(MediaError)
  }

  /// The time to wait before checking again whether the result is still wanted.
  private static let sliceMilliseconds: Int32 = 20
  /// The time for which a worker may continue with unwanted work.
  ///
  /// It avoids killing and restarting it whenever a list is flung.
  private static let patience = Duration.milliseconds(200)

  private let process: WorkerProcess
  private let job: WorkerMessage.Job
  private let media: MediaInput

  init(_ process: WorkerProcess, _ job: WorkerMessage.Job, _ media: MediaInput) {
    self.process = process
    self.job = job
    self.media = media
  }

  /// Lets the worker do the job.
  ///
  /// Unless it succeeds or reports a reason, the worker has ended on return.
  func bytes(onPart: (Data) -> Void, isCancelled: () -> Bool) throws(Failure) -> Data {
    var hasRead = false
    let deadline = WorkClock.now + job.limits.timeLimit
    var socket = process.socket
    socket.deadline = deadline
    do {
      try socket.send(job.words)
      while true {
        try waitForReply(until: deadline, isCancelled)
        switch try socket.receiveReply() {
        case .read(let offset, let count):
          hasRead = true
          try supply(offset, count, through: socket)
        case .part(let bytes): onPart(bytes)
        case .done(let bytes): return bytes
        case .failed(let error): throw Failure.refused(error)
        case .ready: throw WorkerSocket.Broken()
        }
      }
    } catch let failure as Failure {
      throw failure
    } catch let error as MediaError {
      _ = process.end()
      throw .media(error)
    } catch let broken as WorkerSocket.Broken where broken.isLate {
      _ = process.end()
      throw .media(timedOut)
    } catch {
      let signal = process.end()
      throw hasRead ? .media(MediaError(endedBy: signal, job.limits)) : .workerGone
    }
  }

  private func waitForReply(
    until deadline: WorkClock.Instant,
    _ isCancelled: () -> Bool
  ) throws(MediaError) {
    // Even if a reply is there at once: a worker could request bytes forever.
    guard WorkClock.now < deadline else { throw timedOut }
    var end: WorkClock.Instant?
    while !process.waitForReply(milliseconds: Self.sliceMilliseconds) {
      let now = WorkClock.now
      guard now < deadline else { throw timedOut }
      if end == nil, isCancelled() { end = now + Self.patience }
      if let end, now >= end { throw MediaError(.cancelled) }
    }
  }

  private var timedOut: MediaError {
    MediaError(.timedOut, reason: "it took longer than \(job.limits.timeLimit)")
  }

  /// Sends bytes that the worker requested.
  private func supply(
    _ offset: UInt64,
    _ count: UInt64,
    through socket: WorkerSocket
  ) throws {
    guard count <= WorkerMessage.maximumReadByteCount, let offset = Int64(exactly: offset) else {
      throw WorkerSocket.Broken()
    }
    var bytes = Data(count: Int(count))
    let readCount = try bytes.withUnsafeMutableBytes { try media.read(into: $0, at: offset) }
    try socket.send([UInt64(readCount)], bytes.prefix(readCount))
  }
}

extension MediaError {
  /// Explains the death of a worker.
  fileprivate init(endedBy signal: Int32, _ limits: MediaLimits) {
    switch signal {
    case SIGXCPU, SIGALRM:
      self.init(.timedOut, reason: "it took longer than \(limits.timeLimit)")
    case 0:
      self.init(.crashed, reason: "the process that decoded it ended")
    default:
      self.init(.crashed, reason: "the process that decoded it was ended by signal \(signal)")
    }
  }
}
