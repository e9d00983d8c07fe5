import SnippetBase
import SnippetSync

/// A transfer that answers as a test says, without a network.
final class RecordingTransfer: HTTPTransfer {
  private let sent = Lock<[HTTPRequest]>([])
  private let answer: @Sendable (HTTPRequest, _ number: Int) throws(HTTPFailure) -> HTTPResponse

  /// Answers each request, whose number counts from 0; by default there is no object.
  init(
    _ answer:
      @escaping @Sendable (HTTPRequest, _ number: Int) throws(HTTPFailure) -> HTTPResponse = {
        _,
        _ in HTTPResponse(status: 404)
      }
  ) {
    self.answer = answer
  }

  /// The requests so far.
  var requests: [HTTPRequest] { sent.withLock(\.self) }

  func send(_ request: HTTPRequest) async throws(HTTPFailure) -> HTTPResponse {
    let number = sent.withLock { sent in
      sent.append(request)
      return sent.count - 1
    }
    return try answer(request, number)
  }
}
