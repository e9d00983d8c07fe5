package import Foundation
import SnippetBase
package import SnippetLoading
internal import SnippetStorage

/// Blobs made up from their numbers, given in pieces; it counts, and can be held and made to fail.
package final class FakeSource: BlobSource {
  /// Where a held read stands, and what lets it go on.
  package struct Hold: Sendable {
    /// Opens when the read has come to the place.
    package let reached = Gate()
    /// Lets the read go on.
    package let release = Gate()

    package init() {}
  }

  private struct Place: Hashable {
    let key: LoadKey
    let piece: Int
  }

  private struct State {
    var reads: [LoadKey] = []
    var pieces: [LoadKey: Int] = [:]
    var failures: [LoadKey: LoadError] = [:]
    var holds: [Place: Hold] = [:]
    var hook: (@Sendable (LoadKey, Int) -> Void)?
    var readingCount = 0
    var mostReading = 0
    var mainThreadReads = 0
  }

  private let state = Lock(State())
  private let pieceCount: Int
  private let byteCount: Int
  private let givesUpQuietly: Bool

  /// Makes a source.
  ///
  /// - Parameters:
  ///   - byteCount: The size of each blob.
  ///   - pieceCount: In how many pieces it is given.
  ///   - givesUpQuietly: Whether a read that sees that it is cancelled just returns what it has.
  package init(byteCount: Int = 1_000, pieceCount: Int = 4, givesUpQuietly: Bool = false) {
    self.givesUpQuietly = givesUpQuietly
    self.byteCount = byteCount
    self.pieceCount = pieceCount
  }

  /// The keys that were read, in the order in which the reads began.
  package var reads: [LoadKey] { state.withLock(\.reads) }
  /// The most reads that went on at the same time.
  package var mostReading: Int { state.withLock(\.mostReading) }
  /// How many reads were made on the main thread.
  package var mainThreadReads: Int { state.withLock(\.mainThreadReads) }

  package func readCount(of key: LoadKey) -> Int {
    state.withLock { $0.reads.count { $0 == key } }
  }

  /// How many pieces of a key were given and taken, over all reads.
  package func pieceCount(of key: LoadKey) -> Int {
    state.withLock { $0.pieces[key] ?? 0 }
  }

  /// Stops the next read of a key before one of its pieces.
  package func hold(_ key: LoadKey, beforePiece piece: Int = 0) -> Hold {
    let hold = Hold()
    state.withLock { $0.holds[Place(key: key, piece: piece)] = hold }
    return hold
  }

  /// Makes reads of a key fail, or succeed again.
  package func fail(_ key: LoadKey, with error: LoadError?) {
    state.withLock { $0.failures[key] = error }
  }

  /// What reads of a key fail with; `nil` when they succeed.
  package func failure(of key: LoadKey) -> LoadError? {
    state.withLock { $0.failures[key] }
  }

  /// Calls a closure before every piece, on the thread of the read.
  package func onPiece(_ body: (@Sendable (LoadKey, Int) -> Void)?) {
    state.withLock { $0.hook = body }
  }

  /// The bytes of a blob.
  package func bytes(of key: LoadKey) -> Data {
    // Another variant is what `FakeProcessor` makes of the original.
    let flips = UInt64(key.variant.rawValue)
    var generator = SeededGenerator(seed: UInt64(bitPattern: key.blobID.rawValue))
    let number = generator.next() ^ flips &* 0x0101_0101_0101_0101
    return Data((0..<byteCount).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0 % 8))) })
  }

  /// A blob as a load of it gives it.
  package func blob(of key: LoadKey) -> LoadedBlob {
    LoadedBlob(key: key, bytes: bytes(of: key))
  }

  package func read(_ key: LoadKey, into context: inout LoadContext) throws {
    let isOnMain = MainQueue.isCurrent
    state.withLock { state in
      state.reads.append(key)
      state.readingCount += 1
      state.mostReading = max(state.mostReading, state.readingCount)
      if isOnMain { state.mainThreadReads += 1 }
    }
    defer { state.withLock { $0.readingCount -= 1 } }
    let bytes = bytes(of: key)
    try context.reserve(byteCount: bytes.count)
    for piece in 0..<pieceCount {
      state.withLock(\.hook)?(key, piece)
      if let hold = state.withLock({ $0.holds.removeValue(forKey: Place(key: key, piece: piece)) })
      {
        hold.reached.open()
        hold.release.blockUntilOpen()
      }
      if let error = state.withLock({ $0.failures[key] }) { throw error }
      if givesUpQuietly, context.isCancelled {
        // What happens on the main actor before the worker is done.
        state.withLock(\.hook)?(key, piece)
        return
      }
      let start = byteCount * piece / pieceCount
      let end = byteCount * (piece + 1) / pieceCount
      try bytes.withUnsafeBytes { buffer in
        try context.append(UnsafeRawBufferPointer(rebasing: buffer[start..<end]))
      }
      state.withLock { $0.pieces[key, default: 0] += 1 }
    }
  }
}
