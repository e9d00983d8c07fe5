public import Foundation
public import SnippetLoading

/// How something is made of an image or a recording, to be kept and made again at will.
public struct MediaRecipe: Sendable, Hashable {
  private enum Work: Sendable, Hashable {
    case thumbnail(Int)
    case waveform(Int)
  }

  /// The name, such as `thumbnail 320`.
  public let name: String
  /// Goes up when the same bytes give another result: what an earlier version made is made again.
  public let version: Int
  /// The variant of a blob that ``MediaSource`` gives by it: an encoded ``Thumbnail``, or
  /// ``Waveform/bytes``.
  public let variant: BlobVariant

  private let work: Work

  private init(_ work: Work, _ number: UInt32) {
    version = 1
    variant = BlobVariant(rawValue: number)
    self.work = work
    name =
      switch work {
      case .thumbnail(let size): "thumbnail \(size)"
      case .waveform(let count): "waveform \(count)"
      }
  }

  /// At most 128 pixels a side: a small cell, or what is shown until more is there.
  public static let smallThumbnail = Self(.thumbnail(128), 0x8000_0101)
  /// At most 320 pixels a side: a cell of a list.
  public static let mediumThumbnail = Self(.thumbnail(320), 0x8000_0102)
  /// At most 1,024 pixels a side: a preview.
  public static let largeThumbnail = Self(.thumbnail(1_024), 0x8000_0103)
  /// 100 peaks, 216 bytes: a row.
  public static let waveform = Self(.waveform(100), 0x8000_0201)
  /// 1,600 peaks: a player.
  public static let largeWaveform = Self(.waveform(1_600), 0x8000_0202)

  /// All recipes for images, the smallest result first.
  public static let forImages = [smallThumbnail, mediumThumbnail, largeThumbnail]
  /// All recipes for recordings, the smallest result first.
  public static let forRecordings = [waveform, largeWaveform]

  /// Finds the recipe of a variant.
  ///
  /// - Parameter variant: The ``variant`` of a recipe; anything else gives `nil`.
  public init?(variant: BlobVariant) {
    let all = Self.forImages + Self.forRecordings
    guard let recipe = all.first(where: { $0.variant == variant }) else { return nil }
    self = recipe
  }

  /// The most pixels a side, or the number of peaks.
  var size: Int {
    switch work {
    case .thumbnail(let size), .waveform(let size): size
    }
  }

  /// Makes what the recipe is for.
  ///
  /// - Parameters:
  ///   - input: An image or a recording.
  ///   - media: What decodes it.
  ///   - isCancelled: Tells whether the result is no longer wanted.
  /// - Returns: What is to be kept: an encoded thumbnail, or the bytes of a waveform.
  /// - Throws: ``MediaError``
  public func make(
    from input: MediaInput,
    with media: any MediaMaking,
    isCancelled: () -> Bool = { false }
  ) throws(MediaError) -> Data {
    switch work {
    case .thumbnail(let size):
      let request = ThumbnailRequest(maximumPixelSize: size, form: .encoded)
      return try media.thumbnail(of: input, request, isCancelled: isCancelled).bytes
    case .waveform(let count):
      return try media.waveform(of: input, peakCount: count, isCancelled: isCancelled).bytes
    }
  }
}
