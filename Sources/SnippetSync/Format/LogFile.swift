import Foundation
import SnippetBase

/// A file of lines that a device writes: a part of its log, or its head.
///
/// Sealed, the lines are compressed: the header, an entry each, and a code of all lines before. The
/// code binds name and content to the key, because age alone does not tell who sealed a file.
struct LogFile: Equatable, Sendable {
  /// The most bytes of all entries of a file: 4 MiB.
  static let entryLimit = 4 << 20

  /// The first line.
  var header: LogHeader
  /// The entries: JSON without line ends.
  var entries: [Data]
}

extension LogFile {
  /// Returns the object to write.
  ///
  /// - Throws: ``SyncError/Code/invalidInput`` for an entry that is not a line, for too many of
  ///   them, or for a header that contradicts itself.
  func sealed(with key: RepositoryKey) throws(SyncError) -> Data {
    guard header.isSound else { throw refused("its header contradicts itself") }
    guard entries.allSatisfy({ !$0.isEmpty && $0.withUnsafeBytes(Self.isLine) }) else {
      throw refused("an entry is not one line")
    }
    guard entries.reduce(0, { $0 + $1.count }) <= Self.entryLimit else {
      throw refused("its entries have more than \(Self.entryLimit) bytes")
    }
    var text = try header.line
    text.reserveCapacity(text.count + entries.reduce(128) { $0 + $1.count + 1 })
    for line in entries {
      text.append(Self.lineEnd)
      text += line
    }
    text.append(Self.lineEnd)
    text += Self.lastLine(of: text, key)
    guard text.count <= RepositoryKey.contentLimit else { throw refused("its header is too long") }
    return try key.seal(Compression.deflate(text), as: header.object)
  }

  /// Opens an object.
  ///
  /// - Parameters:
  ///   - object: The bytes.
  ///   - name: The name under which they were found.
  ///   - key: The key of the repository.
  /// - Throws: ``SyncError/Code/wrongKey`` and ``SyncError/Code/damaged``.
  init(_ object: Data, named name: ObjectName, key: RepositoryKey) throws(SyncError) {
    let packed = try key.open(object, named: name)
    func damaged(_ reason: String) -> SyncError { .damaged(name.rawValue, because: reason) }
    guard let text = Compression.inflate(packed, limit: RepositoryKey.contentLimit) else {
      throw damaged("its lines are not compressed, or are too many")
    }
    let lines = text.dropLast(Self.lastLineLength)
    guard SystemCrypto.areEqual(text.dropFirst(lines.count), Self.lastLine(of: lines, key)) else {
      throw damaged("its last line does not vouch for the others")
    }
    entries = Self.split(lines.dropLast())
    guard let header = try? JSONDecoder().decode(LogHeader.self, from: entries.removeFirst()) else {
      throw damaged("its first line is not understood")
    }
    guard header.object == name else { throw damaged("it is \(header.object.rawValue)") }
    guard header.isSound else { throw damaged("its header contradicts itself") }
    self.header = header
  }

  private static let lineEnd = UInt8(ascii: "\n")

  // Byte by byte, `Data` would be asked for each through its representation.
  private static func isLine(_ bytes: UnsafeRawBufferPointer) -> Bool {
    bytes.baseAddress.map { memchr($0, Int32(lineEnd), bytes.count) == nil } ?? true
  }

  private static let lastLineLength = #"{"mac":""}"#.utf8.count + 2 * SystemCrypto.keyLength + 1

  /// Splits a text into its lines; none keeps the others in memory.
  private static func split(_ text: Data) -> [Data] {
    text.withUnsafeBytes { bytes in
      // As slices of `Data`, they would be compared byte by byte through its representation.
      bytes.split(separator: lineEnd, omittingEmptySubsequences: false).map { line in
        Data(UnsafeRawBufferPointer(rebasing: line))
      }
    }
  }

  private static func lastLine(of text: Data, _ key: RepositoryKey) -> Data {
    Data("{\"mac\":\"\(key.code(of: text).hexadecimal)\"}\n".utf8)
  }

  private func refused(_ reason: String) -> SyncError {
    SyncError(.invalidInput, "write \(header.object.rawValue)", because: reason)
  }
}
