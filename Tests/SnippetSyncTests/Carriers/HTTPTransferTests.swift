import CLibraryChecks
import Foundation
import SnippetSync
import SnippetTestSupport
import SnippetTesting
import Testing

/// The ways to make requests, against a server on this machine that does what it should not.
@Suite(.timeLimit(.minutes(30)))
struct HTTPTransferTests {
  /// The way of Linux and that of Apple, which Foundation has on Linux too.
  enum Way: CaseIterable {
    #if !canImport(Darwin)
    case libcurl
    #endif
    case urlSession

    func makeTransfer(stall: Duration = .seconds(30)) -> any HTTPTransfer {
      let timeouts = HTTPTimeouts(stall: stall)
      return switch self {
      #if !canImport(Darwin)
      case .libcurl: CurlTransfer(timeouts: timeouts)
      #endif
      case .urlSession: URLSessionTransfer(timeouts: timeouts)
      }
    }
  }

  private let pauses = RecordedPauses()

  private func request(
    _ server: ScriptedServer,
    _ method: String = "GET",
    body: Data? = nil,
    byteLimit: Int = 1_000
  ) -> HTTPRequest {
    HTTPRequest(
      method: method,
      url: "\(server.url)/b/c%20d?x=y",
      headers: ["x-test": "one"],
      body: body,
      byteLimit: byteLimit
    )
  }

  private func failure(
    of request: HTTPRequest,
    over transfer: any HTTPTransfer
  ) async -> HTTPFailure.Kind? {
    do throws(HTTPFailure) {
      _ = try await transfer.send(request)
      return nil
    } catch {
      return error.kind
    }
  }

  private func failure(
    _ way: Way,
    at server: ScriptedServer,
    byteLimit: Int = 1_000
  ) async -> HTTPFailure.Kind? {
    await failure(of: request(server, byteLimit: byteLimit), over: way.makeTransfer())
  }

