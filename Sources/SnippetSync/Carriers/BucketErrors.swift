internal import Foundation
internal import SnippetBase

/// The words for everything that a server of S3, or the way to it, can do wrong.
struct BucketErrors {
  let operation: String
  let bucket: String
  let accessKey: String
  /// The server, as its address names it.
  let host: String

  /// Tells of a request without an answer.
  func error(_ failure: HTTPFailure) -> SyncError {
    let detail = Self.plain(failure.detail)
    switch failure.kind {
    case .cancelled: return .cancelled(operation)
    case .interrupted:
      return make(.unreachable, "the connection to \(host) broke: \(detail)", "Try again.")
    case .noConnection:
      let advice = "Look whether the server runs, and whether there is a network."
      return make(.unreachable, "\(host) does not answer: \(detail)", advice)
    case .noHost:
      let advice = "Look at the endpoint, and whether there is a network."
      return make(.unreachable, "the network knows no host \(host)", advice)
    case .noLibrary:
      let advice = "Install it: apt install libcurl4."
      return make(.failed, "libcurl, which talks to servers of S3, is not installed", advice)
    case .noProxy:
      let advice = "Look at the variables https_proxy, http_proxy and no_proxy."
      return make(.unreachable, "the proxy does not lead to \(host): \(detail)", advice)
    case .silent:
      return make(.unreachable, "\(host) fell silent: \(detail)", "Try again.")
    case .tooLong: return .tooLarge(operation)
    case .untrusted:
      let advice = """
        Look whether the endpoint should begin with http://, or add the authority of its \
        certificate to those of the system.
        """
      return make(.unreachable, "there is no safe connection to \(host): \(detail)", advice)
    case .failed: return make(.failed, "the request to \(host) failed: \(detail)")
    }
  }

  /// Tells of an answer that is an error.
  func error(_ response: HTTPResponse, at now: Date) -> SyncError {
    let refusal = BucketRefusal(response)
    let words = [refusal.code, refusal.message].map(Self.plain).filter { !$0.isEmpty }
      .joined(separator: ": ")
    let answer = "\(host) answered \(response.status)" + (words.isEmpty ? "" : " (\(words))")
    switch (response.status, refusal.code) {
    case (_, "NoSuchBucket"): return noBucket()
    case (300..<400, _), (_, "AuthorizationHeaderMalformed"):
      let region = refusal.region.map { ", in the region \(Self.plain($0))" } ?? ""
      let advice = "Name the region of the bucket and its endpoint."
      return make(.invalidInput, "\(host) has the bucket elsewhere\(region)", advice)
    case (401, _), (403, _), (400, "ExpiredToken"), (400, "InvalidToken"):
      return refused(refusal.code, answer, by: response, at: now)
    case (407, _):
      let advice = "Write name and password into the variable https_proxy."
      return make(.unreachable, "the proxy asks for a name and a password", advice)
    case (408, _), (409, _), (412, _), (425, _), (429, _), (500, _), (502..<505, _):
      return make(.unreachable, answer, "Try again later.")
    default: return make(.failed, answer)
    }
  }

  /// Tells of a server that does not have the bucket.
  func noBucket() -> SyncError {
    let advice = "Make the bucket, or correct its name."
    return make(.noRepository, "\(host) has no bucket '\(bucket)'", advice)
  }

  /// Tells of an answer that is none of S3.
  func notOfS3() -> SyncError {
    make(.failed, "\(host) does not answer as S3 does", "Look at the endpoint.")
  }

  private func refused(
    _ code: String,
    _ answer: String,
    by response: HTTPResponse,
    at now: Date
  ) -> SyncError {
    let skew = response.headers["date"].flatMap(Self.date).map { now.timeIntervalSince($0) }
    if code == "RequestTimeTooSkewed" || abs(skew ?? 0) > 300 {
      let relation = skew.map {
        "is \(Self.words(for: abs($0))) \($0 > 0 ? "ahead of" : "behind")"
      }
      let reason = "the clock of this device \(relation ?? "differs from") that of \(host)"
      return make(.accessDenied, reason, "Set the clock.")
    }
    let advice = "Correct AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or ~/.aws/credentials."
    switch code {
    case "InvalidAccessKeyId":
      return make(.accessDenied, "\(host) does not know the access key '\(accessKey)'", advice)
    case "SignatureDoesNotMatch":
      let reason = "the secret key is not that of the access key '\(accessKey)'"
      return make(.accessDenied, reason, advice)
    case "ExpiredToken", "InvalidToken":
      return make(.accessDenied, "the session token is no longer good", "Get new keys.")
    default:
      return make(
        .accessDenied,
        answer,
        "Allow '\(accessKey)' to list, read, write and delete in the bucket '\(bucket)'."
      )
    }
  }

  private func make(
    _ code: SyncError.Code,
    _ reason: String,
    _ advice: String? = nil
  ) -> SyncError {
    SyncError(code, operation, because: reason, do: advice)
  }

  /// Makes words of a server fit for a line.
  private static func plain(_ text: String) -> String {
    let visible = text.map { $0.isNewline || $0.isWhitespace ? " " : $0 }.filter { character in
      character.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) }
    }
    return String(visible.prefix(200)).trimmingCharacters(in: [" ", "."])
  }

  /// Reads `Fri, 24 May 2013 00:00:00 GMT`.
  private static func date(_ text: String) -> Date? {
    let parts = text.split(separator: " ")
    let months = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(separator: " ")
    guard parts.count == 6, let month = months.firstIndex(of: parts[2]) else { return nil }
    let number = month < 9 ? "0\(month + 1)" : "\(month + 1)"
    return Date(iso8601Milliseconds: "\(parts[3])-\(number)-\(parts[1])T\(parts[4]).000Z")
  }

  private static func words(for seconds: TimeInterval) -> String {
    for (unit, length) in [("day", 86_400.0), ("hour", 3_600), ("minute", 60)]
    where seconds >= 1.5 * length || unit == "minute" {
      let count = Int(min(seconds / length, 1e9).rounded())
      return count == 1 ? "1 \(unit)" : "\(count) \(unit)s"
    }
    return ""
  }
}
