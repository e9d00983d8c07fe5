internal import CImageDecoding
internal import Foundation
internal import SnippetStorage

/// Decodes in this process, with libvips and libsndfile.
///
/// A BMP is read here and handed to libvips as plain pixels, since it has no loader of its own for
/// them.
///
/// A fault in a decoder, or a file made to use one, ends the process, and with it all that the
/// process has not saved: for files from anywhere there is ``WorkerMedia``, which has the same done
/// in a process that may fail. Where the package was built without its trait `Media`, nothing is
/// decoded.
///
/// libvips is loaded and set up for the whole process when it is first used: one thread for each
/// call, no cache, and closed to loaders that are not made for files from anywhere. Until then, and
/// in a process that leaves decoding to workers, its hundred libraries take no memory and no time.
public struct LibraryMedia: MediaMaking {
  /// What decoding may cost.
  public let limits: MediaLimits

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

extension MediaError {
  /// The format is known, and no library here decodes it.
  init(noDecoderFor type: ContentType) {
    self.init(.noDecoder, reason: "there is no decoder for \(type.mediaType) here")
  }

  /// A library's own words, made fit to be read.
  init(undecodable words: String, _ type: ContentType) {
    let words = words.filter { !$0.isNewline }.trimmingCharacters(in: .whitespaces)
    let hint = words.isEmpty ? "" : " (\(words))"
    self.init(.undecodable, reason: "its bytes are no sound \(type.name)\(hint)")
  }
}
