import Foundation

/// Files of the format *age*, version 1: sealed for a key, and opened whole or not at all.
///
/// The program `age` opens them too. The format is described at <https://c2sp.org/age>.
enum AgeFile {
  /// The length of the key of one file.
  static let keyLength = 16
  private static let nonceLength = 16
  private static let chunkLength = 64 << 10

  /// The length of what precedes the chunks of a file for one recipient: header and nonce.
  private static let leastStart = 168 + nonceLength

  /// Computes the least length of the file of some bytes; more recipients make it longer.
  static func leastLength(ofContent byteCount: Int) -> Int64 {
    let chunkCount = max(1, (byteCount + chunkLength - 1) / chunkLength)
    return Int64(leastStart + byteCount + chunkCount * SystemCrypto.tagLength)
  }

  /// Seals bytes so that only the identity of a recipient opens them.
  static func seal(_ bytes: Data, to recipient: AgeRecipient) -> Data {
    let fileKey = SystemCrypto.randomBytes(keyLength)
    let header = AgeHeader.text(sealedKey(fileKey, to: recipient)) { text in
      SystemCrypto.hmac(text, key: SystemCrypto.hkdf(fileKey, salt: [], info: "header"))
    }
    let nonce = SystemCrypto.randomBytes(nonceLength)
    let payloadKey = SystemCrypto.hkdf(fileKey, salt: nonce, info: "payload")
    let start = header + nonce
    // Without bytes there is one chunk still, which proves that there are none.
    let chunks = pieces(of: bytes.count, by: chunkLength)
    let count = start.count + bytes.count + chunks.count * SystemCrypto.tagLength
    // All of it is written below, and `Data` would fill it with zeros first.
    let file = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
    file.copyBytes(from: start)
    bytes.withUnsafeBytes { bytes in
      for (number, chunk) in chunks.enumerated() {
        let place = start.count + chunk.lowerBound + number * SystemCrypto.tagLength
        let sealed = file[place..<(place + chunk.count + SystemCrypto.tagLength)]
        SystemCrypto.seal(
          UnsafeRawBufferPointer(rebasing: bytes[chunk]),
          key: payloadKey,
          nonce: chunkNonce(number, isLast: number == chunks.count - 1),
          into: UnsafeMutableRawBufferPointer(rebasing: sealed)
        )
      }
    }
    return Data(
      bytesNoCopy: file.baseAddress.unsafelyUnwrapped,
      count: count,
      deallocator: .custom { bytes, _ in bytes.deallocate() }
    )
  }

  /// Divides a length, into one piece at least.
  private static func pieces(of count: Int, by length: Int) -> [Range<Int>] {
    stride(from: 0, to: max(1, count), by: length).map { $0..<min($0 + length, count) }
  }

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - identity: The key.
  ///   - name: The name of the file, for the error.
  /// - Returns: The bytes that were sealed.
  /// - Throws: ``SyncError/Code/wrongKey`` if the file was sealed for other keys. The same holds if
  ///   precisely the sealed key in it is damaged. Any other damage is ``SyncError/Code/damaged``.
  static func open(
    _ file: Data,
    with identity: AgeIdentity,
    name: String
  ) throws(SyncError) -> Data {
    guard let header = AgeHeader(of: file) else {
      throw .damaged(name, because: "it does not begin as a file of age, version 1, does")
    }
    let fileKey = try fileKey(header, identity, name)
    let headerKey = SystemCrypto.hkdf(fileKey, salt: [], info: "header")
    guard SystemCrypto.areEqual(SystemCrypto.hmac(Array(header.text), key: headerKey), header.code)
    else { throw .damaged(name, because: "its header was altered") }
    let nonce = Array(header.payload.prefix(nonceLength))
    let payloadKey = SystemCrypto.hkdf(fileKey, salt: nonce, info: "payload")
    guard let bytes = opened(header.payload.dropFirst(nonceLength), with: payloadKey) else {
      throw .damaged(name, because: "it is cut off or was altered")
    }
    return bytes
  }

