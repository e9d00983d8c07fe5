import Foundation
import SnippetBase

/// The key of a repository: seals and opens its objects, and names its blobs.
struct RepositoryKey: Sendable {
  /// The most bytes that an object has before it is sealed: 8 MiB.
  static let contentLimit = 8 << 20
  /// The most bytes of a sealed object.
  ///
  /// A header and a tag for each 64 KiB come on top of the content, some 2 KiB in all.
  static let objectLimit = contentLimit + 64 << 10

  /// The identity that was made with the repository.
  let identity: AgeIdentity
  private let recipient: AgeRecipient
  private let namesKey: [UInt8]
  private let codesKey: [UInt8]

  /// Makes a key of an identity, from which its subkeys follow.
  init(_ identity: AgeIdentity) {
    self.identity = identity
    recipient = identity.recipient
    namesKey = SystemCrypto.hkdf(identity.secret, salt: [], info: "snippets/v1/names")
    codesKey = SystemCrypto.hkdf(identity.secret, salt: [], info: "snippets/v1/codes")
  }

  /// Seals the content of an object: the bytes of a part of a blob, or compressed lines.
  func seal(_ content: Data, as name: ObjectName) throws(SyncError) -> Data {
    guard content.count <= Self.contentLimit else {
      throw SyncError(
        .invalidInput,
        "write \(name.rawValue)",
        because: "it has \(content.count) bytes, and an object at most \(Self.contentLimit)",
        do: "Divide it."
      )
    }
    return AgeFile.seal(content, to: recipient)
  }

  /// Opens an object.
  ///
  /// Nothing binds the bytes of a part of a blob to its name: compare the blob with its hash.
  func open(_ object: Data, named name: ObjectName) throws(SyncError) -> Data {
    guard object.count <= Self.objectLimit else {
      throw .damaged(name.rawValue, because: "it is larger than any object")
    }
    return try AgeFile.open(object, with: identity, name: name.rawValue)
  }

  /// Computes a code of bytes that only a holder of the key can compute.
  func code(of bytes: Data) -> Data {
    Data(SystemCrypto.hmac(Array(bytes), key: codesKey))
  }

  /// Returns the name of a part of a blob.
  ///
  /// It tells which blobs are equal only to holders of the key.
  func blobName(sha256: Data, generation: Int64, part: Int64) -> ObjectName {
    .blob(id: id(sha256), generation: generation, part: part)
  }

  private func id(_ bytes: Data) -> String {
    let code = SystemCrypto.hmac(Array(bytes), key: namesKey)
    return Data(code.prefix(ObjectName.idLength)).hexadecimal
  }
}
