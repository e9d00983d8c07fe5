package import Foundation
internal import SnippetBase

/// The clock of a ``BucketCarrier`` and its patience, which tests replace.
package struct BucketTiming: Sendable {
  package var now: @Sendable () -> Date
  /// Waits before a request is repeated.
  package var pause: @Sendable (Duration) async throws -> Void
  /// A number from 0 to below 1.
  package var jitter: @Sendable () -> Double

  package init(
    now: @escaping @Sendable () -> Date = { Date() },
    pause: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
    jitter: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
  ) {
    self.now = now
    self.pause = pause
    self.jitter = jitter
  }
}

/// A request to a bucket, before it is known to which server it goes.
struct BucketRequest {
  var method: String
  /// The name of the object; `nil` for the bucket itself.
  var name: String?
  var query: [String: String] = [:]
  var headers: [String: String] = [:]
  var body: Data?
  var byteLimit = 0
  /// Whether other servers are asked for what one has not: a gateway that was down may never learn which
  /// objects its cluster got in that time.
  var mayBeElsewhere = false
}

/// The requests of a ``BucketCarrier``: signed, sent to the server that answered last, and repeated
/// where that can help.
final class BucketRequests: Sendable {
  let address: BucketAddress
  let credentials: BucketCredentials
  private let transfer: any HTTPTransfer
  private let timing: BucketTiming
  /// The position of the server that answered last.
  private let preferred = Lock(0)
  /// The times at which servers were last asked in vain, by their positions.
  private let silences = Lock<[Int: Date]>([:])

  private static let repeatLimit = 5
  /// The seconds for which a server without an answer is not asked for what another one lacks.
  ///
  /// Else each of hundreds of missing objects would wait for it anew.
  private static let restLength: TimeInterval = 60

  init(
    _ address: BucketAddress,
    _ credentials: BucketCredentials,
    _ transfer: any HTTPTransfer,
    _ timing: BucketTiming
  ) {
    self.address = address
    self.credentials = credentials
    self.transfer = transfer
    self.timing = timing
  }

  /// An answer, and what tells of it if it is an error.
  struct Answer {
    let response: HTTPResponse
    let errors: BucketErrors
    let time: Date

    /// The answer as an error.
    var error: SyncError { errors.error(response, at: time) }
  }

  /// Sends a request, and returns the answer of the first server that has one.
  ///
  /// Servers that cannot be reached, have no time now, or lack an object that another one has, are
  /// passed over. An object that one lacks is not looked for at those that gave no answer a moment
  /// ago. If there is no other, the request is repeated after a while; not if there was no connection
  /// at all, because libcurl has tried that for ten seconds.
  func send(_ request: BucketRequest, to operation: String) async throws(SyncError) -> Answer {
    var repeatCount = 0
    while true {
      var (failure, mayHelp): (SyncError?, Bool) = (nil, false)
      var missing: (answer: Answer, index: Int)?
      let (first, count) = (preferred.withLock(\.self), address.endpoints.count)
      for index in (first..<first + count).map({ $0 % count }) {
        if missing != nil, isResting(index) { continue }
        let endpoint = address.endpoints[index]
        let errors = BucketErrors(
          operation: operation,
          bucket: address.bucket,
          accessKey: credentials.accessKey,
          host: endpoint.host
        )
        do throws(HTTPFailure) {
          let now = timing.now()
          let response = try await transfer.send(signed(request, for: endpoint, at: now))
          let answer = Answer(response: response, errors: errors, time: now)
          silences.withLock { $0[index] = nil }
          if Self.isPassing(response) {
            (failure, mayHelp) = (answer.error, true)
          } else if request.mayBeElsewhere,
            missing == nil ? response.status == 404 : response.status != 200
          {
            missing = missing ?? (answer, index)
          } else {
            preferred.withLock { $0 = index }
            return answer
          }
        } catch {
          failure = errors.error(error)
          if [.noConnection, .silent].contains(error.kind) {
            silences.withLock { $0[index] = timing.now() }
          }
          switch error.kind {
          case .interrupted, .silent: mayHelp = true
          case .noConnection, .noHost, .noProxy, .untrusted: break
          case .cancelled, .failed, .noLibrary, .tooLong: throw errors.error(error)
          }
        }
      }
      if let missing {
        preferred.withLock { $0 = missing.index }
        return missing.answer
      }
      guard mayHelp, repeatCount < Self.repeatLimit else {
        throw failure ?? .cancelled(operation)
      }
      do {
        try await timing.pause(pauseLength(before: repeatCount))
      } catch {
        throw .cancelled(operation)
      }
      repeatCount += 1
    }
  }

  /// Whether a server gave no answer within the last minute.
  private func isResting(_ index: Int) -> Bool {
    guard let start = silences.withLock({ $0[index] }) else { return false }
    return (0..<Self.restLength).contains(timing.now().timeIntervalSince(start))
  }

  /// The time to wait: twice as long each time, and never the same for two devices.
  private func pauseLength(before repeatCount: Int) -> Duration {
    .milliseconds(Int(250 * (0.5 + timing.jitter() / 2) * Double(1 << repeatCount)))
  }

  /// Whether an answer tells that the server has no time now.
  private static func isPassing(_ response: HTTPResponse) -> Bool {
    switch response.status {
    case 408, 425, 429, 500, 502, 503, 504: return true
    case 400, 409:
      let codes = ["ConditionalRequestConflict", "OperationAborted", "RequestTimeout"]
      return codes.contains(BucketRefusal(response).code)
    default: return false
    }
  }

  private func signed(
    _ request: BucketRequest,
    for endpoint: BucketAddress.Endpoint,
    at date: Date
  ) -> HTTPRequest {
    let signature = RequestSignature(
      accessKey: credentials.accessKey,
      secretKey: credentials.secretKey,
      region: address.region,
      date: date
    )
    let key = request.name.map { address.prefix + $0 }
    let path =
      endpoint.path + (key.map { "/" + RequestSignature.encode($0, keepsSlashes: true) } ?? "")
    let query = request.query.sorted { $0.key < $1.key }
      .map { "\($0.key)=\(RequestSignature.encode($0.value))" }.joined(separator: "&")
    let bodyHash = ContentHash.of(request.body ?? Data()).hexadecimal
    var headers = request.headers
    headers["host"] = endpoint.host
    headers["x-amz-content-sha256"] = bodyHash
    headers["x-amz-date"] = signature.time
    headers["x-amz-security-token"] = credentials.sessionToken
    headers["authorization"] = signature.authorization(
      request.method,
      path: path.isEmpty ? "/" : path,
      query: query,
      headers: headers,
      bodyHash: bodyHash
    )
    // It is made of the address again.
    headers["host"] = nil
    let place = "\(endpoint.scheme)://\(endpoint.host)\(path.isEmpty ? "/" : path)"
    return HTTPRequest(
      method: request.method,
      url: query.isEmpty ? place : "\(place)?\(query)",
      headers: headers,
      body: request.body,
      byteLimit: request.byteLimit
    )
  }
}
