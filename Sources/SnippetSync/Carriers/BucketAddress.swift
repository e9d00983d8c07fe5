internal import Foundation

/// The bucket of a ``BucketCarrier``, and the servers by which it is reached.
struct BucketAddress: Sendable {
  /// A server.
  struct Endpoint: Sendable {
    let scheme: String
    /// The host, with the port unless that is the usual one; as in the header `host`.
    let host: String
    /// The path before that of the bucket, encoded; mostly empty.
    let path: String
  }

  let bucket: String
  /// The beginning of the keys, which is empty or ends with a slash.
  let prefix: String
  /// At least one.
  let endpoints: [Endpoint]
  let region: String

  /// Checks the parts of an address, and adds what is left out.
  init(
    bucket: String,
    prefix: String,
    endpoints: [URL],
    region: String?,
    usesVirtualHosts: Bool?
  ) throws(SyncError) {
    self.bucket = bucket
    self.region = region ?? "us-east-1"
    guard bucket.allSatisfy(Self.isOfName), bucket.first?.isPunctuation == false else {
      throw Self.wrong("'\(bucket)' is no name of a bucket")
    }
    guard self.region.allSatisfy(Self.isOfName), !self.region.isEmpty else {
      throw Self.wrong("'\(self.region)' is no region")
    }
    let parts = prefix.split(separator: "/")
    guard parts.allSatisfy({ $0 != "." && $0 != ".." }),
      prefix.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
    else {
      throw Self.wrong("'\(prefix)' is no beginning of keys in a bucket")
    }
    self.prefix = parts.map { "\($0)/" }.joined()
    // A certificate for all buckets holds for one more part of the name only.
    let isVirtual = usesVirtualHosts ?? (endpoints.isEmpty && !bucket.contains("."))
    let suffix = self.region.hasPrefix("cn-") ? "amazonaws.com.cn" : "amazonaws.com"
    var urls = endpoints
    if urls.isEmpty, let url = URL(string: "https://s3.\(self.region).\(suffix)") { urls = [url] }
    var found: [Endpoint] = []
    for url in urls { found.append(try Self.endpoint(at: url, of: bucket, isVirtual: isVirtual)) }
    self.endpoints = found
  }

  /// Splits `s3://bucket/prefix`.
  static func split(_ address: String) throws(SyncError) -> (bucket: String, prefix: String) {
    guard address.hasPrefix("s3://") else { throw wrong("'\(address)' is not s3://BUCKET/PREFIX") }
    let parts = address.dropFirst(5).split(
      separator: "/",
      maxSplits: 1,
      omittingEmptySubsequences: false
    )
    return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
  }

  private static func endpoint(
    at url: URL,
    of bucket: String,
    isVirtual: Bool
  ) throws(SyncError) -> Endpoint {
    guard let parts = URLComponents(url: url, resolvingAgainstBaseURL: true),
      let scheme = parts.scheme?.lowercased(), scheme == "http" || scheme == "https",
      let name = parts.encodedHost, !name.isEmpty,
      parts.user == nil, parts.query == nil, parts.fragment == nil
    else {
      throw wrong("'\(url.absoluteString)' is no endpoint", "Give one as https://HOST:PORT.")
    }
    let port = parts.port.flatMap { $0 == (scheme == "http" ? 80 : 443) ? nil : ":\($0)" } ?? ""
    let host = (isVirtual ? "\(bucket)." : "") + name + port
    let path = parts.percentEncodedPath.split(separator: "/").map { "/\($0)" }.joined()
    return Endpoint(scheme: scheme, host: host, path: path + (isVirtual ? "" : "/\(bucket)"))
  }

  private static func isOfName(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber || "-._".contains(character))
  }

  private static func wrong(_ reason: String, _ advice: String? = nil) -> SyncError {
    SyncError(.invalidInput, "use the bucket", because: reason, do: advice)
  }
}
