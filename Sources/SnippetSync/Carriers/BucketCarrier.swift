public import Foundation

/// A bucket of any engine of S3 as the place where devices meet.
///
/// Several endpoints are gateways of one cluster: if one cannot be reached, or lacks an object, the next
/// is asked, and the one that answered last comes first the next time. Answers like “slow down”, connections that
/// break, and servers that fall silent for 30 seconds are tried again up to five times, over some
/// 8 seconds. Redirects are not followed.
///
/// On Linux, the libcurl of the system makes the requests, and reads the variables `https_proxy`,
/// `http_proxy` and `no_proxy`. On Apple platforms, `URLSession` does.
///
/// Every call throws ``SyncError/Code/unreachable`` if no server answers or none has time, and only
/// then a retry can help; ``SyncError/Code/accessDenied`` if the keys are refused or the clock of
/// this device is wrong; ``SyncError/Code/noRepository`` if there is no such bucket;
/// ``SyncError/Code/cancelled`` if the task was cancelled, up to a second after that.
public struct BucketCarrier: SyncCarrier {
  /// Four: a server takes longer to answer than to store an object.
  public var transferLimit: Int { 4 }

  private let requests: BucketRequests

  /// Uses the objects of a bucket whose keys begin with a prefix.
  ///
  /// Nothing is sent yet.
  ///
  /// - Parameters:
  ///   - bucket: The name of the bucket.
  ///   - prefix: The beginning of all keys; the whole bucket by default.
  ///   - endpoints: The servers, as `https://host:port`; by default those of AWS in the region.
  ///   - region: The region; by default the one that belongs to the keys, or else `us-east-1`, which
  ///     most engines take for their own.
  ///   - usesVirtualHosts: Whether the bucket is a part of the server's name instead of the path. By
  ///     default it is only for AWS, unless its name has dots.
  ///   - credentials: The keys.
  /// - Throws: ``SyncError/Code/invalidInput`` for a name, a prefix, a region or an endpoint that
  ///   cannot be one.
  public init(
    bucket: String,
    prefix: String = "",
    endpoints: [URL] = [],
    region: String? = nil,
    usesVirtualHosts: Bool? = nil,
    credentials: BucketCredentials
  ) throws(SyncError) {
    try self.init(
      bucket: bucket,
      prefix: prefix,
      endpoints: endpoints,
      region: region,
      usesVirtualHosts: usesVirtualHosts,
      credentials: credentials,
      transfer: SystemTransfer(),
      timing: BucketTiming()
    )
  }

  /// Uses the objects below an address.
  ///
  /// Nothing is sent yet.
  ///
  /// - Parameters:
  ///   - address: The bucket and the beginning of all keys, as `s3://bucket/prefix`.
  ///   - endpoints: The servers, as `https://host:port`; by default those of AWS in the region.
  ///   - region: The region; by default the one that belongs to the keys, or else `us-east-1`.
  ///   - usesVirtualHosts: Whether the bucket is a part of the server's name instead of the path. By
  ///     default it is only for AWS, unless its name has dots.
  ///   - credentials: The keys.
  /// - Throws: ``SyncError/Code/invalidInput`` for an address, a region or an endpoint that cannot
  ///   be one.
  public init(
    address: String,
    endpoints: [URL] = [],
    region: String? = nil,
    usesVirtualHosts: Bool? = nil,
    credentials: BucketCredentials
  ) throws(SyncError) {
    let (bucket, prefix) = try BucketAddress.split(address)
    try self.init(
      bucket: bucket,
      prefix: prefix,
      endpoints: endpoints,
      region: region,
      usesVirtualHosts: usesVirtualHosts,
      credentials: credentials
    )
  }

  /// Uses a bucket over a transfer and with a clock of a test.
  package init(
    bucket: String,
    prefix: String = "",
    endpoints: [URL] = [],
    region: String? = nil,
    usesVirtualHosts: Bool? = nil,
    credentials: BucketCredentials,
    transfer: any HTTPTransfer,
    timing: BucketTiming
  ) throws(SyncError) {
    let address = try BucketAddress(
      bucket: bucket,
      prefix: prefix,
      endpoints: endpoints,
      region: region ?? credentials.region,
      usesVirtualHosts: usesVirtualHosts
    )
    requests = BucketRequests(address, credentials, transfer, timing)
  }

