import Foundation
import SnippetBase
import SnippetSync
import SnippetTestSupport
import Testing

/// The decisions of a carrier about answers, over a transfer without a network.
struct BucketCarrierTests {
  private let pauses = RecordedPauses()
  /// 24 November 2025, 16:00 GMT.
  private static let now = Date(timeIntervalSince1970: 1_764_000_000)

  private func carrier(
    _ transfer: RecordingTransfer,
    endpoints: [String] = ["https://s3.example.org"],
    prefix: String = "",
    timing: BucketTiming? = nil
  ) throws -> BucketCarrier {
    try BucketCarrier(
      bucket: "notes",
      prefix: prefix,
      endpoints: endpoints.compactMap { URL(string: $0) },
      credentials: BucketCredentials(
        accessKey: "AKIA7",
        secretKey: "secret",
        sessionToken: "token"
      ),
      transfer: transfer,
      timing: timing ?? pauses.timing(at: Self.now)
    )
  }

  private static func refusal(
    _ status: Int,
    _ code: String,
    _ headers: [String: String] = [:]
  ) -> HTTPResponse {
    let body = "<Error><Code>\(code)</Code><Message>No \u{1B}[31mway.</Message></Error>"
    return HTTPResponse(status: status, headers: headers, body: Data(body.utf8))
  }

  // MARK: - Retries

  @Test(arguments: [500, 502, 503, 504, 429])
  func `a server without time is asked again, ever later`(_ status: Int) async throws {
    let transfer = RecordingTransfer { _, number in
      number < 5 ? HTTPResponse(status: status) : HTTPResponse(status: 200, body: Data("x".utf8))
    }
    #expect(try await carrier(transfer).read("log/1/1") == Data("x".utf8))
    #expect(pauses.lengths == [187, 375, 750, 1500, 3000].map { .milliseconds($0) })
  }

