internal import Foundation
public import SnippetLoading

extension BlobVariant {
  /// How loud a recording is, in 100 parts, as a ``Waveform``.
  public static let waveform = Self(rawValue: 0x201)
  /// How loud a recording is, in 1,600 parts, as a ``Waveform``.
  public static let largeWaveform = Self(rawValue: 0x202)
  /// The beginning of a long text, made by a ``SnippetLoader/TextExcerpt``.
  public static let excerpt = Self(rawValue: 0x301)
}

/// Finds the peaks that a cell shows of a recording, as ``SnippetLoader/LoadedBlob/content``.
///
/// The content is a ``Waveform``; there are no bytes. Until the larger one is there, the smaller
/// stands in for it, and the reverse.
public struct WaveformProcessor: BlobProcessor {
  /// The variant that it makes.
  public let variant: BlobVariant
  /// The variant that it is made from: the original, or what ``MediaSource`` keeps.
  public let input: BlobVariant
  /// The variants in whose place this one may be shown while they load: the other size.
  public let standsInFor: [BlobVariant]

  private let peakCount: Int
  private let media: any WaveformMaker

  /// Makes a processor.
  ///
  /// - Parameters:
  ///   - recipe: The size: one of ``MediaRecipe/forRecordings``.
  ///   - media: What decodes recordings.
  ///   - isKept: Whether the loader's source is a ``MediaSource``, so that the waveform is read from
  ///     what that keeps, and the recording need not be held in memory. The default is to make it
  ///     from the original.
  public init(_ recipe: MediaRecipe, media: any WaveformMaker, isKept: Bool = false) {
    guard let index = MediaRecipe.forRecordings.firstIndex(of: recipe) else {
      preconditionFailure("The recipe \(recipe.name) is none for recordings.")
    }
    let variants: [BlobVariant] = [.waveform, .largeWaveform]
    variant = variants[index]
    standsInFor = [variants[1 - index]]
    input = isKept ? recipe.variant : .original
    peakCount = recipe.size
    self.media = media
  }

  /// Finds the peaks of a recording.
  ///
  /// - Parameters:
  ///   - input: The original, or a waveform that was kept.
  ///   - context: Takes the waveform.
  /// - Throws: ``LoadError``: `.undecodable` with the reason; the error of the context.
  public func process(_ input: LoadedBlob, into context: inout LoadContext) throws {
    let waveform: Waveform
    if self.input == .original {
      do throws(MediaError) {
        waveform = try media.waveform(of: MediaInput(input.bytes), peakCount: peakCount) {
          context.isCancelled
        }
      } catch {
        throw LoadError(error)
      }
    } else {
      guard let kept = Waveform(bytes: input.bytes) else { throw LoadError(.undecodable) }
      waveform = kept
    }
    try context.attach(waveform, byteCount: 2 * waveform.peaks.count)
  }
}
