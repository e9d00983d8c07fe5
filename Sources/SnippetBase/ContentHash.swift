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
  #if canImport(CryptoKit)
  private var state = SHA256()

  package init() {}

  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    state.update(bufferPointer: bytes)
  }

  package func finish() -> Data {
    Data(state.finalize())
  }
  #else
  private var state = DigestState()

  package init() {}

  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    if !isKnownUniquelyReferenced(&state) { state = state.copy() }
    state.update(bytes)
  }

  package func finish() -> Data {
    state.copy().finish()
  }
  #endif
}

extension ContentHash {
  /// Returns the first 61 bits of the hash: enough to notice damage, and small enough for SQLite's
  /// integers even after adding a smaller number.
  package func start() -> Int64 {
    Int64(finish().prefix(8).reduce(0) { $0 << 8 | UInt64($1) } >> 3)
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
/// The state of one hash in libcrypto.
//
// Unchecked, because the compiler cannot see that `ContentHash` changes a state only while it holds
// the only reference to it.
private final class DigestState: @unchecked Sendable {
  // Fetched once: fetching it for each of many short texts would take longer than hashing them. It
  // is never freed and never changed, so threads may share it.
  nonisolated(unsafe) private static let sha256 = EVP_MD_fetch(nil, "SHA256", nil)

  private let context: OpaquePointer

  init() {
    context = Self.makeContext()
    Self.require(EVP_DigestInit_ex(context, Self.sha256, nil))
  }

  private init(copying other: DigestState) {
    context = Self.makeContext()
    Self.require(EVP_MD_CTX_copy_ex(context, other.context))
  }

  deinit {
    EVP_MD_CTX_free(context)
  }

  func copy() -> DigestState {
    DigestState(copying: self)
  }

  func update(_ bytes: UnsafeRawBufferPointer) {
    Self.require(EVP_DigestUpdate(context, bytes.baseAddress, bytes.count))
  }

  func finish() -> Data {
    var hash = Data(count: 32)
    hash.withUnsafeMutableBytes { bytes in
      let bytes = bytes.bindMemory(to: UInt8.self)
      Self.require(EVP_DigestFinal_ex(context, bytes.baseAddress, nil))
    }
    return hash
  }

  private static func makeContext() -> OpaquePointer {
    guard let context = EVP_MD_CTX_new() else { fatalError("The system has no memory left.") }
    return context
  }

  /// Checks a result.
  ///
  /// Hashing in memory fails only if the library lacks SHA-256 or memory.
  private static func require(_ status: Int32) {
    precondition(status == 1, "The system's libcrypto cannot compute SHA-256.")
  }
}
#endif
