internal import Foundation
import SnippetBase
public import SnippetStorage

/// The numbers of thumbnails and waveforms that were made ahead of time.
public struct DerivativeReport: Sendable, Hashable {
  /// The number of derivatives made and stored.
  public var madeCount = 0
  /// The number of derivatives already stored.
  public var keptCount = 0
  /// The number of derivatives that cannot be made, because there is no decoder.
  public var undecodableCount = 0
  /// The number of derivatives that failed for another reason: damaged, too large, too slow.
  public var failedCount = 0

  /// The number of derivatives done.
  public var doneCount: Int { madeCount + keptCount + undecodableCount + failedCount }
}

extension SnippetStore {
  /// Makes the missing thumbnails and waveforms of a list ahead of time, so that the list is fast
  /// even the first time.
  ///
  /// Derivatives made before the task is cancelled stay.
  ///
  /// ```swift
  /// let report = try await store.makeDerivatives(of: store.list(), with: media) {
  ///   print($0.doneCount)
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - list: A list of this store; its texts are skipped.
  ///   - media: The decoder.
  ///   - images: The recipes for images. The default is the thumbnail of a cell in a list.
  ///   - recordings: The recipes for recordings. The default is the waveform of a row.
  ///   - workerCount: The number of derivatives to make in parallel, from 1 to 64. The default is
  ///     2.
  ///   - remakes: Whether to make stored derivatives again. The default is `false`.
  ///   - onProgress: Called after each derivative with the numbers so far.
  ///   - onFailure: Called for each derivative that could not be made, with the reason.
  /// - Returns: The final numbers.
  /// - Throws: The error of the store if it can no longer store or read; `CancellationError`.
  public func makeDerivatives(
    of list: SnippetList,
    with media: any MediaMaking,
    images: [Recipe] = [.thumbnail()],
    recordings: [Recipe] = [.waveform()],
    workerCount: Int = 2,
    remakes: Bool = false,
    onProgress: @Sendable (DerivativeReport) -> Void = { _ in },
    onFailure: @Sendable (SnippetRow, MediaError) -> Void = { _, _ in }
  ) async throws -> DerivativeReport {
    try await DerivativeMaking(self, media: media, shelf: self).run(
      over: list,
      images: images,
      recordings: recordings,
      workerCount: workerCount,
      remakes: remakes,
      onProgress: onProgress,
      onFailure: onFailure
    )
  }
}

/// Makes thumbnails and waveforms, and stores them.
package struct DerivativeMaking: Sendable {
  private let store: SnippetStore
  private let media: any MediaMaking
  private let shelf: any DerivativeShelf

  /// Prepares the work without starting it.
  ///
  /// - Parameters:
  ///   - store: The store of the blobs.
  ///   - media: The decoder.
  ///   - shelf: The place for the derivatives.
  package init(_ store: SnippetStore, media: any MediaMaking, shelf: any DerivativeShelf) {
    self.store = store
    self.media = media
    self.shelf = shelf
  }

  /// Makes the missing derivatives, as ``SnippetStore`` says.
  package func run(
    over list: SnippetList,
    images: [Recipe],
    recordings: [Recipe],
    workerCount: Int,
    remakes: Bool,
    onProgress: @Sendable (DerivativeReport) -> Void,
    onFailure: @Sendable (SnippetRow, MediaError) -> Void
  ) async throws -> DerivativeReport {
    let workerCount = min(max(1, workerCount), 64)
    var report = DerivativeReport()
    try await withThrowingTaskGroup(of: Outcome.self) { group in
      var runningCount = 0
      func takeOne() async throws {
        guard let outcome = try await group.next() else { return }
        runningCount -= 1
        report.add(outcome)
        if case .failed(let row, let error) = outcome { onFailure(row, error) }
        onProgress(report)
      }
      var position = 0
      while true {
        let rows = try list.rows(in: position..<position + Self.windowCount)
        if rows.isEmpty { break }
        position += rows.count
        for row in rows {
          for recipe in recipes(for: row, images, recordings) {
            try Task.checkCancellation()
            while runningCount >= workerCount { try await takeOne() }
            runningCount += 1
            group.addTask { try await make(recipe, row, remakes: remakes) }
          }
        }
      }
      while runningCount > 0 { try await takeOne() }
    }
    return report
  }

  private static let windowCount = 256

  private func recipes(
    for row: SnippetRow,
    _ images: [Recipe],
    _ recordings: [Recipe]
  ) -> [Recipe] {
    guard row.blobID != nil else { return [] }
    switch row.kind {
    case .text: return []
    case .image: return images
    case .voice: return recordings
    }
  }

  // MARK: - One

  fileprivate enum Outcome: Sendable {
    case made
    case kept
    case failed(SnippetRow, MediaError)
  }

  private func make(
    _ recipe: Recipe,
    _ row: SnippetRow,
    remakes: Bool
  ) async throws -> Outcome {
    try await OwnThreads.run(cancellable: { flag in
      try make(recipe, row, remakes: remakes) { flag.isCancelled }
    })
  }

  private func make(
    _ recipe: Recipe,
    _ row: SnippetRow,
    remakes: Bool,
    isCancelled: () -> Bool
  ) throws -> Outcome {
    guard let blob = row.blobID else { return .kept }
    guard let work = MediaWork(recipe) else {
      return .failed(row, MediaError(.noDecoder, reason: "nothing here makes “\(recipe)”"))
    }
    let kept = work.kept
    if !remakes, let known = try shelf.derivative(of: blob, by: kept) {
      try correct(row, blob, by: MediaFacts(duration: work.countedDuration(in: known)))
      return .kept
    }
    let made: MadeDerivative
    do throws(MediaError) {
      let input = try MediaInput(verified: blob, in: store, isCancelled: isCancelled)
      made = try work.make(from: input, with: media, isCancelled: isCancelled)
    } catch {
      if error.code == .cancelled { throw CancellationError() }
      return .failed(row, error)
    }
    try shelf.keep(made.bytes, of: blob, by: kept)
    try correct(row, blob, by: made.facts)
    return .made
  }

  /// Gives a row the playing time or the pixel size that its decoder has found, if the header gave
  /// none or another.
  private func correct(_ row: SnippetRow, _ blob: BlobID, by facts: MediaFacts) throws {
    if let counted = facts.duration, counted.isOther(than: row.facts.duration) {
      try store.blockingCorrectDuration(of: blob, to: counted)
    }
    if let width = facts.pixelWidth, let height = facts.pixelHeight {
      try store.blockingCorrectPixelSize(of: blob, width: width, height: height)
    }
  }
}

extension DerivativeReport {
  fileprivate mutating func add(_ outcome: DerivativeMaking.Outcome) {
    switch outcome {
    case .made: madeCount += 1
    case .kept: keptCount += 1
    case .failed(_, let error) where error.code == .noDecoder: undecodableCount += 1
    case .failed: failedCount += 1
    }
  }
}
