public import Foundation
import SnippetBase
internal import SnippetStorage

/// Decodes in processes of their own, so that a fault in a decoder, or a file made to exploit one,
/// costs one picture and not the app.
///
/// A worker reads its input over a socket, piece by piece. It can open and write no files, and
/// inherits nothing. On Linux a filter leaves it the few calls of the system that decoding needs;
/// where that cannot be set up it works without, which ``systemCallFilter()`` tells. It is killed
/// when it takes too long, and ends when it uses more memory than allowed. It is reused for up to ``Configuration/jobsPerWorker`` files; a damaged one counts as
/// twenty.
///
/// iOS lets no app start programs, so there is no worker there.
public final class WorkerMedia: MediaMaking {
  /// Which program decodes, and what that may cost.
  public struct Configuration: Sendable {
    /// The program, which calls ``MediaWorker/run()``.
    public var executable: URL
    /// The arguments of the program; none by default.
    public var arguments: [String]
    /// What decoding one image or recording may cost.
    public var limits: MediaLimits
    /// How many workers are kept while there is nothing to do.
    ///
    /// The default is 2. While calls wait for workers that are busy, more are started, up to one
    /// for each call at a time.
    public var idleWorkerCount: Int
    /// How many images or recordings a worker decodes before it is replaced.
    ///
    /// The default is 200. With 1 no file shares a process with another, which costs about 50
    /// milliseconds each.
    public var jobsPerWorker: Int

    /// Describes the workers.
    ///
    /// - Parameters:
    ///   - executable: The program.
    ///   - arguments: The arguments of the program.
    ///   - limits: What decoding may cost.
    ///   - idleWorkerCount: How many workers are kept while there is nothing to do.
    ///   - jobsPerWorker: How many images or recordings a worker decodes before it is replaced.
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

  /// Which program decodes, and what that may cost.
  public let configuration: Configuration
  /// How long it takes at least until the next peaks of a recording are told of.
  private let partInterval: Duration

  private let workers: WorkerPool

  /// Makes a decoder; the first worker is started when it is needed.
  ///
  /// - Parameter configuration: Which program decodes, and what that may cost.
  public convenience init(_ configuration: Configuration) {
    self.init(configuration, partInterval: .milliseconds(100))
  }

  /// Makes a decoder that tells of peaks more often or less.
  package init(_ configuration: Configuration, partInterval: Duration) {
    self.configuration = configuration
    self.partInterval = partInterval
    workers = WorkerPool(configuration)
  }

  /// Starts the first worker, so that the first pictures need not wait for it.
  ///
  /// Without it that happens with the first call. Call it while a program starts, off its main
  /// thread: it returns when the worker is ready, some 50 milliseconds later. Where it cannot be
  /// started, the first call that needs it tells why.
  public func startWorker() { workers.start() }

  /// Makes a small picture, upright and in sRGB.
  ///
  /// - Parameters:
  ///   - image: An image.
  ///   - request: What is wanted.
  ///   - isCancelled: Says whether to stop.
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

  /// Finds the peaks of equal parts of a recording, reading it once and in constant memory.
  ///
  /// - Parameters:
  ///   - recording: A recording.
  ///   - peakCount: How many parts, from 1 to 65,536.
  ///   - isCancelled: Says whether to stop.
  /// - Returns: The peaks.
  /// - Throws: ``MediaError``
  public func waveform(
    of recording: MediaInput,
    peakCount: Int,
    isCancelled: () -> Bool
  ) throws(MediaError) -> Waveform {
    try waveform(of: recording, peakCount: peakCount, onPart: nil, isCancelled)
  }

  /// Finds the peaks of equal parts of a recording, and tells of the first while it goes on.
  ///
  /// - Parameters:
  ///   - recording: A recording.
  ///   - peakCount: How many parts, from 1 to 65,536.
  ///   - onPart: Called ten times a second at most with the peaks found so far; all after them are
  ///     silent.
  ///   - isCancelled: Says whether to stop.
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
        // A worker is not trusted: what is no waveform is not shown.
        guard let part = Waveform(bytes: bytes), part.peaks.count <= count else { return }
        onPart?(part)
      },
      isCancelled
    )
    guard let waveform = Waveform(bytes: bytes) else { throw MediaError(.crashed) }
    return waveform
  }

  /// Finds out whether the workers give up the calls of the system that decoding does not need.
  ///
  /// It depends on the machine, and is the same for all workers.
  ///
  /// - Returns: The filter that a worker is under.
  /// - Throws: ``MediaError``
  public func systemCallFilter() throws(MediaError) -> SystemCallFilter {
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
        // It ended while it had nothing to do: no fault of what it was given now.
        case .workerGone where worker.jobCount > 0: continue
        case .workerGone:
          throw MediaError(.workerUnavailable, reason: "the program that decodes ended at once")
        case .refused(let error), .media(let error): throw error
        }
      }
    }
  }

  /// A damaged file counts as so many sound ones: a worker that met some of them is replaced.
  private static let failureWeight = 20
}
