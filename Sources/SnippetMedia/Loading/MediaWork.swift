internal import Foundation
public import SnippetStorage

extension Recipe {
  /// The recipe for a picture of limited size, ready to be shown: a ``Thumbnail`` in pixels as the
  /// content of the loaded blob.
  ///
  /// Call it once and keep the result: it takes a lock.
  ///
  /// - Parameter maximumPixelSize: The largest width and height in pixels, from 1 to 4,096. The
  ///   default is 320, for the cell of a list; 128 suits a small cell, 1,024 a preview.
  /// - Returns: The recipe.
  public static func thumbnail(_ maximumPixelSize: Int = 320) -> Recipe {
    MediaWork.thumbnail(maximumPixelSize).shown
  }

  /// The recipe for the stored file from which ``thumbnail(_:)`` is decoded: a JPEG, or a WebP with
  /// transparency.
  ///
  /// - Parameter maximumPixelSize: The largest width and height in pixels, from 1 to 4,096. The
  ///   default is 320.
  /// - Returns: The recipe.
  public static func encodedThumbnail(_ maximumPixelSize: Int = 320) -> Recipe {
    MediaWork.thumbnail(maximumPixelSize).kept
  }

  /// The recipe for the loudness of a recording in equal parts: a ``Waveform`` as the content of
  /// the loaded blob.
  ///
  /// Call it once and keep the result: it takes a lock.
  ///
  /// - Parameter peakCount: The number of parts, from 1 to 65,536. The default is 100, for a row;
  ///   1,600 suits a player.
  /// - Returns: The recipe.
  public static func waveform(_ peakCount: Int = 100) -> Recipe {
    MediaWork.waveform(peakCount).shown
  }

  /// The recipe for the stored bytes from which ``waveform(_:)`` is decoded: ``Waveform/bytes``.
  ///
  /// - Parameter peakCount: The number of parts, from 1 to 65,536. The default is 100.
  /// - Returns: The recipe.
  public static func encodedWaveform(_ peakCount: Int = 100) -> Recipe {
    MediaWork.waveform(peakCount).kept
  }
}

/// A derivative of an image or a recording, in the form that the store keeps and the form that a
/// cell shows.
package enum MediaWork: Hashable, Sendable {
  /// A picture with this largest width and height in pixels.
  case thumbnail(Int)
  /// A waveform with this number of peaks.
  case waveform(Int)

  /// The usual sizes of thumbnails, smallest first.
  package static let thumbnails = [128, 320, 1_024].map(MediaWork.thumbnail)
  /// The usual sizes of waveforms, smallest first.
  package static let waveforms = [100, 1_600].map(MediaWork.waveform)

  /// The other usual sizes in the order in which they replace this one: first the larger ones,
  /// smallest first, then the smaller ones, largest first.
  var standIns: [MediaWork] {
    let (size, usual) =
      switch self {
      case .thumbnail(let size): (size, Self.thumbnails)
      case .waveform(let count): (count, Self.waveforms)
      }
    return usual.filter { $0.size > size } + usual.reversed().filter { $0.size < size }
  }

  private var size: Int {
    switch self {
    case .thumbnail(let size), .waveform(let size): size
    }
  }

  /// Increases when the same bytes give another result.
  private static let version = 1
  private static let suffix = ", decoded"

  /// The name of the stored form, which existing files rely on.
  private var name: String {
    switch self {
    case .thumbnail(let size): "thumbnail \(min(max(1, size), 4_096))"
    case .waveform(let count): "waveform \(min(max(1, count), 65_536))"
    }
  }

  /// The recipe of the stored form.
  package var kept: Recipe { Recipe(name, version: Self.version) }

  /// The recipe of the form that a cell shows.
  package var shown: Recipe { Recipe(name + Self.suffix, version: Self.version) }

  /// Finds the work whose stored form has a recipe.
  package init?(kept recipe: Recipe) {
    guard recipe != .original else { return nil }
    let words = recipe.name.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 2, let size = Int(words[1]) else { return nil }
    switch words[0] {
    case "thumbnail": self = .thumbnail(size)
    case "waveform": self = .waveform(size)
    default: return nil
    }
    guard kept == recipe else { return nil }
  }

  /// Finds the work whose stored or shown form has a recipe.
  init?(_ recipe: Recipe) {
    let name = recipe.name
    guard name.hasSuffix(Self.suffix) else {
      self.init(kept: recipe)
      return
    }
    let kept = Recipe(String(name.dropLast(Self.suffix.count)), version: recipe.version)
    self.init(kept: kept)
  }

  /// Returns the playing time that a stored waveform was computed from; `nil` for a thumbnail, if
  /// nothing was decoded, and for one that no recording has.
  func countedDuration(in derivative: Data) -> Duration? {
    guard case .waveform = self, let waveform = Waveform(bytes: derivative),
      waveform.frameCount > 0, waveform.sampleRate > 0
    else { return nil }
    return MediaFacts(duration: waveform.duration).withinBounds.duration
  }

  /// Makes the stored form: an encoded thumbnail, or the bytes of a waveform.
  ///
  /// - Parameters:
  ///   - input: The image or recording.
  ///   - media: The decoder.
  ///   - onPart: Called with the result so far.
  ///   - isCancelled: Tells whether to stop.
  /// - Returns: The bytes, and what was learnt of the original.
  /// - Throws: ``MediaError``
  func make(
    from input: MediaInput,
    with media: any MediaMaking,
    onPart: (Data) -> Void = { _ in },
    isCancelled: () -> Bool = { false }
  ) throws(MediaError) -> MadeDerivative {
    switch self {
    case .thumbnail(let size):
      let request = ThumbnailRequest(maximumPixelSize: size, isEncoded: true)
      let made = try media.thumbnail(of: input, as: request, isCancelled: isCancelled)
      let facts = MediaFacts(pixelWidth: made.imagePixelWidth, pixelHeight: made.imagePixelHeight)
      return MadeDerivative(bytes: made.bytes, facts: facts)
    case .waveform(let count):
      let made = try media.waveform(
        of: input,
        peakCount: count,
        onPart: { onPart($0.bytes) },
        isCancelled: isCancelled
      ).bytes
      return MadeDerivative(bytes: made, facts: MediaFacts(duration: countedDuration(in: made)))
    }
  }
}

/// A derivative in the form that the store keeps, and the facts of the original that its decoder has
/// found.
struct MadeDerivative {
  let bytes: Data
  let facts: MediaFacts
}

extension Duration {
  /// Whether a counted playing time is not that of a header.
  ///
  /// Headers round, and leave out what an encoder adds at both ends: half a second or a fiftieth.
  func isOther(than stated: Duration?) -> Bool {
    guard let stated else { return true }
    let difference = self > stated ? self - stated : stated - self
    return difference > max(.milliseconds(500), self / 50)
  }
}
