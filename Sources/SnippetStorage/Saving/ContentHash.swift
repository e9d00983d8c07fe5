import Crypto
import Foundation

/// Hashes bytes as they pass by.
struct ContentHash {
  private var state = SHA256()

  mutating func update(_ bytes: UnsafeRawBufferPointer) {
    state.update(bufferPointer: bytes)
  }

  func finish() -> Data {
    Data(state.finalize())
  }

  /// The hash of all the bytes of a source, in constant memory.
  static func of(_ source: any ByteSource, check: () throws -> Void = {}) throws -> Data {
    var hash = ContentHash()
    try source.forEachPiece { piece in
      try check()
      hash.update(piece)
    }
    return hash.finish()
  }
}
