import SnippetLoading
import SnippetStorage

/// Makes the pixels that a cell shows of an image: a ``Thumbnail`` as the content of the loaded
/// blob.
///
/// Until the requested size is ready, another stands in for it, preferably a larger one.
struct ThumbnailProcessor: BlobProcessor {
  let recipe: Recipe
  /// The file that the store keeps, or else the original.
  let inputs: [Recipe]
  /// All other sizes.
  let standsInFor: [Recipe]

  private let request: ThumbnailRequest
  private let media: any MediaMaking

  /// Makes a processor.
  ///
  /// - Parameters:
  ///   - size: The largest width and height in pixels.
  ///   - sizes: All sizes that stand in for one another.
  ///   - media: The decoder.
  init(_ size: Int, among sizes: [Int], media: any MediaMaking) {
    recipe = .thumbnail(size)
    inputs = [.encodedThumbnail(size), .original]
    standsInFor = sizes.filter { $0 != size }.map { .thumbnail($0) }
    request = ThumbnailRequest(maximumPixelSize: size)
    self.media = media
  }

  func process(_ input: LoadedBlob, into context: inout LoadContext) throws {
    let thumbnail: Thumbnail
    do throws(MediaError) {
      thumbnail = try media.thumbnail(of: MediaInput(input.bytes), as: request) {
        context.isCancelled
      }
    } catch {
      throw LoadError(error)
    }
    try context.attach(thumbnail, byteCount: thumbnail.bytes.count)
  }
}
