/// Finds recordings whose end is missing, by the sizes in them.
enum RecordingEnd {
  /// Whether the end of a recording is missing; `false` if its format does not tell.
  static func isMissing(of type: ContentType, in source: any ByteSource) throws -> Bool {
    switch type {
    case .m4a: return try PictureEnd.isMissingInBoxes(source)
    case .mp3:
      var reader = try HeaderReader(source)
      let isCut = try reader.attempt { reader -> Bool? in
        try MP3Header(in: &reader)?.isCut(in: &reader)
      }
      return isCut == true
    default: return false
    }
  }
}
