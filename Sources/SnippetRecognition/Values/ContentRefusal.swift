/// Why bytes are nothing that a store takes, where more can be said than that.
package enum ContentRefusal: Sendable, Hashable {
  /// A video, in a format of this name.
  case video(format: String)
  /// The beginning of an image or a recording, of which the header does not tell what a list needs
  /// to know: of an image the size in pixels, of a recording the sample rate and the channels.
  case incomplete(ContentType)

  /// The cause in words that complete “Could not save it: …”.
  package var reason: String {
    switch self {
    case .video(let format):
      "it is a video (\(format)); a store keeps texts, images and recordings"
    case .incomplete(let type) where type.kind == .image:
      "it begins as \(type.name) and is cut short or damaged: its header tells no size in pixels"
    case .incomplete(let type):
      "it begins as \(type.name) and is cut short or damaged: its header tells no sample rate and "
        + "channels"
    }
  }
}
