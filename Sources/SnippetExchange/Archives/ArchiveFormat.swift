package import SnippetBase

/// The formats of archives, recognized by their first bytes.
package enum ArchiveFormat {
  case zip, tar
  /// Something compressed, most likely a tar archive.
  case compressed

  /// Reads the beginning of a file; `nil` if it is no archive, or a document in a ZIP archive.
  ///
  /// Something compressed that holds no files is none, such as a picture in SVG; without libarchive
  /// that is not known.
  package init?(of file: OpenFile) throws(FileError) {
    guard let format = Self(head: try file.bytes(at: 0, count: 512)) else { return nil }
    self = format
    guard format == .compressed else { return }
    do {
      _ = try ArchiveReader(file)
    } catch {
      if error.isOfNoArchive { return nil }
    }
  }

  /// Recognizes an archive by its first 512 bytes.
  init?(head: [UInt8]) {
    if head.starts(with: [0x50, 0x4B, 3, 4]) {
      if Self.isDocument(head) { return nil }
      self = .zip
    } else if head.starts(with: [0x50, 0x4B, 5, 6]) {
      self = .zip
    } else if head.dropFirst(257).starts(with: "ustar".utf8) {
      self = .tar
    } else if Self.compressions.contains(where: { head.starts(with: $0) }) {
      self = .compressed
    } else {
      return nil
    }
  }

  /// The first bytes of gzip, bzip2, xz and Zstandard.
  private static let compressions: [[UInt8]] = [
    [0x1F, 0x8B], Array("BZh".utf8), [0xFD, 0x37, 0x7A, 0x58, 0x5A], [0x28, 0xB5, 0x2F, 0xFD],
  ]

  /// The names with which the first member of a document or a program in a ZIP archive begins.
  private static let namesInDocuments = [
    "mimetype", "[Content_Types].xml", "_rels/", "docProps/", "word/", "xl/", "ppt/", "META-INF/",
    "AndroidManifest.xml",
  ]

  private static func isDocument(_ head: [UInt8]) -> Bool {
    guard head.count > 30 else { return false }
    let byteCount = Int(head[26]) | Int(head[27]) << 8
    let name = head.dropFirst(30).prefix(byteCount)
    return namesInDocuments.contains { name.starts(with: $0.utf8) }
  }
}
