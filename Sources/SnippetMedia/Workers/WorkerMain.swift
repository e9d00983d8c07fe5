internal import CMedia
internal import CProcess
internal import Foundation

extension WorkerMedia {
  /// Decodes for a ``WorkerMedia`` in another process, and ends this one with it.
  ///
  /// This is the whole program that an app ships beside itself:
  ///
  /// ```swift
  /// import SnippetMedia
  ///
  /// WorkerMedia.runWorker()
  /// ```
  ///
  /// It takes its work through standard input until that is closed. It gives up the rights to open
  /// and write files, to leave a core dump, and to use more memory and time than allowed. On Linux
  /// it also gives up all system calls but those that decoding needs, if the system lets it.
  public static func runWorker() -> Never {
    let worker = WorkerLoop(socket: WorkerSocket(descriptor: STDIN_FILENO))
    // The other end is gone, so there is nothing to report to.
    try? worker.run()
    exit(0)
  }
}

private struct WorkerLoop {
  let socket: WorkerSocket

  func run() throws {
    snippet_worker_give_way()
    prepare()
    try socket.send(.ready)
    var filterStatus: Int32?
    while true {
      let words = try socket.receive(wordCount: WorkerMessage.Job.wordCount)
      guard let job = WorkerMessage.Job(words: words) else { throw WorkerSocket.Broken() }
      let status =
        filterStatus ?? snippet_worker_confine(UInt64(job.limits.maximumMemoryByteCount))
      filterStatus = status
      // The app kills a worker that is late; if the app is gone, the system does.
      snippet_worker_limit_time(UInt32(job.limits.timeLimit / .seconds(1)) + 2)
      let reply = reply(to: job, filterStatus: status)
      snippet_worker_limit_time(0)
      try socket.send(reply)
    }
  }

  /// Opens all files that decoding will ever need.
  private func prepare() {
    _ = snippet_image_start()
    _ = snippet_libav_start()
    // Loads the system's time zones.
    _ = Calendar(identifier: .gregorian).date(from: DateComponents(year: 2026))
  }

  private func reply(
    to job: WorkerMessage.Job,
    filterStatus: Int32
  ) -> WorkerMessage.Reply {
    do {
      return .done(try result(of: job, filterStatus: filterStatus))
    } catch let error as MediaError {
      return .failed(error)
    } catch {
      return .failed(MediaError(.undecodable))
    }
  }

  private func result(of job: WorkerMessage.Job, filterStatus: Int32) throws -> Data {
    var media = LibraryMedia(limits: job.limits)
    media.partInterval = job.partInterval ?? job.limits.timeLimit
    let input = MediaInput(byteCount: job.byteCount) { [socket] buffer, offset in
      try socket.ask(for: buffer, at: offset)
    }
    switch job.work {
    case .filter: return withUnsafeBytes(of: filterStatus) { Data($0) }
    case .waveform:
      return try media.waveform(
        of: input,
        peakCount: job.count,
        // If the other end is gone, the next read will find out.
        onPart: { [socket] part in try? socket.send(.part(part.bytes)) },
        isCancelled: { false }
      ).bytes
    case .thumbnailPixels, .encodedThumbnail:
      let request = ThumbnailRequest(
        maximumPixelSize: job.count,
        isEncoded: job.work == .encodedThumbnail
      )
      return try media.thumbnail(of: input, as: request) { false }.workerBytes
    }
  }
}

extension WorkerSocket {
  /// Requests bytes of the input from the app.
  fileprivate func ask(
    for buffer: UnsafeMutableRawBufferPointer,
    at offset: Int64
  ) throws -> Int {
    let wanted = min(UInt64(buffer.count), WorkerMessage.maximumReadByteCount)
    try send(.read(offset: UInt64(max(0, offset)), count: wanted))
    let count = try receive(wordCount: 1)[0]
    guard count <= wanted else { throw MediaError(.unreadable) }
    try fill(UnsafeMutableRawBufferPointer(rebasing: buffer[..<Int(count)]))
    return Int(count)
  }
}

extension Thumbnail {
  private static let headByteCount = 13

  /// The thumbnail as a worker transfers it: its form, its size and that of the image, zeros where
  /// it is unknown, then its bytes.
  var workerBytes: Data {
    var data = Data([form.rawValue])
    for side in [pixelWidth, pixelHeight] {
      withUnsafeBytes(of: UInt16(clamping: side).littleEndian) { data.append(contentsOf: $0) }
    }
    for side in [imagePixelWidth ?? 0, imagePixelHeight ?? 0] {
      withUnsafeBytes(of: UInt32(clamping: side).littleEndian) { data.append(contentsOf: $0) }
    }
    return data + bytes
  }

  init?(workerBytes data: Data) {
    guard data.count >= Self.headByteCount, let form = Form(rawValue: data[data.startIndex]) else {
      return nil
    }
    func side(_ place: Int, byteCount: Int) -> Int {
      data.dropFirst(place).prefix(byteCount).reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    self.init(
      pixelWidth: side(1, byteCount: 2),
      pixelHeight: side(3, byteCount: 2),
      form: form,
      bytes: Data(data.dropFirst(Self.headByteCount)),
      imagePixelWidth: side(5, byteCount: 4),
      imagePixelHeight: side(9, byteCount: 4)
    )
  }
}