  @Test func `after five times it is told`() async throws {
    let transfer = RecordingTransfer { _, _ in Self.refusal(503, "SlowDown") }
    let carrier = try carrier(transfer)
    do {
      _ = try await carrier.read("log/1/1")
      Issue.record("it was read")
    } catch {
      #expect(error.isRetryable)
      #expect(
        "\(error)" == """
          Could not read log/1/1: s3.example.org answered 503 (SlowDown: No [31mway). Try again \
          later.
          """
      )
    }
    #expect(transfer.requests.count == 6)
  }

  @Test(arguments: [HTTPFailure.Kind.interrupted, .silent])
  func `a broken connection is tried again`(_ kind: HTTPFailure.Kind) async throws {
    let transfer = RecordingTransfer { _, number throws(HTTPFailure) in
      if number == 0 { throw HTTPFailure(kind, "reset") }
      return HTTPResponse(status: 204)
    }
    try await carrier(transfer).remove("log/1/1")
    #expect(pauses.lengths.count == 1)
  }

  @Test(arguments: [
    (HTTPFailure.Kind.noConnection, SyncError.Code.unreachable), (.noHost, .unreachable),
    (.noProxy, .unreachable), (.untrusted, .unreachable), (.noLibrary, .failed),
    (.failed, .failed), (.tooLong, .damaged), (.cancelled, .cancelled),
  ])
  func `other failures are told at once`(
    _ kind: HTTPFailure.Kind,
    _ code: SyncError.Code
  ) async throws {
    let transfer = RecordingTransfer { _, _ throws(HTTPFailure) in throw HTTPFailure(kind, "x") }
    let carrier = try carrier(transfer)

    await #expect(syncErrorCode { try await carrier.read("log/1/1") } == code)
    #expect(transfer.requests.count == 1)
  }

  @Test func `a pause that is cancelled ends the request`() async throws {
    let transfer = RecordingTransfer { _, _ in HTTPResponse(status: 500) }
    var timing = pauses.timing()
    timing.pause = { _ in throw CancellationError() }
    let carrier = try BucketCarrier(
      bucket: "notes",
      credentials: BucketCredentials(accessKey: "key", secretKey: "secret"),
      transfer: transfer,
      timing: timing
    )
    await #expect(syncErrorCode { try await carrier.read("log/1/1") } == .cancelled)
  }

  // MARK: - Endpoints

  @Test func `servers are tried in turn, the last good one first`() async throws {
    let transfer = RecordingTransfer { request, _ throws(HTTPFailure) in
      if request.url.hasPrefix("http://b/") { return HTTPResponse(status: 200) }
      throw HTTPFailure(.noConnection)
    }
    let carrier = try carrier(transfer, endpoints: ["http://a", "http://b", "http://c"])

    _ = try await carrier.read("log/1/1")
    _ = try await carrier.read("log/1/2")

    let hosts = transfer.requests.map { $0.url.dropFirst(7).prefix(1) }
    #expect(hosts == ["a", "b", "b"])
    #expect(pauses.lengths.isEmpty)
  }

  @Test func `a server without time is passed over before anything is waited for`() async throws {
    let transfer = RecordingTransfer { request, _ in
      HTTPResponse(status: request.url.hasPrefix("http://a/") ? 503 : 404)
    }
    #expect(try await carrier(transfer, endpoints: ["http://a", "http://b"]).read("format") == nil)
    #expect(pauses.lengths.isEmpty)
  }

  @Test func `an object that one server lacks is read from another one`() async throws {
    let transfer = RecordingTransfer { request, _ throws(HTTPFailure) in
      switch request.url.dropFirst(7).prefix(1) {
      case "a": return HTTPResponse(status: 404)
      case "b": throw HTTPFailure(.noConnection)
      default: return HTTPResponse(status: 200, body: Data("x".utf8))
      }
    }
    let carrier = try carrier(transfer, endpoints: ["http://a", "http://b", "http://c"])

    #expect(try await carrier.read("log/1/1") == Data("x".utf8))

    #expect(transfer.requests.map { $0.url.dropFirst(7).prefix(1) } == ["a", "b", "c"])
    #expect(pauses.lengths.isEmpty)
  }

  @Test(arguments: [404, 403, 503])
  func `an object that no other server gives is missing`(_ status: Int) async throws {
    let transfer = RecordingTransfer { request, _ in
      HTTPResponse(status: request.url.hasPrefix("http://a/") ? 404 : status)
    }
    let carrier = try carrier(transfer, endpoints: ["http://a", "http://b"])

    #expect(try await carrier.read("log/1/1") == nil)
    #expect(try await carrier.read("log/1/1") == nil)

    #expect(transfer.requests.map { $0.url.dropFirst(7).prefix(1) } == ["a", "b", "a", "b"])
  }

  @Test(arguments: [HTTPFailure.Kind.noConnection, .silent])
  func `a server without an answer is not asked for a minute for what others lack`(
    _ kind: HTTPFailure.Kind
  ) async throws {
    let transfer = RecordingTransfer { request, _ throws(HTTPFailure) in
      if request.url.hasPrefix("http://b/") { throw HTTPFailure(kind) }
      return HTTPResponse(status: 404)
    }
    let clock = Lock(Self.now)
    var timing = pauses.timing()
    timing.now = { clock.withLock(\.self) }
    let servers = ["http://a", "http://b", "http://c"]
    let carrier = try carrier(transfer, endpoints: servers, timing: timing)

    for seconds in [0.0, 59, 1] {
      clock.withLock { $0 += seconds }
      #expect(try await carrier.read("log/1/1") == nil)
    }

    let hosts = transfer.requests.map { $0.url.dropFirst(7).prefix(1) }
    #expect(hosts == ["a", "b", "c", "a", "c", "a", "b", "c"])
    #expect(pauses.lengths.isEmpty)
  }

  @Test func `a server that answers again is asked at once for what others lack`() async throws {
    let transfer = RecordingTransfer { _, number throws(HTTPFailure) in
      switch number {
      case 1: throw HTTPFailure(.noConnection)
      // So that the removals go to the other server.
      case 2, 4: return HTTPResponse(status: 503)
      case 3, 5: return HTTPResponse(status: 204)
      default: return HTTPResponse(status: 404)
      }
    }
    let carrier = try carrier(transfer, endpoints: ["http://a", "http://b"])

    #expect(try await carrier.read("log/1/1") == nil)
    try await carrier.remove("log/1/1")
    try await carrier.remove("log/1/1")
    #expect(try await carrier.read("log/1/1") == nil)

    let hosts = transfer.requests.map { $0.url.dropFirst(7).prefix(1) }
    #expect(hosts == ["a", "b", "a", "b", "b", "a", "a", "b"])
  }

  @Test func `a bucket that no server has is told as the first one tells it`() async throws {
    let transfer = RecordingTransfer { _, _ in Self.refusal(404, "NoSuchBucket") }
    let carrier = try carrier(transfer, endpoints: ["http://a", "http://b"])
    let error = await #expect(throws: SyncError.self) { try await carrier.read("log/1/1") }
    #expect(error?.reason == "a has no bucket 'notes'")
  }

  @Test func `if no server answers, the last one is told`() async throws {
    let transfer = RecordingTransfer { _, _ throws(HTTPFailure) in
      throw HTTPFailure(.noConnection, "Connection refused.")
    }
    let carrier = try carrier(transfer, endpoints: ["http://a", "http://b:9"])
    do {
      _ = try await carrier.read("format")
      Issue.record("it was read")
    } catch {
      #expect(error.reason == "b:9 does not answer: Connection refused")
    }
    #expect(transfer.requests.count == 2)
  }

  // MARK: - Conditions

  @Test func `only a new object is sent with a condition`() async throws {
    let transfer = RecordingTransfer { _, _ in HTTPResponse(status: 200) }
    let carrier = try carrier(transfer)
    try await carrier.write(Data("x".utf8), as: "log/1/1", isNew: true)
    try await carrier.write(Data("x".utf8), as: "device/1", isNew: false)

    #expect(transfer.requests.map { $0.headers["if-none-match"] } == ["*", nil])
    #expect(transfer.requests.allSatisfy { $0.headers["x-amz-security-token"] == "token" })
    #expect(transfer.requests.allSatisfy { $0.headers["authorization"]?.isEmpty == false })
  }

  @Test(arguments: [("one", SyncError.Code?.none), ("two", .alreadyExists)])
  func `where a name is taken, the bytes decide`(
    _ present: String,
    _ code: SyncError.Code?
  ) async throws {
    let transfer = RecordingTransfer { request, _ in
      request.method == "PUT"
        ? Self.refusal(412, "PreconditionFailed")
        : HTTPResponse(status: 200, body: Data(present.utf8))
    }
    let carrier = try carrier(transfer)
    await #expect(
      syncErrorCode { try await carrier.write(Data("one".utf8), as: "log/1/1", isNew: true) }
        == code
    )
  }

  @Test func `an object that vanishes while it is compared makes a retry worth while`() async throws
  {
    let transfer = RecordingTransfer { request, _ in
      HTTPResponse(status: request.method == "PUT" ? 412 : 404)
    }
    let carrier = try carrier(transfer)
    await #expect(
      syncErrorCode { try await carrier.write(Data("one".utf8), as: "log/1/1", isNew: true) }
        == .unreachable
    )
  }

  @Test func `an engine that does not know the condition gets none`() async throws {
    let transfer = RecordingTransfer { request, _ in
      request.headers["if-none-match"] == nil
        ? HTTPResponse(status: 200) : Self.refusal(501, "NotImplemented")
    }
    try await carrier(transfer).write(Data("x".utf8), as: "log/1/1", isNew: true)
    #expect(transfer.requests.count == 2)
  }

  @Test func `two conditional writes that meet are tried again`() async throws {
    let transfer = RecordingTransfer { _, number in
      number == 0 ? Self.refusal(409, "ConditionalRequestConflict") : HTTPResponse(status: 200)
    }
    try await carrier(transfer).write(Data("x".utf8), as: "log/1/1", isNew: true)
    #expect(pauses.lengths.count == 1)
  }

  // MARK: - Listings

  private static func page(
    _ keys: [String],
    next: String? = nil,
    isEncoded: Bool = true
  ) -> HTTPResponse {
    let contents = keys.map {
      "<Contents><Key>\($0)</Key><ETag>&quot;e&quot;</ETag><Size>3</Size></Contents>"
    }
    let body = """
      <?xml version="1.0"?><ListBucketResult xmlns="x">\(isEncoded ? "<EncodingType>url</EncodingType>" : "")
      <IsTruncated>\(next != nil)</IsTruncated>\(contents.joined())
      \(next.map { "<NextContinuationToken>\($0)</NextContinuationToken>" } ?? "")
      </ListBucketResult>
      """
    return HTTPResponse(status: 200, body: Data(body.utf8))
  }

  @Test func `pages are joined, and names of others are left out`() async throws {
    let transfer = RecordingTransfer { _, number in
      number == 0
        ? Self.page(["my%20notes/log/1/1", "my+notes/log/1/A", "other/log/1/1"], next: "t/=")
        : Self.page(["my notes/log/1/2", "my notes/log/1/a&amp;b", "my notes/log/1/"])
    }
    let marks = try await carrier(transfer, prefix: "/my notes/").list("log/1/")

    #expect(marks.map(\.name) == ["log/1/1", "log/1/2"])
    #expect(marks.allSatisfy { $0.tag == "e" && $0.byteCount == 3 })
    #expect(
      transfer.requests.map(\.url) == [
        "https://s3.example.org/notes?encoding-type=url&list-type=2&prefix=my%20notes%2Flog%2F1%2F",
        "https://s3.example.org/notes?continuation-token=t%2F%3D&encoding-type=url&list-type=2"
          + "&prefix=my%20notes%2Flog%2F1%2F",
      ]
    )
  }

  @Test func `an engine that encodes no keys is understood`() async throws {
    let transfer = RecordingTransfer { _, _ in Self.page(["a+b%20/format"], isEncoded: false) }
    #expect(try await carrier(transfer, prefix: "a+b%20").list("").map(\.name) == ["format"])
  }

  @Test(arguments: [
    "", "<html><body>Welcome</body></html>", "{}", "<ListBucketResult>",
    "<ListBucketResult><Contents><Key>a</Key></Contents></ListBucketResult>",
    "<ListBucketResult><Contents><Size>1</Size></Contents></ListBucketResult>",
    "<ListBucketResult><Contents><Key>a</Key><Size>-1</Size></Contents></ListBucketResult>",
    "<ListBucketResult><Contents><Key>a</Key><Size>9999999999999999999</Size></Contents></ListBucketResult>",
    "<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>",
    "<ListBucketResult><EncodingType>url</EncodingType><Contents><Key>%F</Key><Size>1</Size></Contents></ListBucketResult>",
  ])
  func `an answer that is no listing is never an empty place`(_ body: String) async throws {
    let transfer = RecordingTransfer { _, _ in HTTPResponse(status: 200, body: Data(body.utf8)) }
    let carrier = try carrier(transfer)
    await #expect(syncErrorCode { try await carrier.list("log/") } == .failed)
  }

  @Test func `a listing that begins again and again is given up`() async throws {
    let transfer = RecordingTransfer { _, _ in Self.page(["log/1/1"], next: "same") }
    let carrier = try carrier(transfer)
    await #expect(syncErrorCode { try await carrier.list("log/") } == .failed)
    #expect(transfer.requests.count == 2)
  }

  // MARK: - Refusals

  private static let refusals: [(HTTPResponse, SyncError.Code, String)] = [
    (
      refusal(403, "AccessDenied"), .accessDenied,
      "s3.example.org answered 403 (AccessDenied: No [31mway)"
    ),
    (HTTPResponse(status: 403), .accessDenied, "s3.example.org answered 403"),
    (
      refusal(403, "InvalidAccessKeyId"), .accessDenied,
      "s3.example.org does not know the access key 'AKIA7'"
    ),
    (
      refusal(403, "SignatureDoesNotMatch"), .accessDenied,
      "the secret key is not that of the access key 'AKIA7'"
    ),
    (refusal(400, "ExpiredToken"), .accessDenied, "the session token is no longer good"),
    (
      refusal(403, "RequestTimeTooSkewed", ["date": "Mon, 24 Nov 2025 13:58:00 GMT"]),
      .accessDenied, "the clock of this device is 2 hours ahead of that of s3.example.org"
    ),
    (
      refusal(403, "AccessDenied", ["date": "Wed, 26 Nov 2025 16:00:00 GMT"]),
      .accessDenied, "the clock of this device is 2 days behind that of s3.example.org"
    ),
    (
      refusal(403, "SignatureDoesNotMatch", ["date": "Mon, 24 Nov 2025 16:06:00 GMT"]),
      .accessDenied, "the clock of this device is 6 minutes behind that of s3.example.org"
    ),
    (
      refusal(403, "RequestTimeTooSkewed", ["date": "yesterday"]),
      .accessDenied, "the clock of this device differs from that of s3.example.org"
    ),
    (
      refusal(403, "AccessDenied", ["date": "Mon, 24 Nov 2025 16:04:00 GMT"]),
      .accessDenied, "s3.example.org answered 403 (AccessDenied: No [31mway)"
    ),
    (
      refusal(404, "NoSuchBucket"), .noRepository, "s3.example.org has no bucket 'notes'"
    ),
    (
      HTTPResponse(status: 301, headers: ["x-amz-bucket-region": "eu-west-1"]), .invalidInput,
      "s3.example.org has the bucket elsewhere, in the region eu-west-1"
    ),
    (
      HTTPResponse(status: 302, headers: ["location": "http://evil"]), .invalidInput,
      "s3.example.org has the bucket elsewhere"
    ),
    (HTTPResponse(status: 407), .unreachable, "the proxy asks for a name and a password"),
    (refusal(507, "Full"), .failed, "s3.example.org answered 507 (Full: No [31mway)"),
    (
      HTTPResponse(status: 418, body: Data("<html>".utf8)), .failed, "s3.example.org answered 418"
    ),
  ]

  @Test(arguments: refusals.indices)
  func `each refusal is told in its own words`(_ index: Int) async throws {
    let (response, code, reason) = Self.refusals[index]
    let transfer = RecordingTransfer { _, _ in response }
    let carrier = try carrier(transfer)
    let calls: [() async throws -> Void] = [
      { _ = try await carrier.list("log/") }, { _ = try await carrier.read("log/1/1") },
      { try await carrier.write(Data(), as: "log/1/1", isNew: true) },
      { try await carrier.remove("log/1/1") },
    ]
    for call in calls {
      let error = await #expect(throws: SyncError.self) { try await call() }
      #expect(error?.code == code)
      #expect(error?.reason == reason)
    }
    #expect(transfer.requests.count == 4)
  }
}
