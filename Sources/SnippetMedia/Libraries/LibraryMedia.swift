internal import CMedia
internal import Foundation
internal import SnippetStorage

/// Decodes in this process, with libvips and libav.
///
/// libvips has no loader for BMP, so libav decodes those too.
///
/// A fault in a decoder, or a file made to exploit one, ends the process. For untrusted files use
/// ``WorkerMedia``, which decodes in a process that may fail. Without the package's trait `Media`
/// nothing is decoded.
///
/// Both libraries are loaded on first use. libvips is configured for the whole process: one thread
/// per call, no cache, and only loaders that are safe for untrusted files. libav, the libraries of
/// FFmpeg, gets one demuxer and one decoder for each recording, chosen by its first bytes, and
/// cannot reach another file or the network. A process that leaves decoding to workers loads
/// neither.
public struct LibraryMedia: MediaMaking {
  /// The limits of decoding.
  public let limits: MediaLimits
  /// The least time between two reports of the first peaks of a recording.
  package var partInterval = Duration.milliseconds(100)

  /// Makes a decoder.
  ///
  /// - Parameter limits: The limits of decoding.
  public init(limits: MediaLimits = MediaLimits()) {
    self.limits = limits
  }

  /// Recognizes bytes again by their headers, because a row may come from anywhere.
  ///
  /// - Parameters:
  ///   - media: The bytes.
  ///   - kind: The expected kind; any by default.
  /// - Returns: The type and the facts.
  /// - Throws: ``MediaError``
  func content(
    of media: MediaInput,
    as kind: SnippetKind? = nil
  ) throws(MediaError) -> RecognizedContent {
    guard media.byteCount > 0 else { throw MediaError(.undecodable, reason: "it is empty") }
    guard let content = try media.recognized() else {
      throw MediaError(.undecodable, reason: "its bytes are not a known image or recording")
    }
    guard kind == nil || kind == content.type.kind else {
      throw MediaError(.undecodable, reason: "it is \(content.type.mediaType)")
    }
    return content
  }
}
