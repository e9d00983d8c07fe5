public import Foundation
package import SnippetBase
import SystemPackage

/// The source of a snippet's bytes.
///
/// Content of any size takes constant memory: a file is read in pieces, and a stream is kept in an
/// unnamed temporary file until its hash is known.
public struct SnippetContent: Sendable {
  enum Source: Sendable {
    case text(String)
    case bytes(Data)
    case file(URL)
    case stream(PieceStream)
    case collected(any ByteSource)
  }

  let source: Source

  /// Makes content from a text.
  ///
  /// - Parameter text: Any text; may be empty.
  /// - Returns: The content; its bytes are the text in UTF-8.
  public static func text(_ text: String) -> SnippetContent {
    SnippetContent(source: .text(text))
  }

  /// Makes content from bytes in memory.
  ///
  /// - Parameter bytes: The bytes, stored as they are.
  /// - Returns: The content.
  public static func bytes(_ bytes: Data) -> SnippetContent {
    SnippetContent(source: .bytes(bytes))
  }

  /// Makes content from a file, which is read when the draft is saved.
  ///
  /// - Parameter url: The URL of a regular file.
  /// - Returns: The content.
  public static func file(at url: URL) -> SnippetContent {
    SnippetContent(source: .file(url))
  }

  /// Makes content from bytes that arrive in pieces.
  ///
  /// A draft with such content can be saved only once, and a save that fails may have read it: a
  /// second one throws `.invalidInput`. To be able to try again, make the stream anew, or use
  /// ``collecting(_:)``. The store holds no lock while it waits for the stream.
  ///
  /// - Parameter next: Returns the next piece; `nil` at the end. It is called on the saving thread
  ///   and may block. An error that it throws becomes the underlying error of the save.
  /// - Returns: The content.
  public static func stream(_ next: @escaping @Sendable () throws -> Data?) -> SnippetContent {
    SnippetContent(source: .stream(PieceStream(next)))
  }

  /// Makes content from pieces that arrive asynchronously.
  ///
  /// On return all pieces have arrived. They are kept in an unnamed temporary file, which is
  /// deleted with the content.
  ///
  /// - Parameter pieces: The pieces in order.
  /// - Returns: The content.
  /// - Throws: ``SnippetStoreError``, with an error of the sequence as its underlying error;
  ///   `.diskFull` if there is no room for the temporary file; `.cancelled` if the task was
  ///   cancelled.
  public static func collecting<Pieces: AsyncSequence>(
    _ pieces: Pieces
  ) async throws(SnippetStoreError) -> SnippetContent where Pieces.Element == Data {
    do {
      let spool = try SpooledBytes()
      for try await piece in pieces { try await OwnThreads.result { try spool.append(piece) } }
      // A sequence may just end when its task is cancelled; the content is then incomplete.
      try Task.checkCancellation()
      return SnippetContent(source: .collected(spool))
    } catch {
      throw SnippetStoreError(error, during: "collect the content of a snippet")
    }
  }
}

/// A stream of pieces, which can be read once.
final class PieceStream: Sendable {
  private let next: @Sendable () throws -> Data?
  private let isRead = Lock(false)

  init(_ next: @escaping @Sendable () throws -> Data?) {
    self.next = next
  }

  /// Returns the function that reads; throws if it was returned before.
  func reading() throws -> @Sendable () throws -> Data? {
    try isRead.withLock { isRead throws in
      guard !isRead else { throw StreamAlreadyRead() }
      isRead = true
    }
    return next
  }
}

/// The bytes of an open file, up to its size when it was opened.
package final class FileBytes: ByteSource {
  package let byteCount: Int64
  let modifiedAt: Date
  private let file: OpenFile

  /// Opens a regular file for reading, unless it belongs to a store that is open.
  ///
  /// A pipe or a device is refused before it is opened: opening alone could wait forever.
  convenience init(path: String) throws {
    let status: Stat
    do throws(Errno) { status = try Stat(path) } catch { throw FileError(path, error) }
    guard status.type == .regular else { throw NotARegularFile(path: path) }
    guard !OpenStoreFile.contains(FileIdentity(status)) else { throw StoreInUse(path: path) }
    try self.init(OpenFile(path, options: .nonBlocking))
  }

  /// Takes an open file, which must be a regular one.
  package init(_ file: OpenFile) throws {
    let status = try file.status()
    guard status.type == .regular else { throw NotARegularFile(path: file.path) }
    byteCount = status.size
    modifiedAt = status.modifiedAt
    self.file = file
  }

  package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
    try file.read(into: buffer, at: offset)
  }
}

/// The bytes of a stream, kept until their number and hash are known.
///
/// The temporary file loses its name at once, so nothing is left of it however the process ends.
package final class SpooledBytes: ByteSource {
  private let file: OpenFile
  private let count = Lock<Int64>(0)

  package init() throws(FileError) {
    let folder = FileManager.default.temporaryDirectory
    file = try OpenFile.temporary(folder.appendingPathComponent("snippet").path)
    FileSystem.remove(file.path)
  }

  package var byteCount: Int64 { count.withLock { $0 } }

  /// Appends bytes.
  package func append(_ piece: Data) throws {
    let start = byteCount
    try piece.withUnsafeBytes { try file.write($0, at: start) }
    count.withLock { $0 += Int64(piece.count) }
  }

  package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws -> Int {
    try file.read(into: buffer, at: offset)
  }
}
