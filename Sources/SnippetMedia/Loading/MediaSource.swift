internal import Foundation
public import SnippetLoading
public import SnippetStorage

/// Gives a loader the blobs of a store, and what is made of them by a ``MediaRecipe``.
///
/// What is kept is read; all else is made and then kept. The original is not loaded for it: an image
/// comes into the memory of the decoder only, a recording is read in pieces.
///
/// ```swift
/// let media = WorkerMedia(.init(executable: helper))
/// let loader = SnippetLoader(
///   rows: list,
///   source: MediaSource(store, media: media),
///   changes: store,
///   rules: .media(media)
/// )
/// ```
public struct MediaSource: BlobSource {
  private let store: SnippetStore
  private let media: any MediaMaking
  private let shelf: any DerivativeShelf

  /// Makes a source.
  ///
  /// - Parameters:
  ///   - store: Where the blobs are.
  ///   - media: What decodes them.
  ///   - shelf: Where what is made is kept. The default is the store.
  public init(
    _ store: SnippetStore,
    media: any MediaMaking,
    shelf: (any DerivativeShelf)? = nil
  ) {
    self.store = store
    self.media = media
    self.shelf = shelf ?? store
  }

  /// Reads a blob, or what is made of it.
  ///
  /// - Parameters:
  ///   - key: ``BlobVariant/original``, or the variant of a ``MediaRecipe``.
  ///   - context: Takes the bytes, and ends the work when nobody waits for it any more.
  /// - Throws: ``LoadError``, or the error of the store.
  public func read(_ key: LoadKey, into context: inout LoadContext) throws {
    guard let recipe = MediaRecipe(variant: key.variant) else {
      return try store.read(key, into: &context)
    }
    // A shelf that fails is as good as an empty one.
    if let kept = try? shelf.derivative(of: key.blobID, by: recipe) {
      return try context.append(kept)
    }
    let made: Data
    do throws(MediaError) {
      made = try recipe.make(from: try input(key.blobID), with: media) { context.isCancelled }
    } catch {
      throw LoadError(error)
    }
    try context.append(made)
    // The store may be busy, full or open for reading only: it is made again next time.
    try? shelf.keep(made, of: key.blobID, by: recipe)
  }

  private func input(_ blob: BlobID) throws(MediaError) -> MediaInput {
    do throws(SnippetStoreError) {
      return MediaInput(blob, byteCount: try store.byteCount(of: blob), in: store)
    } catch {
      throw MediaError(.unreadable, reason: error.reason)
    }
  }
}
