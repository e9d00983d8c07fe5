/// A specific reason why a store does not take some bytes.
package enum ContentRefusal: Sendable, Hashable {
  /// A video, in a format of this name.
  case video(format: String)
  /// The beginning of an image or a recording whose header lacks facts that a list needs: the size
  /// in pixels of an image, the sample rate and channels of a recording.
  case incomplete(ContentType)

  /// The reason in words that complete “Could not save it: …”.
  package var reason: String {
    switch self {
    case .video(let format):
      "it is a video (\(format)); a store keeps texts, images and recordings"
    case .incomplete(let type) where type.kind == .image:
      "it begins as \(type.name) and is cut short or damaged: its header gives no size in pixels"
    case .incomplete(let type):
      "it begins as \(type.name) and is cut short or damaged: its header gives no sample rate and "
        + "channels"
    }
  }
}
