import Foundation

@testable import SnippetMedia

extension FuzzTarget {
  /// Reads what a worker says that is not to be trusted, and the jobs that it is given.
  static let worker = FuzzTarget("worker") { bytes in
    try SocketPair.with { worker, program in
      // More would wait for a reader.
      try worker.send([], Data(bytes.prefix(1 << 15)))
      shutdown(worker.descriptor, Int32(SHUT_WR))
      while let reply = try? program.receiveReply() { try requireReply(reply) }
    }
    var input = FuzzBytes(bytes)
    let words = (0..<WorkerMessage.Job.wordCount).map { _ in input.number() }
    guard let job = WorkerMessage.Job(words: words) else { return }
    let again = WorkerMessage.Job(words: job.words)
    try require(again?.words == job.words, "a job is read as it was written: \(job)")
  }

  private static func requireReply(_ reply: WorkerMessage.Reply) throws {
    if case .failed(let error) = reply {
      try require(error.reason.utf8.count <= 1500, "a reason is short")
    }
    guard byteCount(of: reply) <= 1 << 15 else { return }
    try SocketPair.with { worker, program in
      try worker.send(reply)
      switch (reply, try program.receiveReply()) {
      case (.failed(let error), .failed(let again)):
        // Of a long reason the beginning is told, up to the end of a character.
        try require(
          again.code == error.code && error.reason.utf8.starts(with: again.reason.utf8)
            && again.reason.utf8.count <= 500,
          "\(error) is read as \(again)"
        )
      case (let reply, let again):
        try require("\(again)" == "\(reply)", "\(reply) is read as \(again)")
      }
    }
  }

  private static func byteCount(of reply: WorkerMessage.Reply) -> Int {
    if case .done(let bytes) = reply { bytes.count } else { 0 }
  }
}

/// Two ends of a socket, as a program and its worker have them.
private enum SocketPair {
  static func with(_ body: (WorkerSocket, WorkerSocket) throws -> Void) throws {
    var ends: [Int32] = [0, 0]
    let code = socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends)
    try require(code == 0, "a socket can be made")
    defer { for end in ends { close(end) } }
    try body(WorkerSocket(descriptor: ends[0]), WorkerSocket(descriptor: ends[1]))
  }
}