  @Test(arguments: Way.allCases)
  func `a request comes as it was made, over one connection`(_ way: Way) async throws {
    let server = try ScriptedServer(
      .response(200, headers: ["X-Answer": "two"], body: Data("body".utf8)),
      .response(204)
    )
    let transfer = way.makeTransfer()
    let answer = try await transfer.send(request(server))
    _ = try await transfer.send(request(server, "PUT", body: Data("bytes".utf8)))
    _ = try await transfer.send(request(server, "PUT", body: Data()))
    _ = try await transfer.send(request(server, "DELETE"))

    #expect(answer.status == 200)
    #expect(answer.headers["x-answer"] == "two")
    #expect(answer.body == Data("body".utf8))
    let requests = server.requests
    #expect(
      requests.map(\.line) == ["GET", "PUT", "PUT", "DELETE"].map { "\($0) /b/c%20d?x=y HTTP/1.1" }
    )
    #expect(requests.map(\.body) == [Data(), Data("bytes".utf8), Data(), Data()])
    #expect(requests.prefix(3).map { $0.headers["content-length"] } == [nil, "5", "0"])
    #expect(requests.allSatisfy { $0.headers["x-test"] == "one" && $0.headers["expect"] == nil })
    #expect(server.connectionCount == 1)
  }

  @Test(arguments: Way.allCases)
  func `each way in which a connection ends is told apart`(_ way: Way) async throws {
    let transfer = way.makeTransfer()
    #expect(try await failure(way, at: ScriptedServer(.reset)) == .interrupted)
    let cut = try ScriptedServer(.cut(promised: 100, sent: 50))
    var gone = request(cut)
    let port = try #require(try FreePorts.find(1).first)
    gone.url = "http://127.0.0.1:\(port)/"
    #expect(await failure(of: gone, over: transfer) == .noConnection)
    gone.url = "http://no-such-host.invalid/"
    #expect(await failure(of: gone, over: transfer) == .noHost)
    // Foundation on Linux has no names for these.
    guard way != .urlSession else { return }
    #expect(await failure(way, at: cut) == .interrupted)
    // It does not speak TLS.
    gone.url = cut.url.replacingOccurrences(of: "http:", with: "https:")
    #expect(await failure(of: gone, over: transfer) == .untrusted)
  }

  @Test(arguments: Way.allCases)
  func `an answer beyond its bound is given up`(_ way: Way) async throws {
    let server = try ScriptedServer(.response(200, body: Data(count: 1_001)))
    #expect(await failure(way, at: server) == .tooLong)
    #expect(await failure(way, at: server, byteLimit: 1_001) == nil)
    #expect(try await failure(way, at: ScriptedServer(.huge)) == .tooLong)
  }

  @Test(arguments: Way.allCases)
  func `of a long error the beginning is taken`(_ way: Way) async throws {
    let server = try ScriptedServer(.response(400, body: Data(count: 1 << 20)))
    let answer = try await way.makeTransfer().send(request(server))

    #expect(answer.status == 400)
    #expect(answer.body.count <= 64 << 10)
  }

  @Test(arguments: Way.allCases)
  func `a redirect is an answer`(_ way: Way) async throws {
    let other = try ScriptedServer(.response(200))
    let server = try ScriptedServer(.response(307, headers: ["Location": other.url]))

    #expect(try await way.makeTransfer().send(request(server)).status == 307)
    #expect(other.requests.isEmpty)
  }

  @Test(arguments: Way.allCases)
  func `a server that falls silent is given up`(_ way: Way) async throws {
    let server = try ScriptedServer(.silence)
    let transfer = way.makeTransfer(stall: .seconds(1))

    #expect(await failure(of: request(server), over: transfer) == .silent)
  }

  // the test                    the request
  //                             is with the server, which says nothing
  // cancels its task
  //                             ends
  @Test(arguments: Way.allCases)
  func `a cancelled request ends while it waits`(_ way: Way) async throws {
    let server = try ScriptedServer(.silence)
    let call = request(server)
    let task = Task { await failure(of: call, over: way.makeTransfer()) }
    await server.isSilent.untilOpen()
    task.cancel()

    #expect(await task.value == .cancelled)
  }

  @Test(arguments: Way.allCases)
  func `many requests at a time share a transfer`(_ way: Way) async throws {
    let server = try ScriptedServer(.response(200, body: Data("bytes".utf8)))
    let transfer = way.makeTransfer()
    let call = request(server)
    let answers = try await withThrowingTaskGroup(of: Data.self) { group in
      for _ in 0..<50 { group.addTask { try await transfer.send(call).body } }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(answers == Array(repeating: Data("bytes".utf8), count: 50))
    #expect(server.connectionCount <= 50)
  }

  #if !canImport(Darwin)
  // To run, the header is not needed. CI has it with the libraries of pictures.
  @Test(.enabled(if: snippet_transfer_library_checked_call_count() > 0))
  func `libcurl is declared as in its header`() {
    #expect(snippet_transfer_library_checked_call_count() == 11)
  }

  @Test func `the version of libcurl is known`() throws {
    let version = try #require(CurlTransfer.libraryVersion)
    #expect(version.hasPrefix("libcurl/"))
  }

  // libcurl by itself takes all but the last for an answer without a body.
  @Test(arguments: [
    "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nServer: x\r\n", "HTTP/1.1 200 OK\r\nContent-Len",
    "HTTP/1.1 200 OK\r\nContent-Length: 1", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab",
  ])
  func `libcurl tells an answer that ends within its headers`(bytes: String) async throws {
    let cut = try ScriptedServer(.bytes(bytes))

    #expect(await failure(.libcurl, at: cut) == .interrupted)
  }

  @Test func `libcurl takes a body that ends with its connection`() async throws {
    let server = try ScriptedServer(.bytes("HTTP/1.1 200 OK\r\nServer: x\r\n\r\nbytes"))

    let answer = try await CurlTransfer().send(request(server))

    #expect(answer.body == Data("bytes".utf8))
  }

  @Test func `libcurl bounds headers, and knows no files`() async throws {
    let headers = (0..<90).map { ("X-\($0)", String(repeating: "x", count: 1_000)) }
    let long = try ScriptedServer(.response(200, headers: Dictionary(headers) { $1 }))
    #expect(await failure(.libcurl, at: long) == .tooLong)
    var file = request(long)
    file.url = "file:///etc/passwd"
    #expect(await failure(of: file, over: CurlTransfer()) == .failed)
  }
  #endif

  @Test func `a carrier gets over what a server does wrong`() async throws {
    let server = try ScriptedServer(
      .reset,
      .response(503),
      .cut(promised: 100, sent: 50),
      .response(429),
      .response(200, body: Data("bytes".utf8))
    )
    let carrier = try server.carrier(timing: pauses.timing())

    #expect(try await carrier.read("log/1/1") == Data("bytes".utf8))
    #expect(pauses.lengths.count == 4)
  }

  @Test func `a write whose answer is cut off succeeds in the end`() async throws {
    let server = try ScriptedServer(
      .reset,
      .response(412),
      .response(200, body: Data("bytes".utf8))
    )
    let carrier = try server.carrier(timing: pauses.timing())

    try await carrier.write(Data("bytes".utf8), as: "log/1/1", isNew: true)
    #expect(server.requests.map { $0.line.prefix(3) } == ["PUT", "PUT", "GET"])
  }

  @Test func `a huge object is damage, not a full memory`() async throws {
    let server = try ScriptedServer(.huge)
    let carrier = try server.carrier(timing: pauses.timing())

    await #expect(syncErrorCode { try await carrier.read("log/1/1") } == .damaged)
  }
}
