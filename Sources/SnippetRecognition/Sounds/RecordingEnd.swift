/// Finds recordings whose end is missing, by the sizes and numbers in them.
enum RecordingEnd {
  /// Whether the end of a recording is missing; `false` if its format does not tell.
  static func isMissing(of type: ContentType, in source: any ByteSource) throws -> Bool {
    switch type {
    case .m4a: return try PictureEnd.isMissingInBoxes(source)
    case .mp3: return try isCut(source) { try MP3Header(in: &$0)?.isCut(in: &$0) }
    case .flac: return try isCut(source) { try FLACHeader(in: &$0)?.isCut(in: &$0) }
    case .ogg: return try isCut(source) { try OggHeader(in: &$0)?.isCut(in: &$0) }
    case .wav: return try isCut(source) { try WAVHeader(in: &$0)?.isCut(in: &$0) }
    case .aiff: return try isCut(source) { try AIFFHeader(in: &$0)?.isCut(in: &$0) }
    case .caf: return try isCut(source) { try CAFHeader(in: &$0)?.isCut(in: &$0) }
    case .aac: return try isCut(source) { try AACHeader.isCut(in: &$0) }
    case .amr: return try isCut(source) { try AMRHeader(in: &$0)?.isCut(in: &$0) }
    case .webM, .matroska: return try isCut(source) { try MatroskaHeader(in: &$0)?.isCut }
    default: return false
    }
  }

  private static func isCut(
    _ source: any ByteSource,
    _ tell: (inout HeaderReader) throws -> Bool?
  ) throws -> Bool {
    var reader = try HeaderReader(source)
    let found = try reader.attempt(tell) ?? nil
    return found ?? false
  }
}