  /// Lists the objects whose names begin with a prefix, in any order.
  ///
  /// Needs a request for each 1,000 objects.
  ///
  /// - Parameter prefix: The beginning of the names, which is empty or ends with `/`.
  /// - Returns: The objects; none if there is nothing with that prefix.
  /// - Throws: The errors that all calls throw.
  public func list(_ prefix: String) async throws(SyncError) -> [ObjectMark] {
    let operation = prefix.isEmpty ? "list the objects" : "list \(prefix)"
    try ObjectRules.check(prefix: prefix, to: operation)
    let place = requests.address.prefix
    var marks: [ObjectMark] = []
    var query = ["list-type": "2", "encoding-type": "url", "prefix": place + prefix]
    while true {
      // A page has at most 1,000 keys of at most 1,024 bytes, each encoded.
      let request = BucketRequest(method: "GET", query: query, byteLimit: 8 << 20)
      let answer = try await requests.send(request, to: operation)
      guard answer.response.status == 200 else {
        guard answer.response.status == 404 else { throw answer.error }
        throw answer.errors.noBucket()
      }
      guard let page = try? BucketListing(answer.response.body) else {
        throw answer.errors.notOfS3()
      }
      for object in page.objects where object.name.hasPrefix(place + prefix) {
        let name = String(object.name.dropFirst(place.count))
        guard ObjectRules.allow(name) else { continue }
        marks.append(ObjectMark(name: name, byteCount: object.byteCount, tag: object.tag))
      }
      guard let next = page.next else { return marks }
      // It would never end.
      guard next != query["continuation-token"] else { throw answer.errors.notOfS3() }
      query["continuation-token"] = next
    }
  }

  /// Reads an object; `nil` if there is none.
  ///
  /// The bytes are whole: an answer that is cut off is asked for again.
  ///
  /// - Parameter name: The name.
  /// - Returns: The bytes.
  /// - Throws: The errors that all calls throw; ``SyncError/Code/damaged`` if there are more bytes
  ///   than an object can have.
  public func read(_ name: String) async throws(SyncError) -> Data? {
    try await read(name, to: "read \(name)")
  }

  private func read(_ name: String, to operation: String) async throws(SyncError) -> Data? {
    try ObjectRules.check(name, to: operation)
    var request = BucketRequest(method: "GET", name: name, byteLimit: ObjectRules.byteLimit)
    request.mayBeElsewhere = true
    let answer = try await requests.send(request, to: operation)
    switch answer.response.status {
    case 200: return answer.response.body
    case 404 where BucketRefusal(answer.response).code != "NoSuchBucket": return nil
    default: throw answer.error
    }
  }

  /// Writes an object.
  ///
  /// On return the server has it. Where the engine knows no conditions (`If-None-Match`), a new object
  /// may replace other bytes.
  ///
  /// - Parameters:
  ///   - data: The bytes, at most 9 MiB.
  ///   - name: The name.
  ///   - isNew: Whether other bytes of this name must not be replaced.
  /// - Throws: The errors that all calls throw; ``SyncError/Code/alreadyExists`` if the object should
  ///   be new and the name has other bytes. A retry with the same bytes does no harm.
  public func write(_ data: Data, as name: String, isNew: Bool) async throws(SyncError) {
    let operation = "write \(name)"
    try ObjectRules.check(name, to: operation)
    try ObjectRules.check(byteCount: data.count, to: operation)
    var request = BucketRequest(method: "PUT", name: name, body: data, byteLimit: 64 << 10)
    request.headers["content-type"] = "application/octet-stream"
    if isNew { request.headers["if-none-match"] = "*" }
    var answer = try await requests.send(request, to: operation)
    if isNew, answer.response.status == 501 {
      // An engine that does not know the condition need not tell whether the object is new.
      request.headers["if-none-match"] = nil
      answer = try await requests.send(request, to: operation)
    }
    switch answer.response.status {
    case 200, 201, 204: return
    case 412 where isNew:
      // A request before this one may have been lost on its way back.
      guard let present = try await read(name, to: operation) else { throw answer.error }
      guard present == data else { throw .alreadyExists(operation) }
    default: throw answer.error
    }
  }

  /// Removes an object, if there is one.
  ///
  /// - Parameter name: The name.
  /// - Throws: The errors that all calls throw. A retry does no harm.
  public func remove(_ name: String) async throws(SyncError) {
    let operation = "remove \(name)"
    try ObjectRules.check(name, to: operation)
    let request = BucketRequest(method: "DELETE", name: name, byteLimit: 64 << 10)
    let answer = try await requests.send(request, to: operation)
    switch answer.response.status {
    case 200, 202, 204: return
    case 404 where BucketRefusal(answer.response).code != "NoSuchBucket": return
    default: throw answer.error
    }
  }
}
