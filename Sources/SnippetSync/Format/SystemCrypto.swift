#if canImport(CryptoKit)
import CryptoKit
import Foundation
#elseif !CRYPTOKIT_DECLARATIONS
import CCrypto
#endif

/// The primitives of encryption, computed by the system's library.
///
/// Keys, nonces and texts are plain bytes, so that the platforms differ in this file only.
enum SystemCrypto {
  /// The length of a key, of a hash and of a point of Curve25519.
  static let keyLength = 32
  /// The bytes by which a sealed text is longer than the plain one.
  static let tagLength = 16

  /// Draws bytes that cannot be guessed.
  static func randomBytes(_ count: Int) -> [UInt8] {
    var generator = SystemRandomNumberGenerator()
    // Eight at a time: each draw is a call of the system.
    let bytes = (0..<((count + 7) / 8)).flatMap { _ in
      withUnsafeBytes(of: generator.next() as UInt64) { Array($0) }
    }
    return Array(bytes.prefix(count))
  }

  /// Derives a key by HKDF with SHA-256.
  static func hkdf(_ secret: [UInt8], salt: [UInt8], info: String) -> [UInt8] {
    // The second step of RFC 5869 makes one block at a time, and a key is one block.
    hmac(info.utf8 + [1], key: hmac(secret, key: salt))
  }

  /// Computes what two sides share by X25519; `nil` if the point of the other is of low order.
  ///
  /// With such a point everything would be encrypted with the same key.
  static func sharedSecret(of secret: [UInt8], with point: [UInt8]) -> [UInt8]? {
    guard let shared = x25519(secret, point), shared.contains(where: { $0 != 0 }) else {
      return nil
    }
    return shared
  }

  /// Seals a text by ChaCha20-Poly1305.
  static func seal(_ text: [UInt8], key: [UInt8], nonce: [UInt8]) -> [UInt8] {
    var sealed = [UInt8](repeating: 0, count: text.count + tagLength)
    sealed.withUnsafeMutableBytes { sealed in
      text.withUnsafeBytes { seal($0, key: key, nonce: nonce, into: sealed) }
    }
    return sealed
  }

  /// Opens what ``seal(_:key:nonce:)`` returned; `nil` for other bytes, another key or nonce.
  static func open(_ sealed: [UInt8], key: [UInt8], nonce: [UInt8]) -> [UInt8]? {
    guard sealed.count >= tagLength else { return nil }
    var text = [UInt8](repeating: 0, count: sealed.count - tagLength)
    let isOpen = text.withUnsafeMutableBytes { text in
      sealed.withUnsafeBytes { open($0, key: key, nonce: nonce, into: text) }
    }
    return isOpen ? text : nil
  }

  /// Compares codes in a time that does not depend on where they differ.
  static func areEqual(_ one: some Collection<UInt8>, _ other: some Collection<UInt8>) -> Bool {
    one.count == other.count && zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }
}

#if canImport(CryptoKit) || CRYPTOKIT_DECLARATIONS
extension SystemCrypto {
  /// Computes the code of a text by HMAC with SHA-256.
  static func hmac(_ text: [UInt8], key: [UInt8]) -> [UInt8] {
    Array(HMAC<SHA256>.authenticationCode(for: text, using: SymmetricKey(data: key)))
  }

  /// Computes the public point of a secret, by X25519.
  static func publicPoint(of secret: [UInt8]) -> [UInt8] {
    guard let key = try? Curve25519.KeyAgreement.PrivateKey(rawRepresentation: secret) else {
      preconditionFailure("A secret has \(keyLength) bytes.")
    }
    return Array(key.publicKey.rawRepresentation)
  }

  private static func x25519(_ secret: [UInt8], _ point: [UInt8]) -> [UInt8]? {
    typealias Agreement = Curve25519.KeyAgreement
    return try? Agreement.PrivateKey(rawRepresentation: secret)
      .sharedSecretFromKeyAgreement(with: Agreement.PublicKey(rawRepresentation: point))
      .withUnsafeBytes { Array($0) }
  }

  /// Seals a text by ChaCha20-Poly1305, into ``tagLength`` bytes more than it has.
  static func seal(
    _ text: UnsafeRawBufferPointer,
    key: [UInt8],
    nonce: [UInt8],
    into sealed: UnsafeMutableRawBufferPointer
  ) {
    guard let nonce = try? ChaChaPoly.Nonce(data: nonce),
      let box = try? ChaChaPoly.seal(Array(text), using: SymmetricKey(data: key), nonce: nonce)
    else { preconditionFailure("A key has 32 bytes, and a nonce 12.") }
    sealed.copyBytes(from: box.ciphertext + box.tag)
  }

