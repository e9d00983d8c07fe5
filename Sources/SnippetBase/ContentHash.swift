package import Foundation

#if canImport(CryptoKit)
import CryptoKit
#else
import CCrypto
#endif

/// The SHA-256 of bytes as they pass by, computed by the system's library.
///
/// A copy goes on by itself, so a hash can be asked for in between.
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
  /// The first 61 bits of the hash: enough to notice damage, and a number that SQLite can hold, with
  /// room for a smaller one to be added.
  package func start() -> Int64 {
    Int64(finish().prefix(8).reduce(0) { $0 << 8 | UInt64($1) } >> 3)
  }

  /// The hash of some bytes.
  package static func of(_ bytes: Data) -> Data {
    var hash = ContentHash()
    bytes.withUnsafeBytes { hash.update($0) }
    return hash.finish()
  }

  /// The first 61 bits of the hash of some bytes.
  package static func start(of bytes: UnsafeRawBufferPointer) -> Int64 {
    var hash = ContentHash()
    hash.update(bytes)
    return hash.start()
  }
}

#if !canImport(CryptoKit)
/// What libcrypto keeps of one hash.
//
// Unchecked, because the compiler cannot see that `ContentHash` changes a state only while it holds
// the one reference to it.
private final class DigestState: @unchecked Sendable {
  // Looked up once: a look-up for each of many short texts would take longer than hashing them.
  // Never freed, and never changed, so threads may share it.
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

  /// Hashing in memory fails only where the library was set up without SHA-256 or has no memory.
  private static func require(_ status: Int32) {
    precondition(status == 1, "The system's libcrypto cannot compute SHA-256.")
  }
}
#endif
