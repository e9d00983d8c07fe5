internal import Foundation
import SnippetBase
public import SnippetStorage

/// Makes thumbnails and waveforms ahead, so that a list seen for the first time is as quick as any.
///
/// ```swift
/// let making = DerivativeMaking(store, media: media)
/// let report = try await making.run(over: store.list()) { print($0.doneCount) }
/// ```
public struct DerivativeMaking: Sendable {
  /// What was made so far.
  public struct Report: Sendable, Hashable {
    /// How many were made and kept.
    public var madeCount = 0
    /// How many were kept already.
    public var keptCount = 0
    /// How many cannot be made, because there is no decoder.
    public var undecodableCount = 0
    /// How many could not be made for another reason: damaged, too large, too slow.
    public var failedCount = 0

    /// How many are done.
    public var doneCount: Int { madeCount + keptCount + undecodableCount + failedCount }
  }

  private let store: SnippetStore
  private let media: any MediaMaking
  private let shelf: any DerivativeShelf

  /// Prepares the work.
  ///
  /// Nothing is made yet.
  ///
  /// - Parameters:
  ///   - store: Where the blobs are, and where what is made of them is kept.
  ///   - media: What decodes them.
  public init(_ store: SnippetStore, media: any MediaMaking) {
    self.init(store, media: media, shelf: store)
  }

  /// Prepares making what is kept elsewhere.
  package init(_ store: SnippetStore, media: any MediaMaking, shelf: any DerivativeShelf) {
    self.store = store
    self.media = media
    self.shelf = shelf
  }

  /// Makes what is missing for the images and recordings of a list.
  ///
  /// What was made stays when the task is cancelled.
  ///
  /// - Parameters:
  ///   - list: The list; its texts are skipped.
  ///   - images: What is made of images. The default is the thumbnail of a cell in a list.
  ///   - recordings: What is made of recordings. The default is the waveform of a row.
  ///   - workerCount: How many are made at a time, from 1 to 64. The default is 2.
  ///   - remakes: Whether what is kept is made again. The default is no.
  ///   - onProgress: Called after each one with what was made so far.
  ///   - onFailure: Called for each one that could not be made, with the reason.
  /// - Returns: What was made.
  /// - Throws: The error of the store when nothing can be kept or read any more;
  ///   `CancellationError`.
  public func run(
    over list: SnippetList,
    images: [Recipe] = [.thumbnail()],
    recordings: [Recipe] = [.waveform()],
    workerCount: Int = 2,
    remakes: Bool = false,
    onProgress: @Sendable (Report) -> Void = { _ in },
    onFailure: @Sendable (SnippetRow, MediaError) -> Void = { _, _ in }
  ) async throws -> Report {
    let workerCount = min(max(1, workerCount), 64)
    var report = Report()
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
    if !remakes, try shelf.derivative(of: blob, by: kept) != nil { return .kept }
    let made: Data
    do throws(MediaError) {
      let input = try MediaInput(verified: blob, in: store, isCancelled: isCancelled)
      made = try work.make(from: input, with: media, isCancelled: isCancelled)
    } catch {
      if error.code == .cancelled { throw CancellationError() }
      return .failed(row, error)
    }
    try shelf.keep(made, of: blob, by: kept)
    return .made
  }
}

extension DerivativeMaking.Report {
  fileprivate mutating func add(_ outcome: DerivativeMaking.Outcome) {
    switch outcome {
    case .made: madeCount += 1
    case .kept: keptCount += 1
    case .failed(_, let error) where error.code == .noDecoder: undecodableCount += 1
    case .failed: failedCount += 1
    }
  }
}