  /// Opens a sealed text into ``tagLength`` bytes less; returns `false` for other bytes, another key
  /// or nonce.
  static func open(
    _ sealed: UnsafeRawBufferPointer,
    key: [UInt8],
    nonce: [UInt8],
    into text: UnsafeMutableRawBufferPointer
  ) -> Bool {
    guard let box = try? ChaChaPoly.SealedBox(combined: nonce + sealed),
      let opened = try? ChaChaPoly.open(box, using: SymmetricKey(data: key))
    else { return false }
    text.copyBytes(from: opened)
    return true
  }
}
#else
extension SystemCrypto {
  // These fail only where a policy forbids them, or without memory.
  private static func require(_ isDone: Bool) {
    precondition(isDone, "The system's libcrypto cannot compute what the format of age needs.")
  }

  /// Computes the code of a text by HMAC with SHA-256.
  static func hmac(_ text: [UInt8], key: [UInt8]) -> [UInt8] {
    var code = [UInt8](repeating: 0, count: keyLength)
    require(HMAC(EVP_sha256(), key, Int32(key.count), text, text.count, &code, nil) != nil)
    return code
  }

  /// Computes the public point of a secret, by X25519.
  static func publicPoint(of secret: [UInt8]) -> [UInt8] {
    let key = EVP_PKEY_new_raw_private_key(EVP_PKEY_X25519, nil, secret, secret.count)
    defer { EVP_PKEY_free(key) }
    var (point, count) = ([UInt8](repeating: 0, count: keyLength), keyLength)
    require(EVP_PKEY_get_raw_public_key(key, &point, &count) == 1)
    return point
  }

  private static func x25519(_ secret: [UInt8], _ point: [UInt8]) -> [UInt8]? {
    let key = EVP_PKEY_new_raw_private_key(EVP_PKEY_X25519, nil, secret, secret.count)
    let other = EVP_PKEY_new_raw_public_key(EVP_PKEY_X25519, nil, point, point.count)
    let context = EVP_PKEY_CTX_new(key, nil)
    defer {
      EVP_PKEY_CTX_free(context)
      EVP_PKEY_free(other)
      EVP_PKEY_free(key)
    }
    var (shared, count) = ([UInt8](repeating: 0, count: keyLength), keyLength)
    require(EVP_PKEY_derive_init(context) == 1)
    // Refuses points of low order itself.
    guard EVP_PKEY_derive_set_peer(context, other) == 1,
      EVP_PKEY_derive(context, &shared, &count) == 1
    else { return nil }
    return shared
  }

  /// Seals a text by ChaCha20-Poly1305, into ``tagLength`` bytes more than it has.
  static func seal(
    _ text: UnsafeRawBufferPointer,
    key: [UInt8],
    nonce: [UInt8],
    into sealed: UnsafeMutableRawBufferPointer
  ) {
    let context = EVP_CIPHER_CTX_new()
    defer { EVP_CIPHER_CTX_free(context) }
    let bytes = sealed.assumingMemoryBound(to: UInt8.self)
    let plain = text.assumingMemoryBound(to: UInt8.self)
    let (tag, length) = (bytes.baseAddress.map { $0 + text.count }, Int32(text.count))
    var count = Int32(0)
    require(
      EVP_EncryptInit_ex(context, EVP_chacha20_poly1305(), nil, key, nonce) == 1
        && EVP_EncryptUpdate(context, bytes.baseAddress, &count, plain.baseAddress, length) == 1
        // Has nothing left to write.
        && EVP_EncryptFinal_ex(context, tag, &count) == 1
        && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(tagLength), tag) == 1
    )
  }

  /// Opens a sealed text into ``tagLength`` bytes less; returns `false` for other bytes, another key
  /// or nonce.
  static func open(
    _ sealed: UnsafeRawBufferPointer,
    key: [UInt8],
    nonce: [UInt8],
    into text: UnsafeMutableRawBufferPointer
  ) -> Bool {
    let context = EVP_CIPHER_CTX_new()
    defer { EVP_CIPHER_CTX_free(context) }
    let bytes = text.assumingMemoryBound(to: UInt8.self)
    let cipher = sealed.assumingMemoryBound(to: UInt8.self)
    let length = Int32(text.count)
    var (tag, count) = (Array(sealed.suffix(tagLength)), Int32(0))
    require(
      EVP_DecryptInit_ex(context, EVP_chacha20_poly1305(), nil, key, nonce) == 1
        && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tagLength), &tag) == 1
        && EVP_DecryptUpdate(context, bytes.baseAddress, &count, cipher.baseAddress, length) == 1
    )
    // Compares the tags.
    return EVP_DecryptFinal_ex(context, bytes.baseAddress, &count) == 1
  }
}
#endif
