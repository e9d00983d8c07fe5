public import Foundation
import SnippetBase

/// Decodes in separate processes, so that a fault in a decoder, or a file made to exploit one,
/// costs one picture and not the app.
///
/// A worker reads its input over a socket, piece by piece. It can open and write no files, and
/// inherits nothing. On Linux a filter leaves it only the few system calls that decoding needs; if
/// the filter cannot be installed, the worker runs without it. A worker
/// is killed when it takes too long, and ends when it uses more memory than allowed. It is reused
/// for up to ``Configuration/jobsPerWorker`` files; a damaged one counts as twenty.
///
/// On iOS apps cannot start programs, so there are no workers.
public final class WorkerMedia: MediaMaking {
  /// The decoding program, and its limits.
  public struct Configuration: Sendable {
    /// The program, which must call ``WorkerMedia/runWorker()``.
    public var executable: URL
    /// The arguments of the program; none by default.
    public var arguments: [String]
    /// The limits of decoding one image or recording.
    public var limits: MediaLimits
    /// The number of idle workers to keep.
    ///
    /// The default is 2. While calls wait for busy workers, more are started, up to one for each
    /// call.
    public var idleWorkerCount: Int
    /// The number of images or recordings that a worker decodes before it is replaced.
    ///
    /// The default is 200. With 1, files never share a process, which costs about 50 milliseconds
    /// each.
    public var jobsPerWorker: Int

    /// Makes a configuration.
    ///
    /// - Parameters:
    ///   - executable: The program.
    ///   - arguments: The arguments of the program.
    ///   - limits: The limits of decoding.
    ///   - idleWorkerCount: The number of idle workers to keep.
    ///   - jobsPerWorker: The number of images or recordings that a worker decodes before it is
    ///     replaced.
    public init(
      executable: URL,
      arguments: [String] = [],
      limits: MediaLimits = MediaLimits(),
      idleWorkerCount: Int = 2,
      jobsPerWorker: Int = 200
    ) {
      self.executable = executable
      self.arguments = arguments
      self.limits = limits
      self.idleWorkerCount = max(0, idleWorkerCount)
      self.jobsPerWorker = max(1, jobsPerWorker)
    }
  }

  /// The decoding program, and its limits.
  public let configuration: Configuration
  /// The least time between two reports of the first peaks of a recording.
  private let partInterval: Duration

  private let workers: WorkerPool

  /// Makes a decoder.
  ///
  /// The first worker is started when it is needed.
  ///
  /// - Parameter configuration: The decoding program, and its limits.
  public convenience init(_ configuration: Configuration) {
    self.init(configuration, partInterval: .milliseconds(100))
  }

  /// Makes a decoder with another interval between reports of peaks.
  package init(_ configuration: Configuration, partInterval: Duration) {
    self.configuration = configuration
    self.partInterval = partInterval
    workers = WorkerPool(configuration)
  }

  /// Starts the first worker, so that the first pictures need not wait for it.
  ///
  /// Otherwise the first call starts it. Call this while the app starts, off its main thread: it
  /// returns when the worker is ready, some 50 milliseconds later. If the worker cannot be started,
  /// the first call that needs it throws the reason.
  public func startWorker() { workers.start() }

  /// Makes a small picture, upright and in sRGB.
  ///
  /// - Parameters:
  ///   - image: An image.
  ///   - request: The requested size and form.
  ///   - isCancelled: Tells whether to stop.
  /// - Returns: The picture, not larger than the image.
  /// - Throws: ``MediaError``
  public func thumbnail(
    of image: MediaInput,
    as request: ThumbnailRequest,
    isCancelled: () -> Bool
  ) throws(MediaError) -> Thumbnail {
    let work: WorkerMessage.Job.Work =
      request.isEncoded ? .encodedThumbnail : .thumbnailPixels
    let bytes = try run(work, request.maximumPixelSize, image, isCancelled)
    guard let thumbnail = Thumbnail(workerBytes: bytes) else { throw MediaError(.crashed) }
    return thumbnail
  }

