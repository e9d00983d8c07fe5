internal import Foundation
public import SnippetLoading
public import SnippetStorage

/// Gives a loader the blobs of a store, and thumbnails and waveforms of them.
///
/// What the store keeps is read; the rest is made and then kept. The original is not loaded for it:
/// an image comes into the memory of the decoder alone, a recording is read in pieces. All bytes of
/// it are held against their hash first, so that nothing is made of wrong ones.
///
/// ```swift
/// let media = WorkerMedia(.init(executable: helper))
/// let loader = try SnippetLoader(
///   list: list,
///   source: MediaSource(store, media: media),
///   rules: .media(media)
/// )
/// ```
public struct MediaSource: BlobSource {
  private let store: SnippetStore
  private let media: any MediaMaking
  private let shelf: any DerivativeShelf

  /// Makes a source that keeps what it makes in the store.
  ///
  /// - Parameters:
  ///   - store: Where the blobs are.
  ///   - media: What decodes them.
  public init(_ store: SnippetStore, media: any MediaMaking) {
    self.init(store, media: media, shelf: store)
  }

  /// Makes a source that keeps what it makes elsewhere.
  package init(_ store: SnippetStore, media: any MediaMaking, shelf: any DerivativeShelf) {
    self.store = store
    self.media = media
    self.shelf = shelf
  }

  /// Whether a recipe is one that the store offers, or an encoded thumbnail or waveform.
  ///
  /// - Parameter recipe: The recipe.
  /// - Returns: Whether ``read(_:into:)`` takes it.
  public func offers(_ recipe: Recipe) -> Bool {
    store.offers(recipe) || MediaWork(kept: recipe) != nil
  }

  /// Reads a blob or a short text, or makes a thumbnail or a waveform of a blob.
  ///
  /// What is kept in another size is shown until this one is made; else the first peaks of a
  /// recording are while the others are found.
  ///
  /// - Parameters:
  ///   - key: What the store offers, an encoded thumbnail or an encoded waveform.
  ///   - context: Takes the bytes, and ends the work when no cell waits any more.
  /// - Throws: `LoadError`, or the error of the store.
  public func read(_ key: LoadKey, into context: inout LoadContext) throws {
    guard let work = MediaWork(kept: key.recipe) else {
      return try store.read(key, into: &context)
    }
    guard let blob = key.blobID else { throw LoadError(.undecodable, reason: "it is a short text") }
    // A shelf that fails is as good as an empty one.
    if let kept = try? shelf.derivative(of: blob, by: key.recipe) {
      return try context.append(kept)
    }
    // Decoding takes far longer than a look for what is kept in another size.
    let standIns = work.standIns.lazy.compactMap { try? shelf.derivative(of: blob, by: $0.kept) }
    let standIn = standIns.first
    if let standIn { context.show(standIn) }
    let isCancelled = context.cancellationCheck
    let made: Data
    do throws(MediaError) {
      // What is made is kept: of wrong bytes nothing is.
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
    try context.append(made)
    // The store may be busy, full or open for reading only: it is made again next time.
    try? shelf.keep(made, of: blob, by: key.recipe)
  }
}
