// The second condition is that of the tests, which compile this file on Linux.
#if canImport(Darwin) || URLSESSION_TRANSFER
internal import Foundation
internal import SnippetBase

#if canImport(FoundationNetworking)
internal import FoundationNetworking
#endif

#if URLSESSION_TRANSFER
package import SnippetSync
#endif

/// Requests by `URLSession`.
package final class URLSessionTransfer: HTTPTransfer {
  private let receiver = Receiver()
  private let session: URLSession

  package init(timeouts: HTTPTimeouts = HTTPTimeouts()) {
    let configuration = URLSessionConfiguration.ephemeral
    // It has one time for a connection and for each byte.
    configuration.timeoutIntervalForRequest = timeouts.stall.seconds
    configuration.urlCache = nil
    configuration.httpShouldSetCookies = false
    session = URLSession(configuration: configuration, delegate: receiver, delegateQueue: nil)
  }

  deinit {
    session.finishTasksAndInvalidate()
  }

  /// The library that makes the requests, which is always there.
  package static var libraryVersion: String? { "URLSession" }

  package func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
    guard let url = URL(string: request.url) else { throw HTTPFailure(.failed, "no address") }
    var call = URLRequest(url: url)
    call.httpMethod = request.method
    call.httpBody = request.body
    for (name, value) in request.headers { call.setValue(value, forHTTPHeaderField: name) }
    let task = session.dataTask(with: call)
    return try await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        receiver.expect(task, request.byteLimit, continuation)
        task.resume()
      }
    } onCancel: {
      task.cancel()
    }.get()
  }
}

/// The answers of a session while they come.
private final class Receiver: NSObject, URLSessionDataDelegate {
  typealias Continuation = CheckedContinuation<Result<HTTPResponse, HTTPFailure>, Never>

  private struct Answer {
    let continuation: Continuation
    let byteLimit: Int
    var body = Data()
    var isTooLong = false
  }

  /// The answers by the numbers of their tasks.
  private let answers = Lock<[Int: Answer]>([:])

  func expect(_ task: URLSessionTask, _ byteLimit: Int, _ continuation: Continuation) {
    answers.withLock {
      $0[task.taskIdentifier] = Answer(continuation: continuation, byteLimit: byteLimit)
    }
  }

  func urlSession(
    _ session: URLSession,
    task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest,
    completionHandler: @escaping (URLRequest?) -> Void
  ) {
    completionHandler(nil)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let status = (dataTask.response as? HTTPURLResponse)?.statusCode ?? 0
    let isTooLong = answers.withLock { answers in
      guard var answer = answers.removeValue(forKey: dataTask.taskIdentifier) else { return false }
      let limit = status >= 300 ? 64 << 10 : answer.byteLimit
      if answer.body.count + data.count > limit { answer.isTooLong = true }
      if !answer.isTooLong { answer.body.append(data) }
      answers[dataTask.taskIdentifier] = answer
      return answer.isTooLong
    }
    if isTooLong { dataTask.cancel() }
  }

  func urlSession(
    _ session: URLSession,
    task: URLSessionTask,
    didCompleteWithError error: (any Error)?
  ) {
    guard let answer = answers.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else {
      return
    }
    let response = task.response as? HTTPURLResponse
    // The task may have ended well before it was cancelled.
    let isWhole = error == nil && !answer.isTooLong
    guard let response, isWhole || answer.isTooLong && response.statusCode >= 300 else {
      let kind = answer.isTooLong ? .tooLong : Self.kind(of: error)
      answer.continuation.resume(returning: .failure(HTTPFailure(kind, Self.detail(of: error))))
      return
    }
    var headers: [String: String] = [:]
    for (name, value) in response.allHeaderFields {
      headers["\(name)".lowercased()] = "\(value)"
    }
    answer.continuation.resume(
      returning: .success(
        HTTPResponse(status: response.statusCode, headers: headers, body: answer.body)
      )
    )
  }

  private static func detail(of error: (any Error)?) -> String {
    error?.localizedDescription ?? "there is no answer"
  }

  private static func kind(of error: (any Error)?) -> HTTPFailure.Kind {
    switch (error as? URLError)?.code {
    case .cancelled: .cancelled
    case .networkConnectionLost, .badServerResponse: .interrupted
    case .cannotConnectToHost, .notConnectedToInternet, .dataNotAllowed: .noConnection
    case .cannotFindHost, .dnsLookupFailed: .noHost
    case .timedOut: .silent
    case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
      .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid, .clientCertificateRejected:
      .untrusted
    default: .failed
    }
  }
}
#endif