  /// Computes the peaks of equal parts of a recording, in one pass and in constant memory.
  ///
  /// - Parameters:
  ///   - recording: A recording.
  ///   - peakCount: The number of parts, from 1 to 65,536.
  ///   - isCancelled: Tells whether to stop.
  /// - Returns: The peaks.
  /// - Throws: ``MediaError``
  public func waveform(
    of recording: MediaInput,
    peakCount: Int,
    isCancelled: () -> Bool
  ) throws(MediaError) -> Waveform {
    try waveform(of: recording, peakCount: peakCount, onPart: nil, isCancelled)
  }

  /// Computes the peaks of equal parts of a recording, and reports the first ones on the way.
  ///
  /// - Parameters:
  ///   - recording: A recording.
  ///   - peakCount: The number of parts, from 1 to 65,536.
  ///   - onPart: Called at most ten times a second with the peaks so far; all later ones are
  ///     silent.
  ///   - isCancelled: Tells whether to stop.
  /// - Returns: The peaks.
  /// - Throws: ``MediaError``
  public func waveform(
    of recording: MediaInput,
    peakCount: Int,
    onPart: (Waveform) -> Void,
    isCancelled: () -> Bool
  ) throws(MediaError) -> Waveform {
    try withoutActuallyEscaping(onPart) { onPart throws(MediaError) in
      try waveform(of: recording, peakCount: peakCount, onPart: onPart, isCancelled)
    }
  }

  private func waveform(
    of recording: MediaInput,
    peakCount: Int,
    onPart: ((Waveform) -> Void)?,
    _ isCancelled: () -> Bool
  ) throws(MediaError) -> Waveform {
    let count = min(max(1, peakCount), 65_536)
    let bytes = try run(
      .waveform,
      count,
      recording,
      partInterval: onPart == nil ? nil : partInterval,
      onPart: { bytes in
        // A worker is not trusted, so show only a valid waveform.
        guard let part = Waveform(bytes: bytes), part.peaks.count <= count else { return }
        onPart?(part)
      },
      isCancelled
    )
    guard let waveform = Waveform(bytes: bytes) else { throw MediaError(.crashed) }
    return waveform
  }

  /// Finds out whether workers give up the system calls that decoding does not need.
  ///
  /// It depends on the machine, and is the same for all workers.
  ///
  /// - Returns: The filter of a worker.
  /// - Throws: ``MediaError``
  package func systemCallFilter() throws(MediaError) -> SystemCallFilter {
    let nothing = MediaInput(Data())
    let bytes = try run(.filter, 0, nothing) { false }
    guard bytes.count == MemoryLayout<Int32>.size else { throw MediaError(.crashed) }
    return SystemCallFilter(status: bytes.withUnsafeBytes { $0.loadUnaligned(as: Int32.self) })
  }

  // MARK: - Workers

  private func run(
    _ work: WorkerMessage.Job.Work,
    _ count: Int,
    _ media: MediaInput,
    partInterval: Duration? = nil,
    onPart: (Data) -> Void = { _ in },
    _ isCancelled: () -> Bool
  ) throws(MediaError) -> Data {
    let job = WorkerMessage.Job(
      work: work,
      count: count,
      byteCount: media.byteCount,
      limits: configuration.limits,
      partInterval: partInterval
    )
    while true {
      guard !isCancelled() else { throw MediaError(.cancelled) }
      let worker = try workers.take()
      let run = WorkerRun(worker.process, job, media)
      do throws(WorkerRun.Failure) {
        let bytes = try run.bytes(onPart: onPart, isCancelled: isCancelled)
        workers.keep(worker)
        return bytes
      } catch {
        if case .refused(let error) = error {
          workers.keep(worker, weight: Self.failureWeight)
          throw error
        }
        workers.drop()
        switch error {
        // The worker ended while it was idle; the present input is not to blame.
        case .workerGone where worker.jobCount > 0: continue
        case .workerGone:
          throw MediaError(.workerUnavailable, reason: "the program that decodes ended at once")
        case .refused(let error), .media(let error): throw error
        }
      }
    }
  }

  /// The number of good files that a damaged one counts as; after some of them a worker is
  /// replaced.
  private static let failureWeight = 20
}
