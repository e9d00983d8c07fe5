import Dispatch
public import Foundation
import SnippetBase
public import SnippetLoading
package import SnippetStorage

/// Blobs made up from their numbers and given in pieces.
///
/// It counts reads, and can hold them and make them fail.
public final class ScriptedSource: BlobSource {
  /// The gates of a held read.
  public struct Hold: Sendable {
    /// Opens when the read has reached its place.
    public let reached = Gate()
    /// Open it to let the read continue.
    public let release = Gate()

    /// Makes a hold whose gates are closed.
    public init() {}
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
  ///   - pieceCount: The number of pieces of each blob.
  ///   - givesUpQuietly: Whether a read that finds itself cancelled just returns its pieces so far.
  public init(byteCount: Int = 1_000, pieceCount: Int = 4, givesUpQuietly: Bool = false) {
    self.givesUpQuietly = givesUpQuietly
    self.byteCount = byteCount
    self.pieceCount = pieceCount
  }

  /// The keys that were read, in the order in which the reads began.
  public var reads: [LoadKey] { state.withLock(\.reads) }
  /// The most reads that ran at the same time.
  public var mostReading: Int { state.withLock(\.mostReading) }
  /// The number of reads on the main thread.
  public var mainThreadReads: Int { state.withLock(\.mainThreadReads) }

  /// The number of reads of a key.
  ///
  /// - Parameter key: The key.
  /// - Returns: The number of reads.
  public func readCount(of key: LoadKey) -> Int {
    state.withLock { $0.reads.count { $0 == key } }
  }

  /// The number of pieces of a key that were given and accepted, over all reads.
  ///
  /// - Parameter key: The key.
  /// - Returns: The number of pieces.
  public func pieceCount(of key: LoadKey) -> Int {
    state.withLock { $0.pieces[key] ?? 0 }
  }

  /// Stops the next read of a key before one of its pieces.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - piece: The piece, counted from 0.
  /// - Returns: The gates of the read.
  public func hold(_ key: LoadKey, beforePiece piece: Int = 0) -> Hold {
    let hold = Hold()
    state.withLock { $0.holds[Place(key: key, piece: piece)] = hold }
    return hold
  }

  /// Makes reads of a key fail, or succeed again.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - error: The error of reads; `nil` lets them succeed.
  public func fail(_ key: LoadKey, with error: LoadError?) {
    state.withLock { $0.failures[key] = error }
  }

  /// The error of a key's reads.
  ///
  /// - Parameter key: The key.
  /// - Returns: The error; `nil` when reads succeed.
  public func failure(of key: LoadKey) -> LoadError? {
    state.withLock { $0.failures[key] }
  }

  /// Calls a closure before every piece, on the thread of the read.
  ///
  /// - Parameter body: Takes the key and the number of the piece; `nil` ends the calls.
  public func onPiece(_ body: (@Sendable (LoadKey, Int) -> Void)?) {
    state.withLock { $0.hook = body }
  }

  /// The bytes of a blob.
  ///
  /// - Parameter key: The blob and the recipe.
  /// - Returns: Always the same bytes for the same key.
  public func bytes(of key: LoadKey) -> Data {
    var generator = SplitMix64(seed: key.seed)
    let number = generator.next() ^ key.recipe.mask
    return Data((0..<byteCount).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0 % 8))) })
  }

  /// The loaded form of a blob.
  ///
  /// - Parameter key: The blob and the recipe.
  /// - Returns: The blob.
  public func blob(of key: LoadKey) -> LoadedBlob {
    LoadedBlob(key: key, bytes: bytes(of: key))
  }

  /// Gives a blob in pieces.
  ///
  /// - Parameters:
  ///   - key: The blob and the recipe.
  ///   - context: Takes the pieces.
  /// - Throws: The error set by ``fail(_:with:)``; errors of the context.
  public func read(_ key: LoadKey, into context: inout LoadContext) throws {
    let isOnMain = Self.isOnMainQueue
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
        // Simulates events on the main actor before the worker is done.
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

  // `Thread.isMainThread` is not enough: on Linux another thread may serve the main queue.
  private static let mainQueue: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  private static var isOnMainQueue: Bool { DispatchQueue.getSpecific(key: mainQueue) == true }
}

extension Recipe {
  /// Eight bytes that depend on the name only, whatever other recipes a process has made.
  fileprivate var mask: UInt64 {
    guard self != .original else { return 0 }
    let seed = name.utf8.reduce(UInt64(0)) { $0 &* 257 &+ UInt64($1) }
    var generator = SplitMix64(seed: seed)
    return generator.next()
  }

  /// Makes the bytes of this recipe from those of another, as they differ in ``ScriptedSource``.
  package func scripted(_ bytes: Data, from other: Recipe = .original) -> Data {
    let mask = mask ^ other.mask
    return Data(
      bytes.enumerated().map { $1 ^ UInt8(truncatingIfNeeded: mask >> (8 * UInt64($0 % 8))) }
    )
  }
}
