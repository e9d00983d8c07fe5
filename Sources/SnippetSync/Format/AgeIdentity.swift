import Foundation

/// A key that opens age files, as `age-keygen` makes it.
struct AgeIdentity: Hashable, Sendable {
  private static let prefix = "age-secret-key-"

  /// The secret of X25519.
  let secret: [UInt8]

  /// Makes a new one.
  init() {
    secret = SystemCrypto.randomBytes(SystemCrypto.keyLength)
  }

  /// Reads a key from the text of a key file, or as it was typed.
  ///
  /// Spaces around it, empty lines and lines that begin with `#` do not matter.
  init(_ text: String) throws(SyncError) {
    let lines = text.split(whereSeparator: \.isNewline)
      .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty && $0.first != "#" }
    guard let line = lines.first, lines.count == 1 else {
      throw Self.refused("it has \(lines.count) lines with a key, not one")
    }
    guard line.lowercased().hasPrefix(Self.prefix + "1") else {
      throw Self.refused("it does not begin with AGE-SECRET-KEY-1")
    }
    guard let secret = Bech32.decode(line, prefix: Self.prefix),
      secret.count == SystemCrypto.keyLength
    else { throw Self.refused("letters of it are wrong or missing") }
    self.secret = secret
  }

  /// The text of the key: `AGE-SECRET-KEY-1` and 58 letters and digits.
  var text: String { Bech32.encode(secret, prefix: Self.prefix).uppercased() }

  /// The other half of the key, which only seals.
  var recipient: AgeRecipient { AgeRecipient(point: SystemCrypto.publicPoint(of: secret)) }

  private static func refused(_ reason: String) -> SyncError {
    SyncError(
      .invalidInput,
      "read the key",
      because: reason,
      do: "Copy the line AGE-SECRET-KEY-1… whole, as it was shown when the repository was made."
    )
    .about(.key)
  }
}

/// The half of an identity that seals age files, and cannot open them.
struct AgeRecipient: Hashable, Sendable {
  /// The point of X25519.
  let point: [UInt8]

  /// The text as `age --recipient` takes it: `age1` and 58 letters and digits.
  var text: String { Bech32.encode(point, prefix: "age") }
}
