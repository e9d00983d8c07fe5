import Foundation
import SnippetBase
import SystemPackage

/// Reads the lines of a file one by one, with only one in memory.
struct LineReader {
  private let file: OpenFile
  private var offset: Int64 = 0
  private var buffer = Data()
  private var isAtEnd = false

  /// Longer than any line of a manifest: a snippet may have many tags.
  private static let maximumByteCount = 1 << 24

  /// Begins at the beginning of a file.
  init(_ file: OpenFile) { self.file = file }

  /// Returns the next line, without its line end; `nil` after the last.
  mutating func next() throws(FileError) -> Data? {
    var searched = 0
    while true {
      let rest = buffer.dropFirst(searched)
      if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
        let line = Data(buffer[..<end])
        buffer = Data(buffer[(end + 1)...])
        return line
      }
      if isAtEnd {
        defer { buffer = Data() }
        return buffer.isEmpty ? nil : buffer
      }
      searched = buffer.count
      guard searched < Self.maximumByteCount else { throw FileError(file.path, .fileTooLarge) }
      try readMore()
    }
  }

  private mutating func readMore() throws(FileError) {
    let piece = try file.bytes(at: offset, count: 1 << 14)
    offset += Int64(piece.count)
    isAtEnd = piece.isEmpty
    buffer.append(contentsOf: piece)
  }
}
