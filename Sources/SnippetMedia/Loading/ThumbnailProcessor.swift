public import SnippetLoading

extension BlobVariant {
  /// A picture of at most 128 pixels a side, as a ``Thumbnail`` in pixels.
  public static let smallThumbnail = Self(rawValue: 0x101)
  /// A picture of at most 320 pixels a side, as a ``Thumbnail`` in pixels.
  public static let mediumThumbnail = Self(rawValue: 0x102)
  /// A picture of at most 1,024 pixels a side, as a ``Thumbnail`` in pixels.
  public static let largeThumbnail = Self(rawValue: 0x103)
}

/// Makes the pixels that a cell shows of an image, as ``SnippetLoader/LoadedBlob/content``.
///
/// The content is a ``Thumbnail``; there are no bytes. Until the size that is asked for is there,
/// another stands in for it, a larger one first.
public struct ThumbnailProcessor: BlobProcessor {
  /// The variant that it makes.
  public let variant: BlobVariant
  /// The variant that it is made from: the original, or what ``MediaSource`` keeps.
  public let input: BlobVariant
  /// The variants in whose place this one may be shown while they load: all other sizes.
  public let standsInFor: [BlobVariant]

  private let request: ThumbnailRequest
  private let media: any ThumbnailMaker

  /// Makes a processor.
  ///
  /// - Parameters:
  ///   - recipe: The size: one of ``MediaRecipe/forImages``.
  ///   - media: What decodes images.
  ///   - isKept: Whether the loader's source is a ``MediaSource``, so that the picture is made from
  ///     what that keeps. The default is to make it from the original.
  public init(_ recipe: MediaRecipe, media: any ThumbnailMaker, isKept: Bool = false) {
    guard let index = MediaRecipe.forImages.firstIndex(of: recipe) else {
      preconditionFailure("The recipe \(recipe.name) is none for images.")
    }
    let variants: [BlobVariant] = [.smallThumbnail, .mediumThumbnail, .largeThumbnail]
    variant = variants[index]
    standsInFor = variants.filter { $0 != variants[index] }
    input = isKept ? recipe.variant : .original
    request = ThumbnailRequest(maximumPixelSize: recipe.size)
    self.media = media
  }

  /// Decodes an image to the pixels of a cell.
  ///
  /// - Parameters:
  ///   - input: The original, or a thumbnail that was kept.
  ///   - context: Takes the thumbnail.
  /// - Throws: ``LoadError``: `.undecodable` with the reason, `.tooLarge`; the error of the context.
  public func process(_ input: LoadedBlob, into context: inout LoadContext) throws {
    let thumbnail: Thumbnail
    do throws(MediaError) {
      thumbnail = try media.thumbnail(of: MediaInput(input.bytes), request) { context.isCancelled }
    } catch {
      throw LoadError(error)
    }
    try context.attach(thumbnail, byteCount: thumbnail.bytes.count)
  }
}
