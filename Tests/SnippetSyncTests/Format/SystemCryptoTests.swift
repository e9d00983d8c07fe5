import Foundation
import SnippetBase
import Testing

@testable import SnippetSync

/// Holds the primitives to the vectors of the documents that define them.
struct SystemCryptoTests {
  /// RFC 7748, section 6.1.
  @Test func `two sides compute one secret`() {
    let one = hex("77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a")
    let other = hex("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb")
    let points = [one, other].map(SystemCrypto.publicPoint(of:))

    let shared = hex("4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742")
    #expect(points[0] == hex("8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a"))
    #expect(points[1] == hex("de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f"))
    #expect(SystemCrypto.sharedSecret(of: one, with: points[1]) == shared)
    #expect(SystemCrypto.sharedSecret(of: other, with: points[0]) == shared)
  }

  @Test(arguments: lowOrderPoints) func `a point of low order shares nothing`(point: String) {
    let secret = [UInt8](repeating: 9, count: 32)

    #expect(SystemCrypto.sharedSecret(of: secret, with: hex(point)) == nil)
  }

  /// RFC 4231, section 4.3.
  @Test func `the code of a text is that of HMAC`() {
    let code = SystemCrypto.hmac(
      Array("what do ya want for nothing?".utf8),
      key: Array("Jefe".utf8)
    )

    #expect(code == hex("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"))
  }

  /// RFC 5869, section A.3.
  @Test func `a key is the first block of HKDF`() {
    let key = SystemCrypto.hkdf([UInt8](repeating: 0x0b, count: 22), salt: [], info: "")

    #expect(key == hex("8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d"))
  }

  /// RFC 8439, section 2.8.2, without data beside the text, which only the tag depends on.
  @Test func `a text is sealed by ChaCha20-Poly1305`() {
    let (key, nonce) = (Array(UInt8(0x80)...0x9f), hex("070000004041424344454647"))
    let text = Array(
      """
      Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, \
      sunscreen would be it.
      """.utf8
    )
    let sealed = hex(
      """
      d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d63dbea45e8ca9671282fafb69da92\
      728b1a71de0a9e060b2905d6a5b67ecd3b3692ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b\
      4831d7bc3ff4def08e4b7a9de576d26586cec64b61166a23a4681fd59456aea1d29f82477216
      """
    )

    #expect(SystemCrypto.seal(text, key: key, nonce: nonce) == sealed)
    #expect(SystemCrypto.open(sealed, key: key, nonce: nonce) == text)
    #expect(
      SystemCrypto.seal([], key: key, nonce: nonce) == hex("a0784d7a4716f3feb4f64e7f4b39bf04")
    )
    #expect(SystemCrypto.open(Array(sealed.dropLast()), key: key, nonce: nonce) == nil)
    #expect(SystemCrypto.open(Array(sealed.prefix(15)), key: key, nonce: nonce) == nil)
    #expect(SystemCrypto.open([], key: key, nonce: nonce) == nil)
  }

  @Test func `random bytes differ each time`() {
    #expect(SystemCrypto.randomBytes(16).count == 16)
    #expect(SystemCrypto.randomBytes(16) != SystemCrypto.randomBytes(16))
  }

  @Test func `codes are equal if all their bytes are`() {
    #expect(SystemCrypto.areEqual([1, 2], [1, 2]))
    #expect(!SystemCrypto.areEqual([1, 2], [1, 3]))
    #expect(!SystemCrypto.areEqual([1, 2], [1]))
  }

  private static let lowOrderPoints = [
    String(repeating: "00", count: 32),
    "01" + String(repeating: "00", count: 31),
    "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
    "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
    "ec" + String(repeating: "ff", count: 30) + "7f",
    "ed" + String(repeating: "ff", count: 30) + "7f",
    "ee" + String(repeating: "ff", count: 30) + "7f",
  ]

  private func hex(_ digits: String) -> [UInt8] { FormatFixture.bytes(digits) }
}
