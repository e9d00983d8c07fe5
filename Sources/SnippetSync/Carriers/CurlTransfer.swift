#if !canImport(Darwin)
internal import CTransfer
internal import Foundation
internal import SnippetBase

/// Requests by the libcurl of the system, which is loaded for the first of them.
package final class CurlTransfer: HTTPTransfer {
  private let timeouts: HTTPTimeouts
  /// The transfers that no thread uses, with their open connections.
  private let idle = Lock<[Transfer]>([])

  package init(timeouts: HTTPTimeouts = HTTPTimeouts()) {
    self.timeouts = timeouts
  }

  /// The library that makes the requests, as `libcurl/7.88.1`; `nil` if it cannot be loaded.
  package static var libraryVersion: String? {
    guard let text = snippet_transfer_version() else { return nil }
    return String(cString: text).split(separator: " ").first.map(String.init)
  }

  package func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
    do {
      return try await OwnThreads.run { [self] flag in
        let last = idle.withLock { $0.popLast() }
        guard let transfer = last ?? Transfer() else { throw HTTPFailure(.noLibrary) }
        defer { idle.withLock { $0.append(transfer) } }
        return try transfer.perform(request, timeouts, flag)
      }
    } catch {
      throw error as? HTTPFailure ?? HTTPFailure(.failed, "\(error)")
    }
  }
}

/// A handle of libcurl.
//
// Unchecked, because a handle may move between threads, but must not be used by two at a time: it
// belongs to the one that took it out of `idle`.
private final class Transfer: @unchecked Sendable {
  private let handle: UnsafeMutableRawPointer

  /// Makes a handle; `nil` without the library.
  init?() {
    guard let handle = snippet_transfer_make() else { return nil }
    self.handle = handle
  }

  deinit {
    snippet_transfer_end(handle)
  }

  /// Makes a request; the thread waits for the answer.
  func perform(
    _ request: HTTPRequest,
    _ timeouts: HTTPTimeouts,
    _ flag: CancellationFlag
  ) throws(HTTPFailure) -> HTTPResponse {
    let headers = request.headers.map { "\($0.key): \($0.value)" }.joined(separator: "\n")
    var answer = snippet_transfer_response()
    request.method.withCString { method in
      request.url.withCString { url in
        headers.withCString { headers in
          (request.body ?? Data()).withUnsafeBytes { body in
            // An empty body has no address, and is a body all the same.
            let start = body.baseAddress ?? UnsafeRawPointer(headers)
            var call = snippet_transfer_request(
              method: method,
              url: url,
              headers: headers,
              body: request.body == nil ? nil : start,
              body_byte_count: body.count,
              answer_byte_limit: request.byteLimit,
              connect_milliseconds: Int(timeouts.connect.seconds * 1000),
              stall_seconds: Int(timeouts.stall.seconds),
              is_cancelled: { context in
                guard let context else { return 0 }
                let flag = Unmanaged<CancellationFlag>.fromOpaque(context).takeUnretainedValue()
                return flag.isCancelled ? 1 : 0
              },
              context: Unmanaged.passUnretained(flag).toOpaque()
            )
            snippet_transfer_perform(handle, &call, &answer)
          }
        }
      }
    }
    let (lines, body) = (
      Self.take(answer.headers, answer.header_byte_count),
      Self.take(answer.body, answer.body_byte_count)
    )
    guard answer.failure == snippet_transfer_done else {
      let message = withUnsafeBytes(of: answer.message) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      throw HTTPFailure(Self.kind(of: answer.failure), message)
    }
    return HTTPResponse(status: answer.status, headers: Self.headers(in: lines), body: body)
  }

  /// Takes over bytes of the C library's memory.
  private static func take(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Data {
    guard let bytes else { return Data() }
    return Data(bytesNoCopy: bytes, count: count, deallocator: .free)
  }

  private static func headers(in lines: Data) -> [String: String] {
    var headers: [String: String] = [:]
    for line in String(decoding: lines, as: UTF8.self).split(whereSeparator: \.isNewline) {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
    }
    return headers
  }

  private static func kind(of failure: snippet_transfer_failure) -> HTTPFailure.Kind {
    switch failure {
    case snippet_transfer_cancelled: .cancelled
    case snippet_transfer_interrupted: .interrupted
    case snippet_transfer_no_connection: .noConnection
    case snippet_transfer_no_host: .noHost
    case snippet_transfer_no_library: .noLibrary
    case snippet_transfer_no_proxy: .noProxy
    case snippet_transfer_silent: .silent
    case snippet_transfer_too_long: .tooLong
    case snippet_transfer_untrusted: .untrusted
    default: .failed
    }
  }
}
#endif
