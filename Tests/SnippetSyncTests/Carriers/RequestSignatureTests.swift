import Foundation
@testable import SnippetSync
import Testing

/// The examples of AWS, and those of the standard for HMAC.
///
/// https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
struct RequestSignatureTests {
  private let signature = RequestSignature(
    accessKey: "AKIAIOSFODNN7EXAMPLE",
    secretKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    region: "us-east-1",
    // 24 May 2013, midnight.
    date: Date(timeIntervalSince1970: 1_369_353_600)
  )
  private static let emptyHash = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

  private func sign(
    _ method: String,
    _ path: String,
    query: String = "",
    bodyHash: String = emptyHash,
    _ headers: [String: String] = [:]
  ) -> String {
    let own = [
      "host": "examplebucket.s3.amazonaws.com", "x-amz-content-sha256": bodyHash,
      "x-amz-date": signature.time,
    ]
    return signature.authorization(
      method,
      path: path,
      query: query,
      headers: headers.merging(own) { $1 },
      bodyHash: bodyHash
    )
  }

  @Test func `a read of an object is signed as in the example`() {
    #expect(signature.time == "20130524T000000Z")
    #expect(
      sign("GET", "/test.txt", ["range": "bytes=0-9"])
        == "AWS4-HMAC-SHA256 "
        + "Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, "
        + "SignedHeaders=host;range;x-amz-content-sha256;x-amz-date, "
        + "Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41"
    )
  }

  @Test func `a write of an object is signed as in the example`() {
    let path = "/" + RequestSignature.encode("test$file.text", keepsSlashes: true)
    let authorization = sign(
      "PUT",
      path,
      bodyHash: "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072",
      ["date": "Fri, 24 May 2013 00:00:00 GMT", "x-amz-storage-class": "REDUCED_REDUNDANCY"]
    )
    #expect(
      authorization.hasSuffix(
        "Signature=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd"
      )
    )
  }

  @Test func `a query is signed as in the examples`() {
    #expect(
      sign("GET", "/", query: "lifecycle=").hasSuffix(
        "Signature=fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"
      )
    )
    #expect(
      sign("GET", "/", query: "max-keys=2&prefix=J").hasSuffix(
        "Signature=34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"
      )
    )
  }

  @Test func `all but letters, digits and four marks is encoded`() {
    #expect(RequestSignature.encode("aZ09-._~") == "aZ09-._~")
    #expect(RequestSignature.encode("a b/ü+=") == "a%20b%2F%C3%BC%2B%3D")
    #expect(RequestSignature.encode("a/b c", keepsSlashes: true) == "a/b%20c")
  }

  // RFC 4231, the cases that differ in the length of the key.
  @Test(
    arguments: [
      (
        Data(repeating: 0x0B, count: 20), "Hi There",
        "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
      ),
      (
        Data("Jefe".utf8), "what do ya want for nothing?",
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
      ),
      (
        Data(repeating: 0xAA, count: 131), "Test Using Larger Than Block-Size Key - Hash Key First",
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
      ),
    ]
  )
  func `an HMAC is that of the standard`(_ key: Data, _ text: String, _ expected: String) {
    #expect(SystemCrypto.hmac(Array(text.utf8), key: Array(key)) == bytes(expected))
  }

  private func bytes(_ hexadecimal: String) -> [UInt8] {
    let digits = Array(hexadecimal)
    return stride(from: 0, to: digits.count, by: 2).compactMap {
      UInt8(String(digits[$0...($0 + 1)]), radix: 16)
    }
  }
}
