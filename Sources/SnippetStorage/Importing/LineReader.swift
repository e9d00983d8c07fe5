import Foundation
import SnippetBase

/// Reads the lines of a file one after the other, in memory for one of them.
struct LineReader {
  private let path: String
  private let file: OpenFile
  private var buffer = Data()
  private var isAtEnd = false

  /// Longer than any line of a manifest: a snippet may carry many tags.
  private static let maximumByteCount = 1 << 24

  /// Opens a file that is no link.
  init(path: String) throws(FileError) {
    self.path = path
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { throw FileError(path) }
    file = OpenFile(descriptor: descriptor)
  }

  /// The next line, without its end; `nil` after the last.
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
      guard searched < Self.maximumByteCount else { throw FileError(path, code: EFBIG) }
      try readMore()
    }
  }

  private mutating func readMore() throws(FileError) {
    var piece = [UInt8](repeating: 0, count: 1 << 14)
    let count = read(file.descriptor, &piece, piece.count)
    if count < 0 {
      if errno == EINTR { return }
      throw FileError(path)
    }
    isAtEnd = count == 0
    buffer.append(contentsOf: piece[..<count])
  }

  /// An open file, which is closed with its last reference.
  private final class OpenFile {
    let descriptor: Int32

    init(descriptor: Int32) {
      self.descriptor = descriptor
    }

    deinit {
      close(descriptor)
    }
  }
}
