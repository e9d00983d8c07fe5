import Dispatch
import Foundation
import SnippetBase

/// Reads and hashes bytes piece by piece on another thread, each piece while the previous one is
/// written.
///
/// Reuse it: getting new memory from the system takes as long as copying the bytes.
//
// Unchecked, because the compiler cannot see that two threads take turns. Between `start` and the
// signal, everything but the piece returned by `next` belongs to the other thread.
final class PieceReader: @unchecked Sendable {
  private static let nothing = MemoryBytes(data: Data())

  private var source: any ByteSource = nothing
  private var byteCount: Int64 = 0
  private var (used, ahead): (UnsafeMutableRawBufferPointer, UnsafeMutableRawBufferPointer)
  private var offset: Int64 = 0
  private var hash = ContentHash()
  private var outcome = Result<Int, any Error>.success(0)
  private var isReading = false
  private let isRead = DispatchSemaphore(value: 0)

  /// Allocates memory for two pieces of a size in bytes; only the last piece of a source is
  /// shorter.
  init(size: Int) {
    used = .allocate(byteCount: size, alignment: 16)
    ahead = .allocate(byteCount: size, alignment: 16)
  }

  deinit {
    used.deallocate()
    ahead.deallocate()
  }

  /// Calls `body` with all bytes of a source in order, and returns their SHA-256.
  ///
  /// Throws ``ContentChange`` if there are fewer bytes than expected.
  func forEachPiece(
    of source: any ByteSource,
    _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws -> Data {
    self.source = source
    (byteCount, offset, hash) = (source.byteCount, 0, ContentHash())
    // The other thread must not write into memory that has been freed.
    defer {
      if isReading { isRead.wait() }
      // A source may hold a file open, perhaps an unnamed one, which takes room until it is closed.
      self.source = Self.nothing
    }
    start()
    while let piece = try next() {
      start()
      try body(piece)
    }
    return hash.finish()
  }

  private func start() {
    guard offset < byteCount else { return }
    isReading = true
    OwnThreads.start { [self] in
      outcome = Result { try read() }
      isRead.signal()
    }
  }

  /// Returns the piece that was read ahead; `nil` after the last.
  private func next() throws -> UnsafeRawBufferPointer? {
    guard isReading else { return nil }
    isRead.wait()
    isReading = false
    swap(&used, &ahead)
    return UnsafeRawBufferPointer(rebasing: used[..<(try outcome.get())])
  }

  private func read() throws -> Int {
    let wanted = Int(min(Int64(ahead.count), byteCount - offset))
    let piece = UnsafeMutableRawBufferPointer(rebasing: ahead[..<wanted])
    guard try source.read(into: piece, at: offset) == wanted else { throw ContentChange() }
    hash.update(UnsafeRawBufferPointer(piece))
    offset += Int64(wanted)
    return wanted
  }
}
