internal import Foundation
package import SnippetLoading
package import SnippetStorage

/// Provides a loader with the blobs of a store, and with their thumbnails and waveforms.
///
/// Stored derivatives are read; the others are made and then stored. This does not load the
/// original: an image is only in the memory of the decoder, and a recording is read in pieces. All
/// its bytes are first checked against their hash, so no derivative comes from damaged bytes.
package struct MediaSource: BlobSource {
  private let store: SnippetStore
  private let media: any MediaMaking
  private let shelf: any DerivativeShelf

  /// Makes a source that stores derivatives in the store.
  ///
  /// - Parameters:
  ///   - store: The store of the blobs.
  ///   - media: The decoder.
  package init(_ store: SnippetStore, media: any MediaMaking) {
    self.init(store, media: media, shelf: store)
  }

  /// Makes a source that stores derivatives elsewhere.
  package init(_ store: SnippetStore, media: any MediaMaking, shelf: any DerivativeShelf) {
    self.store = store
    self.media = media
    self.shelf = shelf
  }

  /// Whether the source offers a recipe: one of the store, or an encoded thumbnail or waveform.
  ///
  /// - Parameter recipe: The recipe.
  /// - Returns: Whether ``read(_:into:)`` accepts it.
  package func offers(_ recipe: Recipe) -> Bool {
    StoreBlobs(store).offers(recipe) || MediaWork(kept: recipe) != nil
  }

  /// Reads a blob or a short text, or makes a thumbnail or a waveform of a blob.
  ///
  /// Until a derivative is made, one that is stored in another size is shown; if there is none for
  /// a recording, the first peaks are shown while the others are computed.
  ///
  /// - Parameters:
  ///   - key: The key of something that the store offers, of an encoded thumbnail or of an encoded
  ///     waveform.
  ///   - context: Receives the bytes, and ends the work when no cell waits any more.
  /// - Throws: `LoadError`, or the error of the store.
  package func read(_ key: LoadKey, into context: inout LoadContext) throws {
    guard let work = MediaWork(kept: key.recipe) else {
      return try StoreBlobs(store).read(key, into: &context)
    }
    guard let blob = key.blobID else { throw LoadError(.undecodable, reason: "it is a short text") }
    // A shelf that fails is as good as an empty one.
    if let kept = try? shelf.derivative(of: blob, by: key.recipe) {
      return try context.append(kept)
    }
    // Decoding takes far longer than looking for another size.
    let standIns = work.standIns.lazy.compactMap { try? shelf.derivative(of: blob, by: $0.kept) }
    let standIn = standIns.first
    if let standIn { context.show(standIn) }
    let isCancelled = context.cancellationCheck
    let made: MadeDerivative
    do throws(MediaError) {
      // The result is stored, so it must not come from damaged bytes.
      let input = try MediaInput(verified: blob, in: store, isCancelled: isCancelled)
      made = try work.make(
        from: input,
        with: media,
        onPart: { if standIn == nil { context.show($0) } },
        isCancelled: isCancelled
      )
    } catch {
      throw LoadError(error)
    }
    try context.append(made.bytes)
    // The store may be busy, full or read-only; then it is made again next time.
    try? shelf.keep(made.bytes, of: blob, by: key.recipe)
    correctDuration(of: blob, by: made.facts)
    if let width = made.facts.pixelWidth, let height = made.facts.pixelHeight {
      // As above: if the store is busy, it is corrected next time.
      try? store.blockingCorrectPixelSize(of: blob, width: width, height: height)
    }
  }

  /// Gives the rows of a recording the playing time that was counted, if their header gave none or
  /// another.
  private func correctDuration(of blob: BlobID, by facts: MediaFacts) {
    guard let counted = facts.duration,
      let stated = try? store.blockingDurations(of: blob),
      stated.contains(where: { counted.isOther(than: $0) })
    else { return }
    // As above: if the store is busy, it is corrected next time.
    try? store.blockingCorrectDuration(of: blob, to: counted)
  }
}
