internal import CMedia
internal import Foundation
internal import SnippetStorage

/// Decodes in this process, with libvips and libav.
///
/// libvips has no loader for BMP, so those are decoded with libav too.
///
/// A fault in a decoder, or a file made to exploit one, ends the process. For files from anywhere
/// use ``WorkerMedia``, which decodes in a process that may fail. Without the package's trait
/// `Media` nothing is decoded.
///
/// Both are loaded when they are first used. libvips is set up for the whole process: one thread for
/// each call, no cache, and only loaders that are safe for untrusted files. libav, the libraries of
/// FFmpeg, is given one demuxer and one decoder for each recording, told by its first bytes, and
/// reaches no other file and no network. A process that leaves decoding to workers loads neither.
public struct LibraryMedia: MediaMaking {
  /// What decoding may cost.
  public let limits: MediaLimits
  /// How long it takes at least until the next peaks of a recording are told of.
  package var partInterval = Duration.milliseconds(100)

  /// Makes a decoder.
  ///
  /// - Parameter limits: What decoding may cost.
  public init(limits: MediaLimits = MediaLimits()) {
    self.limits = limits
  }

  /// Tells what some bytes are, once more and by their headers alone: what a row says of them may
  /// come from anywhere.
  ///
  /// - Parameters:
  ///   - media: The bytes.
  ///   - kind: What they are to be; anything by default.
  /// - Returns: The type and the facts.
  /// - Throws: ``MediaError``
  func content(
    of media: MediaInput,
    as kind: SnippetKind? = nil
  ) throws(MediaError) -> RecognizedContent {
    guard media.byteCount > 0 else { throw MediaError(.undecodable, reason: "it is empty") }
    guard let content = try media.recognized() else {
      throw MediaError(.undecodable, reason: "its bytes are no image or recording that is known")
    }
    guard kind == nil || kind == content.type.kind else {
      throw MediaError(.undecodable, reason: "it is \(content.type.mediaType)")
    }
    return content
  }
}
