import Foundation
import SnippetTestSupport
import Testing

@testable import SnippetSync

/// Keys and files that the tests of the format share.
enum FormatFixture {
  /// A key that `age-keygen` made.
  static let identityText =
    "AGE-SECRET-KEY-1FYFJUETL86RP3JG34A0PMZYA62LYAQEF2PLLP6UN00WQHQJ8N0CSVY9T97"
  static let recipientText = "age1h4j5gshakncmgsnyxgzs4ztlnnxksdutjjt8yjjrrjr673rzl48sxjt7hk"
  /// “Milk” and a line end, sealed by `age` for that key.
  static var milk: Data {
    get throws {
      let letters = """
        YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IFgyNTUxOSArNllsbVQ1cEM0WEM5UVFwTmMzU0pOK2F2Q2x5akU1c255b1\
        kva0RDVVFnCmd1SWswLzVJRXQrZSs5Y3k4VDlHWVc1bDZWUVY5aWZJL3VZdEN6NHh1QTQKLS0tIGhaSE9jdUM2aHk2\
        MVRNaVVLQU0zQUV3aGdPUC9pd0UzSXpCNXJTUzBydUEKBiwk5CVw6YBWy5DXBWsrHmUv1oGSJnayFt5DPsfsTQ+K2V\
        h7eg==
        """
      return try #require(Data(base64Encoded: letters))
    }
  }

  static var identity: AgeIdentity { get throws { try AgeIdentity(identityText) } }
  static var key: RepositoryKey { get throws { RepositoryKey(try identity) } }

  /// Bytes that do not repeat themselves, the same for a size in each run.
  static func bytes(_ count: Int) -> Data {
    var generator = SeededGenerator(seed: UInt64(count))
    return Data((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
  }

  /// Reads hexadecimal digits.
  static func bytes(_ digits: String) -> [UInt8] {
    let digits = Array(digits)
    return stride(from: 0, to: digits.count, by: 2).compactMap {
      UInt8(String(digits[$0...$0 + 1]), radix: 16)
    }
  }

  static func device(_ digit: Character) -> DeviceID {
    DeviceID(rawValue: String(repeating: digit, count: 32)) ?? DeviceID()
  }

  /// Whether a program can be run by its name.
  static func has(_ program: String) -> Bool {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
      .contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
  }
}

/// An age file written by hand, each part as a test wants it.
struct HandMadeAge {
  var version = "age-encryption.org/v1"
  /// The recipients, each with its lines; `own` is the good one.
  var stanzas: [String]
  var chunks: [[UInt8]] = [Array("Milk\n".utf8)]
  /// The number of the chunk that is sealed as the last.
  var lastChunk: Int?
  var separator = "--- "
  var behindCode = "\n"

  static let fileKey = [UInt8](repeating: 7, count: 16)

  /// A recipient of the fixed key.
  static func own(
    fileKey: [UInt8] = fileKey,
    words: String = "",
    respell: (String) -> String = { $0 }
  ) throws -> String {
    let secret = [UInt8](repeating: 9, count: 32)
    let share = SystemCrypto.publicPoint(of: secret)
    let point = try FormatFixture.identity.recipient.point
    let shared = try #require(SystemCrypto.sharedSecret(of: secret, with: point))
    let info = "age-encryption.org/v1/X25519"
    let wrapKey = SystemCrypto.hkdf(shared, salt: share + point, info: info)
    let nonce = [UInt8](repeating: 0, count: 12)
    let body = SystemCrypto.seal(fileKey, key: wrapKey, nonce: nonce)
    return "-> X25519 \(respell(letters(share)))\(words)\n\(letters(body))\n"
  }

  static func letters(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString().replacingOccurrences(of: "=", with: "")
  }

  var file: Data {
    let text = "\(version)\n\(stanzas.joined())---"
    let headerKey = SystemCrypto.hkdf(Self.fileKey, salt: [], info: "header")
    let code = Self.letters(SystemCrypto.hmac(Array(text.utf8), key: headerKey))
    let nonce = [UInt8](repeating: 5, count: 16)
    let payloadKey = SystemCrypto.hkdf(Self.fileKey, salt: nonce, info: "payload")
    let payload = chunks.enumerated().map { number, chunk in
      let isLast: UInt8 = number == lastChunk ?? chunks.count - 1 ? 1 : 0
      let nonce = [UInt8](repeating: 0, count: 10) + [UInt8(number), isLast]
      return SystemCrypto.seal(chunk, key: payloadKey, nonce: nonce)
    }
    return Data("\(text.dropLast(3))\(separator)\(code)\(behindCode)".utf8) + nonce
      + payload.joined()
  }
}

/// Returns the error that `body` throws; `nil` for none, or for one of another type.
func syncError(of body: () throws -> some Any) -> SyncError? {
  do {
    _ = try body()
    return nil
  } catch {
    return error as? SyncError
  }
}
