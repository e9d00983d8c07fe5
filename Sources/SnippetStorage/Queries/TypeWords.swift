import Foundation
import SnippetRecognition

/// The words that people write for media types.
enum TypeWords {
  /// Other endings of the names of files, and names of the formats.
  private static let others: [String: ContentType] = [
    "jpe": .jpeg, "tif": .tiff, "heif": .heic, "wave": .wav, "aif": .aiff, "oga": .ogg,
    "opus": .ogg, "mp4": .m4a, "m4b": .m4a, "mov": .m4a, "3gp": .m4a, "webm": .webM,
    "mkv": .matroska,
  ]

  /// Returns the media type that a word stands for: an ending, the name of a format, or the media
  /// type, whole or its second part; `nil` for any other.
  static func mediaType(_ word: String) -> String? {
    let word = word.lowercased()
    let known = ContentType.allCases.first { type in
      [type.fileExtension, type.name.lowercased(), type.mediaType].contains(word)
        || type.mediaType.hasSuffix("/" + word) || type.mediaType.hasSuffix("/x-" + word)
    }
    if let type = known ?? others[word] { return type.mediaType }
    return (try? TextRules.mediaType(word, during: "")).flatMap {
      $0.wholeMatch(of: /(text|image|audio|video|application)\/[^\/()"]+/) == nil ? nil : $0
    }
  }

  /// Writes a media type in the shortest way.
  static func text(_ mediaType: String) -> String {
    ContentType(mediaType: mediaType)?.fileExtension ?? mediaType
  }
}
