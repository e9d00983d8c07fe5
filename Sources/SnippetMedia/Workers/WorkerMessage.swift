internal import CProcess
internal import Foundation
import SnippetBase

/// The messages between the two ends of a worker's socket: some numbers, then bytes.
///
/// Both ends run one version of one program on one machine, so numbers are sent as they are in
/// memory. The worker is not trusted: its messages are checked like a file.
enum WorkerMessage {
  /// A job, sent by the app to the worker.
  struct Job {
    enum Work: UInt64 {
      case thumbnailPixels = 2
      case encodedThumbnail = 3
      case waveform = 4
      /// Reports the ``SystemCallFilter`` of the worker; nothing is decoded.
      case filter = 5
    }

    var work: Work
    /// The size of a thumbnail, or the number of peaks.
    var count: Int
    var byteCount: Int64
    var limits: MediaLimits
    /// The interval between reports of the first peaks; `nil` for none.
    var partInterval: Duration?
  }

  /// A message of the worker.
  enum Reply {
    /// The worker has started.
    case ready
    /// It requests bytes of its input.
    case read(offset: UInt64, count: UInt64)
    /// The result so far; more will follow.
    case part(Data)
    case done(Data)
    case failed(MediaError)
  }

  /// The most bytes that a worker may request or return at once.
  static let maximumReadByteCount: UInt64 = 1 << 20
  static let maximumResultByteCount: UInt64 = 128 << 20
  static let maximumPartByteCount: UInt64 = 1 << 18
}

extension WorkerMessage.Job {
  static let wordCount = 8

  var words: [UInt64] {
    let milliseconds = limits.timeLimit / .milliseconds(1)
    return [
      work.rawValue, UInt64(count), UInt64(byteCount), UInt64(limits.maximumImageByteCount),
      UInt64(limits.maximumPixelCount), UInt64(limits.maximumMemoryByteCount),
      UInt64(min(max(1, milliseconds), 1e9)),
      partInterval.map { 1 + UInt64(min(max(0, $0 / .milliseconds(1)), 1e9)) } ?? 0,
    ]
  }

  init?(words: [UInt64]) {
    guard words.count == Self.wordCount, let work = Work(rawValue: words[0]),
      let count = Int(exactly: words[1]), let byteCount = Int64(exactly: words[2])
    else { return nil }
    self.work = work
    self.count = count
    self.byteCount = byteCount
    limits = MediaLimits(
      maximumImageByteCount: Int64(clamping: words[3]),
      maximumPixelCount: Int64(clamping: words[4]),
      timeLimit: .milliseconds(Int64(clamping: words[6])),
      maximumMemoryByteCount: Int64(clamping: words[5])
    )
    partInterval = words[7] == 0 ? nil : .milliseconds(Int64(clamping: words[7] - 1))
  }
}

/// One end of a worker's socket.
struct WorkerSocket {
  /// The other end is gone, sends nonsense or takes too long.
  struct Broken: Error {
    /// Whether the deadline has passed.
    var isLate = false
  }

  let descriptor: Int32
  /// The time by which each message must have passed; `nil` for none.
  ///
  /// It holds however the other end splits its bytes.
  var deadline: WorkClock.Instant?

  func send(_ words: [UInt64], _ bytes: Data = Data()) throws(Broken) {
    try check(words.withUnsafeBytes { write($0) })
    try check(bytes.withUnsafeBytes { write($0) })
  }

  func receive(wordCount: Int) throws(Broken) -> [UInt64] {
    var words = [UInt64](repeating: 0, count: wordCount)
    try check(words.withUnsafeMutableBytes { read($0) })
    return words
  }

  func receive(byteCount: UInt64, atMost maximum: UInt64) throws(Broken) -> Data {
    guard byteCount <= maximum else { throw Broken() }
    var bytes = Data(count: Int(byteCount))
    try check(bytes.withUnsafeMutableBytes { read($0) })
    return bytes
  }

  /// Receives as many bytes as fit.
  func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(Broken) {
    try check(read(buffer))
  }

  private func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int32 {
    snippet_worker_read(descriptor, buffer.baseAddress, buffer.count, milliseconds)
  }

  private func write(_ buffer: UnsafeRawBufferPointer) -> Int32 {
    snippet_worker_write(descriptor, buffer.baseAddress, buffer.count, milliseconds)
  }

  private func check(_ status: Int32) throws(Broken) {
    guard status == 0 else { throw Broken(isLate: status == snippet_worker_late.rawValue) }
  }

  /// The time left, in milliseconds; -1 without a deadline.
  private var milliseconds: Int64 {
    guard let deadline else { return -1 }
    return Int64(min(max(0, WorkClock.now.duration(to: deadline) / .milliseconds(1)), 1e9))
  }
}

extension WorkerSocket {
  private enum Tag: UInt64 {
    case ready = 1
    case read = 2
    case done = 3
    case failed = 4
    case part = 5
  }

  func send(_ reply: WorkerMessage.Reply) throws(Broken) {
    switch reply {
    case .ready: try send([Tag.ready.rawValue, 0, 0])
    case .read(let offset, let count): try send([Tag.read.rawValue, offset, count])
    case .part(let bytes): try send([Tag.part.rawValue, 0, UInt64(bytes.count)], bytes)
    case .done(let bytes): try send([Tag.done.rawValue, 0, UInt64(bytes.count)], bytes)
    case .failed(let error):
      let code = MediaError.Code.Value.allCases.firstIndex(of: error.code.value) ?? 0
      let beginning = Data(error.reason.utf8.prefix(500))
      let words = beginning.dropLast(beginning.cutUTF8ByteCount)
      try send([Tag.failed.rawValue, UInt64(code), UInt64(words.count)], words)
    }
  }

  func receiveReply() throws(Broken) -> WorkerMessage.Reply {
    let words = try receive(wordCount: 3)
    switch Tag(rawValue: words[0]) {
    case .ready: return .ready
    case .read: return .read(offset: words[1], count: words[2])
    case .part:
      return .part(
        try receive(byteCount: words[2], atMost: WorkerMessage.maximumPartByteCount)
      )
    case .done:
      let bytes = try receive(
        byteCount: words[2],
        atMost: WorkerMessage.maximumResultByteCount
      )
      return .done(bytes)
    case .failed:
      let codes = MediaError.Code.Value.allCases
      guard words[1] < UInt64(codes.count) else { throw Broken() }
      let reason = try receive(byteCount: words[2], atMost: 500)
      return .failed(
        MediaError(
          MediaError.Code(value: codes[Int(words[1])]),
          reason: String(decoding: reason, as: UTF8.self)
        )
      )
    case nil: throw Broken()
    }
  }
}
