package import Foundation
internal import SnippetBase

/// A signature of a request to S3: version 4 of AWS, over the hash of the body too.
///
/// https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
package struct RequestSignature {
  private let accessKey: String
  private let secretKey: String
  private let region: String
  /// The time of the request, as `20130524T000000Z`.
  package let time: String

  package init(accessKey: String, secretKey: String, region: String, date: Date) {
    self.accessKey = accessKey
    self.secretKey = secretKey
    self.region = region
    // Of `2013-05-24T00:00:00.000Z`, without the fraction.
    time = date.iso8601Milliseconds.prefix(19).filter { $0 != "-" && $0 != ":" } + "Z"
  }

  /// Returns the header `authorization`.
  ///
  /// - Parameters:
  ///   - method: The method of HTTP.
  ///   - path: The path, encoded.
  ///   - query: The query, encoded and sorted.
  ///   - headers: The headers to sign, by their names in lower case.
  ///   - bodyHash: The SHA-256 of the body in hexadecimal digits.
  /// - Returns: The value of the header.
  package func authorization(
    _ method: String,
    path: String,
    query: String,
    headers: [String: String],
    bodyHash: String
  ) -> String {
    let sorted = headers.sorted { $0.key < $1.key }
    let names = sorted.map(\.key).joined(separator: ";")
    let lines = sorted.map { "\($0.key):\($0.value)\n" }.joined()
    let request = [method, path, query, lines, names, bodyHash].joined(separator: "\n")
    let day = String(time.prefix(8))
    let scope = "\(day)/\(region)/s3/aws4_request"
    let text =
      "AWS4-HMAC-SHA256\n\(time)\n\(scope)\n" + ContentHash.of(Data(request.utf8)).hexadecimal
    var key = Array("AWS4\(secretKey)".utf8)
    for part in [day, region, "s3", "aws4_request", text] {
      key = SystemCrypto.hmac(Array(part.utf8), key: key)
    }
    return "AWS4-HMAC-SHA256 Credential=\(accessKey)/\(scope), SignedHeaders=\(names), "
      + "Signature=\(Data(key).hexadecimal)"
  }

  /// Encodes a part of a path or a query as the signature wants it: all but letters, digits and
  /// four marks.
  package static func encode(_ text: String, keepsSlashes: Bool = false) -> String {
    var encoded = ""
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        encoded.unicodeScalars.append(Unicode.Scalar(byte))
      case UInt8(ascii: "/") where keepsSlashes: encoded += "/"
      default: encoded += "%" + Data([byte]).hexadecimal.uppercased()
      }
    }
    return encoded
  }
}
