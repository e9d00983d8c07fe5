import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What answers to HTTP on this machine.
package enum LocalServer {
  /// Makes a request, and gives what was answered; `nil` without an answer that is a success.
  package static func answer(to method: String = "GET", _ place: String) async throws
    -> String?
  {
    guard let url = URL(string: "http://127.0.0.1:\(place)") else { throw URLError(.badURL) }
    var request = URLRequest(url: url)
    request.httpMethod = method
    guard let (data, response) = try? await URLSession.shared.data(for: request),
      let response = response as? HTTPURLResponse, (200..<300).contains(response.statusCode)
    else { return nil }
    return String(decoding: data, as: UTF8.self)
  }
}
