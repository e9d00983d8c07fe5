import Foundation
import SnippetBase
import SnippetStorage

/// The list of what an export holds: a file of JSON, one object a line.
///
/// The first line says what the file is; each other one is an ``Entry``. An unfinished export has
/// none, since the manifest gets its name last.
enum ExportManifest {
  /// The name of the file, beside the folders of the exported files.
  static let fileName = "manifest.jsonl"

  /// The first line.
  struct Header: Codable, Equatable {
    var format = "snippets"
    /// Goes up when a reader must know more than before.
    var version = 1
  }

  /// The first line of a file of the name, if that is a manifest; what cannot be read as one is a
  /// file like others.
  static func header(_ line: Data) -> Header? {
    guard let header = try? JSONDecoder().decode(Header.self, from: line),
      header.format == Header().format
    else { return nil }
    return header
  }

  /// All that a row and a file do not tell by themselves about one snippet.
  struct Entry: Codable, Equatable, Sendable {
    /// Where the bytes are: a folder and a name below that of the manifest.
    var file: String
    var uuid: String
    var kind: String
    var title: String
    var tags: [String]
    var pinned: Bool
    var createdAt: String
    var modifiedAt: String
    var mediaType: String
    var byteCount: Int64
    /// Of the bytes, in hexadecimal.
    var sha256: String
    /// That of a text.
    var encoding: String?
    var pixelWidth: Int?
    var pixelHeight: Int?
    var durationMilliseconds: Int64?
    /// In hertz.
    var sampleRate: Int?
    var channelCount: Int?
  }

  /// A line, with its end.
  static func line(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(value) + Data("\n".utf8)
  }
}

extension ExportManifest.Entry {
  /// Describes a snippet whose bytes have been written.
  init(
    _ row: SnippetRow,
    file: String,
    byteCount: Int64,
    sha256: Data,
    encoding: TextEncoding?
  ) {
    self.file = file
    uuid = row.uuid.uuidString.lowercased()
    kind = row.kind.name
    title = row.title
    tags = row.tags
    pinned = row.isPinned
    createdAt = row.createdAt.iso8601Milliseconds
    modifiedAt = row.modifiedAt.iso8601Milliseconds
    mediaType = row.mediaType
    self.byteCount = byteCount
    self.sha256 = sha256.hexadecimal
    self.encoding = encoding?.name
    pixelWidth = row.facts.pixelWidth
    pixelHeight = row.facts.pixelHeight
    durationMilliseconds = row.facts.duration.map(\.milliseconds)
    sampleRate = row.facts.sampleRate
    channelCount = row.facts.channelCount
  }
}
