import Foundation
import SnippetStorage
import SnippetTestSupport
import Testing

/// An image as one program or another makes it, of one and the same picture.
struct CorpusImage: CustomTestStringConvertible, Sendable {
  let name: String
  let type: ContentType
  /// How it is to be shown, as EXIF counts.
  let orientation: Int
  /// How far a colour may be from that of the picture.
  let tolerance: Int
  /// What EXIF says, where that is something else.
  private let writtenOrientation: Int?
  private let turns: [[UInt8]]
  private let options: String

  var testDescription: String { name }

  private init(
    _ name: String,
    _ type: ContentType,
    orientation: Int = 1,
    writtenOrientation: Int? = nil,
    turns: [[UInt8]] = [],
    tolerance: Int = 12,
    _ options: String = ""
  ) {
    self.name = name
    self.type = type
    self.orientation = orientation
    self.writtenOrientation = writtenOrientation
    self.turns = turns
    self.tolerance = tolerance
    self.options = options
  }

  static let all =
    (1...8).map { CorpusImage("orientation-\($0).jpg", .jpeg, orientation: $0, "-q:v 1") }
    + [
      CorpusImage("picture.png", .png),
      CorpusImage("sixteen-bit.png", .png, "-pix_fmt rgb48be"),
      CorpusImage("picture.gif", .gif, tolerance: 60),
      CorpusImage("picture.tiff", .tiff),
      CorpusImage("picture.webp", .webP, "-lossless 1"),
      CorpusImage("picture.bmp", .bmp),
      CorpusImage("alpha.bmp", .bmp, "-pix_fmt bgra"),
      CorpusImage("plain.heic", .heic),
      CorpusImage("ten-bit.heic", .heic, "-b 10"),
      // No camera writes EXIF's without the property.
      CorpusImage("exif-alone.heic", .heic, orientation: 1, writtenOrientation: 6),
      CorpusImage("plain.avif", .avif),
      CorpusImage("ten-bit.avif", .avif, "-pix_fmt yuv420p10le -c:v libaom-av1 -still-picture 1"),
    ] + turned("heic", .heic) + turned("avif", .avif)

  /// As phones write them: a property turns it, and EXIF says so once more.
  private static func turned(_ suffix: String, _ type: ContentType) -> [CorpusImage] {
    let rotations = [(1, 8), (2, 3), (3, 6)].map { quarters, orientation in
      CorpusImage(
        "rotated-\(quarters).\(suffix)",
        type,
        orientation: orientation,
        writtenOrientation: orientation,
        turns: [box("irot", [UInt8(quarters)])]
      )
    }
    let mirrors = [(0, 4), (1, 2)].map { axis, orientation in
      CorpusImage(
        "mirrored-\(axis).\(suffix)",
        type,
        orientation: orientation,
        writtenOrientation: orientation,
        turns: [box("imir", [UInt8(axis)])]
      )
    }
    let both = CorpusImage(
      "rotated-and-mirrored.\(suffix)",
      type,
      orientation: 5,
      writtenOrientation: 5,
      turns: [box("irot", [1]), box("imir", [0])]
    )
    return rotations + mirrors + [both]
  }

  /// Twelve blocks of sixteen pixels, no two alike.
  static let original = Pixels(width: 64, height: 48) { x, y in
    [UInt8(40 + 60 * (x / 16)), UInt8(40 + 90 * (y / 16)), UInt8(200 - 40 * (x / 16)), 255]
  }

  /// The bytes of the file; all are made once in a run of the tests.
  ///
  /// - Throws: `Shell.Failure` when a program fails.
  var bytes: Data {
    get async throws {
      let made = try await Self.making.value
      return try #require(made[name])
    }
  }

  private static let making = Task {
    try await MediaTools.inFolder { folder in
      let original = folder.appendingPathComponent("original.png")
      try Self.original.opaquePNG.write(to: original)
      // One process makes many files, because each takes longer to start than to make one.
      let (coded, others) = (all.filter(\.isByHeifEnc), all.filter { !$0.isByHeifEnc })
      let deep = folder.appendingPathComponent("deep.png")
      let outputs = others.flatMap { image in
        image.words + ["-frames:v", "1", folder.appendingPathComponent(image.name).path]
      }
      try await MediaTools.run(
        "ffmpeg",
        ["-v", "error", "-y", "-i", original.path, "-pix_fmt", "rgb48be", deep.path] + outputs
      )
      for image in coded { try await image.encode(original, deep: deep, in: folder) }
      try await MediaTools.run("exiftool", all.flatMap { $0.exifArguments(in: folder) })
      var made: [String: Data] = [:]
      for image in all {
        made[image.name] = try Data(contentsOf: folder.appendingPathComponent(image.name))
      }
      return made
    }
  }

  private var words: [String] { options.split(separator: " ").map(String.init) }

  /// Whether heif-enc makes it: of that in Debian 12, AVIF has 8 bits.
  private var isByHeifEnc: Bool {
    (type == .heic || type == .avif) && !options.contains("libaom")
  }

  private func encode(_ original: URL, deep: URL, in folder: URL) async throws {
    let file = folder.appendingPathComponent(name)
    let source = words.isEmpty ? original : deep
    try await MediaTools.run("heif-enc", ["-q", "95"] + words + [source.path, "-o", file.path])
    if !turns.isEmpty {
      try TurnedHEIF.added(to: try Data(contentsOf: file), turns).write(to: file)
    }
  }

  /// What tells exiftool to write into the file; empty if its type has no EXIF.
  private func exifArguments(in folder: URL) -> [String] {
    guard [.jpeg, .heic, .avif].contains(type) else { return [] }
    return [
      "-q", "-overwrite_original", "-n", "-Orientation=\(writtenOrientation ?? orientation)",
      "-DateTimeOriginal=2026:01:31 12:34:56", "-OffsetTimeOriginal=+02:00",
      folder.appendingPathComponent(name).path, "-execute",
    ]
  }
}
