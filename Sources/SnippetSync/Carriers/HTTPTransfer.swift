package import Foundation

/// A way to make requests of HTTP: libcurl on Linux, `URLSession` on Apple platforms.
package protocol HTTPTransfer: Sendable {
  /// Makes a request, and returns the whole answer, whatever its status.
  ///
  /// Redirects are answers.
  func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse
}

#if canImport(Darwin)
/// The way of this platform.
package typealias SystemTransfer = URLSessionTransfer
#else
/// The way of this platform.
package typealias SystemTransfer = CurlTransfer
#endif

/// A request of HTTP.
package struct HTTPRequest: Sendable {
  package var method: String
  package var url: String
  /// The headers, by their names in lower case.
  package var headers: [String: String]
  package var body: Data?
  /// The most bytes that an answer may have.
  ///
  /// Of an error, the first 64 KiB are taken.
  package var byteLimit: Int

  package init(
    method: String,
    url: String,
    headers: [String: String],
    body: Data?,
    byteLimit: Int
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.byteLimit = byteLimit
  }
}

/// An answer of HTTP.
package struct HTTPResponse: Sendable {
  package var status: Int
  /// The headers, by their names in lower case.
  package var headers: [String: String]
  package var body: Data

  package init(status: Int, headers: [String: String] = [:], body: Data = Data()) {
    self.status = status
    self.headers = headers
    self.body = body
  }
}

/// The reason for which there is no answer.
package struct HTTPFailure: Error {
  package enum Kind: Sendable {
    case cancelled
    case failed
    /// The connection broke before the answer was whole.
    case interrupted
    case noConnection
    case noHost
    case noLibrary
    case noProxy
    /// Nothing came for the time allowed.
    case silent
    case tooLong
    /// There is no safe connection.
    case untrusted
  }

  package var kind: Kind
  /// The words of the library.
  package var detail: String

  package init(_ kind: Kind, _ detail: String = "") {
    self.kind = kind
    self.detail = detail
  }
}

/// The longest times to wait in a request.
package struct HTTPTimeouts: Sendable {
  /// For a connection.
  package let connect = Duration.seconds(10)
  /// For the next byte; 30 seconds by default, and whole seconds.
  package var stall: Duration

  package init(stall: Duration = .seconds(30)) {
    self.stall = stall
  }
}