  /// Opens the chunks of a file; `nil` if they are not those that were sealed.
  private static func opened(_ payload: Data, with key: [UInt8]) -> Data? {
    let chunks = pieces(of: payload.count, by: chunkLength + SystemCrypto.tagLength)
    // An empty chunk is no end of another one: each file has one form only.
    guard let last = chunks.last,
      last.count >= SystemCrypto.tagLength + (chunks.count > 1 ? 1 : 0)
    else { return nil }
    var bytes = Data(count: payload.count - chunks.count * SystemCrypto.tagLength)
    let isOpen = bytes.withUnsafeMutableBytes { bytes in
      payload.withUnsafeBytes { payload in
        chunks.enumerated().allSatisfy { number, chunk in
          let place = chunk.lowerBound - number * SystemCrypto.tagLength
          let opened = bytes[place..<(place + chunk.count - SystemCrypto.tagLength)]
          return SystemCrypto.open(
            UnsafeRawBufferPointer(rebasing: payload[chunk]),
            key: key,
            nonce: chunkNonce(number, isLast: number == chunks.count - 1),
            into: UnsafeMutableRawBufferPointer(rebasing: opened)
          )
        }
      }
    }
    return isOpen ? bytes : nil
  }

  /// Finds the key of a file.
  private static func fileKey(
    _ header: AgeHeader,
    _ identity: AgeIdentity,
    _ name: String
  ) throws(SyncError) -> [UInt8] {
    let recipient = identity.recipient
    for key in header.keys {
      guard let shared = SystemCrypto.sharedSecret(of: identity.secret, with: key.share) else {
        throw .damaged(name, because: "its header has a key that is none")
      }
      let wrapKey = wrapKey(shared, key.share, recipient)
      if let fileKey = SystemCrypto.open(key.body, key: wrapKey, nonce: wrapNonce) {
        return fileKey
      }
    }
    throw SyncError(
      .wrongKey,
      "read \(name)",
      because: header.isForPassphrase
        ? "it is sealed with a passphrase" : "it is sealed for another key",
      do: "Use the key that was made with this repository."
    )
  }

  /// Seals the key of a file with a new pair of keys, which is forgotten.
  private static func sealedKey(
    _ fileKey: [UInt8],
    to recipient: AgeRecipient
  ) -> AgeHeader.SealedKey {
    let secret = SystemCrypto.randomBytes(SystemCrypto.keyLength)
    let share = SystemCrypto.publicPoint(of: secret)
    guard let shared = SystemCrypto.sharedSecret(of: secret, with: recipient.point) else {
      preconditionFailure("The point of an identity is never of low order.")
    }
    let wrapKey = wrapKey(shared, share, recipient)
    return AgeHeader.SealedKey(
      share: share,
      body: SystemCrypto.seal(fileKey, key: wrapKey, nonce: wrapNonce)
    )
  }

  private static func wrapKey(
    _ shared: [UInt8],
    _ share: [UInt8],
    _ recipient: AgeRecipient
  ) -> [UInt8] {
    let info = "age-encryption.org/v1/X25519"
    return SystemCrypto.hkdf(shared, salt: share + recipient.point, info: info)
  }

  /// The nonce of a sealed key, which may be fixed because each such key is used once.
  private static let wrapNonce = [UInt8](repeating: 0, count: 12)

  /// The nonce of a chunk: its number in 11 bytes, and whether it is the last.
  private static func chunkNonce(_ number: Int, isLast: Bool) -> [UInt8] {
    withUnsafeBytes(of: UInt64(number).bigEndian) { [0, 0, 0] + $0 + [isLast ? 1 : 0] }
  }
}

extension SyncError {
  /// Makes the error of an object that is not whole, or not what its name says.
  static func damaged(_ name: String, because reason: String) -> SyncError {
    SyncError(
      .damaged,
      "read \(name)",
      because: reason,
      do: "It may be still arriving: synchronize again later. If that does not help, restore it "
        + "from a copy of the repository."
    )
  }
}
