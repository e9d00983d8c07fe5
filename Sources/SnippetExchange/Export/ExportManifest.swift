import Foundation
import SnippetBase
import SnippetStorage

/// The list of the files of an export: JSON, one object per line.
///
/// The first line identifies the file; every other line is an ``Entry``. The manifest gets its name
/// last, so an unfinished export has none.
enum ExportManifest {
  /// The name of the file, beside the folders of the exported files.
  static let fileName = "manifest.jsonl"

  /// The first line.
  struct Header: Codable, Equatable {
    var format = "snippets"
    /// Increases when old readers can no longer understand the file.
    var version = 1
  }

  /// Parses the first line of a file; `nil` if the file is not a manifest.
  static func header(_ line: Data) -> Header? {
    guard let header = try? JSONDecoder().decode(Header.self, from: line),
      header.format == Header().format
    else { return nil }
    return header
  }

  /// The properties of a snippet that its file does not contain.
  struct Entry: Codable, Equatable, Sendable {
    /// The location of the bytes: a folder and a name, relative to the manifest.
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
    /// The SHA-256 of the bytes, in hexadecimal.
    var sha256: String
    /// The note of an image or a recording.
    var note: String?
    /// The encoding of a text.
    var encoding: String?
    var pixelWidth: Int?
    var pixelHeight: Int?
    var durationMilliseconds: Int64?
    /// The sample rate in hertz.
    var sampleRate: Int?
    var channelCount: Int?
  }

  /// Encodes a line, with its line end.
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
    note: String,
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
    self.note = note.isEmpty ? nil : note
    self.encoding = encoding?.name
    pixelWidth = row.facts.pixelWidth
    pixelHeight = row.facts.pixelHeight
    durationMilliseconds = row.facts.duration.map(\.milliseconds)
    sampleRate = row.facts.sampleRate
    channelCount = row.facts.channelCount
  }
}
