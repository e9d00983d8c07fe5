#if !canImport(CryptoKit)
import Foundation

/// The calls of CryptoKit that SnippetSync makes, declared as its documentation does, for systems
/// without it. They are compiled only.

protocol HashFunction {}

enum SHA256: HashFunction {}

struct SymmetricKey {
  init<D: ContiguousBytes>(data: D) {}
}

enum HMAC<H: HashFunction> {
  static func authenticationCode<D: DataProtocol>(
    for data: D,
    using key: SymmetricKey
  ) -> HashedAuthenticationCode<H> { HashedAuthenticationCode() }
}

struct HashedAuthenticationCode<H: HashFunction>: Sequence {
  func makeIterator() -> Array<UInt8>.Iterator { [].makeIterator() }
}

struct SharedSecret {
  func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    try body(UnsafeRawBufferPointer(start: nil, count: 0))
  }
}

enum Curve25519 {
  enum KeyAgreement {
    struct PrivateKey {
      let publicKey: PublicKey

      init<D: ContiguousBytes>(rawRepresentation data: D) throws {
        publicKey = try PublicKey(rawRepresentation: data)
      }
      func sharedSecretFromKeyAgreement(with publicKey: PublicKey) throws -> SharedSecret {
        SharedSecret()
      }
    }

    struct PublicKey {
      let rawRepresentation = Data()

      init<D: ContiguousBytes>(rawRepresentation: D) throws {}
    }
  }
}

enum ChaChaPoly {
  struct Nonce {
    init<D: DataProtocol>(data: D) throws {}
  }

  struct SealedBox {
    let ciphertext = Data()
    let tag = Data()

    init<D: DataProtocol>(combined: D) throws {}
  }

  static func seal<Plaintext: DataProtocol>(
    _ message: Plaintext,
    using key: SymmetricKey,
    nonce: Nonce? = nil
  ) throws -> SealedBox { try SealedBox(combined: Data()) }
  static func open(_ sealedBox: SealedBox, using key: SymmetricKey) throws -> Data { Data() }
}
#endif
