import Foundation
import SnippetSync
import SnippetTestSupport
import Testing

/// The keys and addresses of buckets.
@Suite(.temporaryDirectory, .timeLimit(.minutes(30)))
struct BucketSettingsTests {
  private func write(_ text: String, _ name: String) throws {
    let file = TemporaryDirectory.file(".aws/\(name)")
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try Data(text.utf8).write(to: file)
  }

  private func load(
    profile: String? = nil,
    _ variables: [String: String] = [:]
  ) throws -> BucketCredentials {
    let home = ["HOME": TemporaryDirectory.current.url.path]
    return try BucketCredentials.load(
      profile: profile,
      environment: home.merging(variables) { $1 }
    )
  }

  private func writeFiles() throws {
    try write(
      """
      # keys
      [default]
      aws_access_key_id = first
      aws_secret_access_key = a=b/c+d

      [ work ]
        AWS_ACCESS_KEY_ID=second
        aws_secret_access_key=two
        aws_session_token = token
      """,
      "credentials"
    )
    try write("[default]\nregion = eu-west-1\n[profile work]\nregion=eu-north-1\n", "config")
  }

  @Test func `keys come from the environment first, then from the files`() throws {
    try writeFiles()
    let variables = ["AWS_ACCESS_KEY_ID": "env", "AWS_SECRET_ACCESS_KEY": "x"]

    #expect(try load().accessKey == "first")
    #expect(try load().region == "eu-west-1")
    #expect(try load(variables).accessKey == "env")
    #expect(try load(variables.merging(["AWS_REGION": "r"]) { $1 }).region == "r")
    #expect(try load(["AWS_PROFILE": "work"]).accessKey == "second")
    #expect(try load(["AWS_PROFILE": "work"]).region == "eu-north-1")
    #expect(try load(profile: "work", variables).accessKey == "second")
    #expect(try load(["AWS_ACCESS_KEY_ID": ""]).accessKey == "first")
  }

  @Test func `without keys it is told where they belong`() throws {
    do {
      _ = try load(profile: "work")
      Issue.record("there were keys")
    } catch let error as SyncError {
      #expect(error.code == .accessDenied)
      let file = TemporaryDirectory.file(".aws/credentials").path
      #expect(error.reason == "the profile 'work' has none in \(file)")
    }
  }

  @Test func `no secret is in a description`() {
    let credentials = BucketCredentials(
      accessKey: "key",
      secretKey: "hidden",
      sessionToken: "hidden"
    )
    #expect("\(credentials) \(String(reflecting: credentials))" == "access key key access key key")
  }

  /// The address of a request, as a carrier makes it.
  private func place(
    _ address: String,
    _ endpoints: [String] = [],
    region: String? = nil,
    usesVirtualHosts: Bool? = nil
  ) async throws -> String? {
    let transfer = RecordingTransfer()
    let parts = address.dropFirst(5).split(separator: "/", maxSplits: 1)
    let carrier = try BucketCarrier(
      bucket: String(parts[0]),
      prefix: parts.count > 1 ? String(parts[1]) : "",
      endpoints: endpoints.compactMap { URL(string: $0) },
      region: region,
      usesVirtualHosts: usesVirtualHosts,
      credentials: BucketCredentials(accessKey: "key", secretKey: "secret", region: "eu-west-1"),
      transfer: transfer,
      timing: RecordedPauses().timing()
    )
    _ = try await carrier.read("log/1/1")
    return transfer.requests.first?.url
  }

  @Test func `an object has one address for each style`() async throws {
    let local = "http://10.0.0.1:8333"
    #expect(try await place("s3://b", [local]) == "\(local)/b/log/1/1")
    #expect(try await place("s3://b/me/my notes", [local]) == "\(local)/b/me/my%20notes/log/1/1")
    #expect(
      try await place("s3://b", [local], usesVirtualHosts: true)
        == "http://b.10.0.0.1:8333/log/1/1"
    )
    #expect(try await place("s3://b", ["https://h/s3/"]) == "https://h/s3/b/log/1/1")
    #expect(try await place("s3://b", ["https://h:443"]) == "https://h/b/log/1/1")
    #expect(try await place("s3://b", ["http://[::1]:80"]) == "http://[::1]/b/log/1/1")
    #expect(try await place("s3://b") == "https://b.s3.eu-west-1.amazonaws.com/log/1/1")
    #expect(try await place("s3://b.c") == "https://s3.eu-west-1.amazonaws.com/b.c/log/1/1")
    #expect(
      try await place("s3://b", region: "cn-north-1")
        == "https://b.s3.cn-north-1.amazonaws.com.cn/log/1/1"
    )
  }

  @Test(arguments: [
    "notes", "s3:/notes", "s3://", "s3:///x", "s3://a b", "s3://..", "s3://a@b/c", "s3://b/../c",
    "s3://b/a\nb", "https://b/c",
  ])
  func `an address that is none is refused`(_ address: String) {
    let credentials = BucketCredentials(accessKey: "key", secretKey: "secret")
    let error = #expect(throws: SyncError.self) {
      try BucketCarrier(address: address, credentials: credentials)
    }
    #expect(error?.code == .invalidInput)
  }

  @Test(arguments: ["ftp://h", "h", "http://", "http://u:p@h", "http://h?x=y", "file:///x"])
  func `an endpoint that is none is refused`(_ endpoint: String) throws {
    let url = try #require(URL(string: endpoint))
    let credentials = BucketCredentials(accessKey: "key", secretKey: "secret")
    let error = #expect(throws: SyncError.self) {
      try BucketCarrier(address: "s3://b", endpoints: [url], credentials: credentials)
    }
    #expect(error?.code == .invalidInput)
  }
}
