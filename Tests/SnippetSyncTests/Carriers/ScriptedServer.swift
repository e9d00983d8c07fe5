import Foundation
import SnippetBase
import SnippetSync
import SnippetTesting
import Testing

/// A server of HTTP on this machine that answers each request as a test says.
final class ScriptedServer: Sendable {
  /// An answer to a request.
  enum Answer {
    case response(Int, headers: [String: String] = [:], body: Data = Data())
    /// The connection is reset once the request is there.
    case reset
    /// Part of the body comes, then the connection ends.
    case cut(promised: Int, sent: Int)
    /// Some bytes come, then the connection ends.
    case bytes(String)
    /// Nothing comes until the test has ended.
    case silence
    /// More bytes than any client takes, and no end.
    ///
    /// They are bounded, because `URLSession` on Linux takes more while it is told to stop: once it
    /// took the memory of the machine.
    case huge
  }

  /// A request as it came.
  struct Request {
    var line: String
    var headers: [String: String]
    var body: Data
  }

  private struct State {
    var answers: [Answer]
    var requests: [Request] = []
    var connectionCount = 0
  }

  /// Opened when a request is there to which there will be no answer.
  let isSilent = Gate()
  private let hasEnded = Gate()
  private let listener: Int32
  private let port: UInt16
  private let state: Lock<State>

  /// Starts a server with its answers; the last is repeated.
  init(_ answers: Answer...) throws {
    #if os(Linux)
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
    listener = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let listener = listener
    let status = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(listener, pointer, size) == 0 && listen(listener, 16) == 0
          ? getsockname(listener, pointer, &size) : -1
      }
    }
    try #require(status == 0)
    port = UInt16(bigEndian: address.sin_port)
    state = Lock(State(answers: answers))
    Thread.detachNewThread { [state, isSilent, hasEnded] in
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else {
          #if os(Linux)
          close(listener)
          #endif
          return
        }
        state.withLock { $0.connectionCount += 1 }
        Thread.detachNewThread {
          Self.serve(connection, state, isSilent, hasEnded)
          close(connection)
        }
      }
    }
  }

  deinit {
    hasEnded.open()
    // The thread closes it. Before, another server could get its number, and this thread a connection
    // to that one.
    shutdown(listener, Int32(SHUT_RDWR))
    #if !os(Linux)
    // Only this wakes the thread there.
    close(listener)
    #endif
  }

  var url: String { "http://127.0.0.1:\(port)" }

  /// The requests so far.
  var requests: [Request] { state.withLock(\.requests) }

  /// The number of connections so far.
  var connectionCount: Int { state.withLock(\.connectionCount) }

  /// Makes a carrier to this server, whose pauses are noted instead of waited for.
  func carrier(bucket: String = "bucket", timing: BucketTiming) throws -> BucketCarrier {
    try BucketCarrier(
      bucket: bucket,
      endpoints: [#require(URL(string: url))],
      credentials: BucketCredentials(accessKey: "key", secretKey: "secret"),
      transfer: SystemTransfer(),
      timing: timing
    )
  }

  private static func serve(
    _ connection: Int32,
    _ state: Lock<State>,
    _ isSilent: Gate,
    _ hasEnded: Gate
  ) {
    while let request = receive(from: connection) {
      let answer = state.withLock { state in
        state.requests.append(request)
        return state.answers.count > 1 ? state.answers.removeFirst() : state.answers[0]
      }
      switch answer {
      case .response(let status, let headers, let body):
        let all = headers.merging(["Content-Length": "\(body.count)"]) { old, _ in old }
        let lines = all.map { "\($0.key): \($0.value)\r\n" }.joined()
        let isSent = send(
          Data("HTTP/1.1 \(status) Word\r\n\(lines)\r\n".utf8) + body,
          to: connection
        )
        guard isSent else { return }
      case .reset:
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(
          connection,
          SOL_SOCKET,
          SO_LINGER,
          &option,
          socklen_t(MemoryLayout<linger>.size)
        )
        return
      case .cut(let promised, let sent):
        let head = Data("HTTP/1.1 200 OK\r\nContent-Length: \(promised)\r\n\r\n".utf8)
        _ = send(head + Data(count: sent), to: connection)
        return
      case .bytes(let bytes):
        _ = send(Data(bytes.utf8), to: connection)
        return
      case .silence:
        isSilent.open()
        hasEnded.blockUntilOpen()
        return
      case .huge:
        guard send(Data("HTTP/1.1 200 OK\r\n\r\n".utf8), to: connection) else { return }
        for _ in 0..<1024 {
          guard send(Data(count: 1 << 16), to: connection) else { return }
        }
        hasEnded.blockUntilOpen()
        return
      }
    }
  }

  private static func send(_ bytes: Data, to connection: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      #if os(Linux)
      let flags = Int32(MSG_NOSIGNAL)
      #else
      let flags: Int32 = 0
      #endif
      let count = rest.withUnsafeBytes {
        SnippetBase.send(connection, $0.baseAddress, $0.count, flags)
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Reads a request; `nil` when the connection ends.
  private static func receive(from connection: Int32) -> Request? {
    var bytes = Data()
    func readMore() -> Bool {
      var piece = [UInt8](repeating: 0, count: 1 << 16)
      let count = read(connection, &piece, piece.count)
      if count > 0 { bytes.append(contentsOf: piece[..<count]) }
      return count > 0
    }
    var head: Range<Data.Index>?
    while head == nil {
      guard readMore() else { return nil }
      // Not of HTTP: the beginning of TLS.
      if bytes.first == 0x16 {
        _ = send(Data("HTTP/1.1 400 Word\r\n\r\n".utf8), to: connection)
        return nil
      }
      head = bytes.range(of: Data("\r\n\r\n".utf8))
    }
    guard let end = head else { return nil }
    let lines = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
      .split(separator: "\r\n").map(String.init)
    var headers: [String: String] = [:]
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
    }
    let length = headers["content-length"].flatMap { Int($0) } ?? 0
    while bytes.count < end.upperBound + length { guard readMore() else { return nil } }
    let body = Data(bytes[end.upperBound..<(end.upperBound + length)])
    return Request(line: lines.first ?? "", headers: headers, body: body)
  }
}
