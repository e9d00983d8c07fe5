internal import Foundation

/// A page of the keys in a bucket.
struct BucketListing {
  private(set) var objects: [ObjectMark] = []
  /// The beginning of the next page; `nil` after the last.
  private(set) var next: String?

  /// Reads the answer to a `ListObjectsV2`.
  ///
  /// - Throws: ``SmallXML/Malformed`` for anything else.
  init(_ bytes: Data) throws {
    var (key, byteCount, tag): (String?, Int64?, String) = (nil, nil, "")
    var found: [(key: String, byteCount: Int64, tag: String)] = []
    var (isEncoded, isTruncated, isListing) = (false, false, false)
    var token: String?
    try SmallXML.read(bytes) { path, text in
      switch path.dropFirst() {
      case []: isListing = path == ["ListBucketResult"]
      case ["EncodingType"]: isEncoded = text == "url"
      case ["IsTruncated"]: isTruncated = text == "true"
      case ["NextContinuationToken"]: token = text
      case ["Contents", "Key"]: key = text
      case ["Contents", "Size"]: byteCount = Int64(text)
      case ["Contents", "ETag"]: tag = text.trimmingCharacters(in: ["\""])
      case ["Contents"]:
        guard let foundKey = key, let size = byteCount, size >= 0 else {
          throw SmallXML.Malformed()
        }
        found.append((foundKey, size, tag))
        (key, byteCount, tag) = (nil, nil, "")
      default: break
      }
    }
    guard isListing else { throw SmallXML.Malformed() }
    for object in found {
      var name = object.key
      if isEncoded {
        let spaced = name.replacingOccurrences(of: "+", with: " ")
        guard let decoded = spaced.removingPercentEncoding else { throw SmallXML.Malformed() }
        name = decoded
      }
      objects.append(ObjectMark(name: name, byteCount: object.byteCount, tag: object.tag))
    }
    guard isTruncated else { return }
    guard let token else { throw SmallXML.Malformed() }
    next = token
  }
}

/// The code and the words with which S3 refuses a request.
struct BucketRefusal {
  private(set) var code = ""
  private(set) var message = ""
  private(set) var region: String?

  /// Reads an answer; without any words if it is none of S3.
  init(_ response: HTTPResponse) {
    region = response.headers["x-amz-bucket-region"]
    var (code, message, region) = ("", "", region)
    // A proxy may answer with anything.
    try? SmallXML.read(response.body) { path, text in
      switch path {
      case ["Error", "Code"]: code = text
      case ["Error", "Message"]: message = text
      case ["Error", "Region"]: region = text
      default: break
      }
    }
    (self.code, self.message, self.region) = (code, message, region)
  }
}
