package import Foundation

#if canImport(CryptoKit)
import CryptoKit
#else
import CCrypto
#endif

/// A running SHA-256, computed by the system's library.
///
/// A copy continues independently, so you can ask for a hash in between.
package struct ContentHash: Sendable {
  private var state = SHA256()

  package init() {}

  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    state.update(bufferPointer: bytes)
  }

  package func finish() -> Data {
    Data(state.finalize())
  }

  /// Returns the first 61 bits of the hash: enough to notice damage, and small enough for SQLite's
  /// integers even after adding a smaller number.
  package func start() -> Int64 {
    Int64(state.finalize().prefix(8).reduce(0) { $0 << 8 | UInt64($1) } >> 3)
  }

  /// Returns the hash of bytes.
  package static func of(_ bytes: Data) -> Data {
    var hash = ContentHash()
    bytes.withUnsafeBytes { hash.update($0) }
    return hash.finish()
  }

  /// Returns the first 61 bits of the hash of bytes.
  package static func start(of bytes: UnsafeRawBufferPointer) -> Int64 {
    var hash = ContentHash()
    hash.update(bytes)
    return hash.start()
  }
}

#if !canImport(CryptoKit)
/// A SHA-256 with the interface of CryptoKit's.
//
// Deprecated in libcrypto 3, but the newer functions first load the library's configuration and its
// providers, which takes a third of the time of opening a store, and allocate memory for each hash.
private struct SHA256: Sendable {
  private var state = SHA256_CTX()

  init() {
    // These fail only where a policy forbids them.
    precondition(SHA256_Init(&state) == 1, "The system's libcrypto cannot compute SHA-256.")
  }

  mutating func update(bufferPointer bytes: UnsafeRawBufferPointer) {
    SHA256_Update(&state, bytes.baseAddress, bytes.count)
  }

  func finalize() -> [UInt8] {
    var state = state
    return Array(unsafeUninitializedCapacity: 32) { bytes, count in
      SHA256_Final(bytes.baseAddress, &state)
      count = 32
    }
  }
}
#endif
