public import Foundation
public import SnippetLoading
internal import SnippetStorage

/// A failure to decode an image or a recording.
///
/// Later versions may add codes, so a `switch` needs a `default`.
public struct MediaError: LocalizedError, Hashable, Sendable, CustomStringConvertible {
  /// The kind of failure, for a program to act on.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    enum Value: String, CaseIterable {
      case cancelled, crashed, noDecoder, timedOut, tooLarge, undecodable, unreadable
      case workerUnavailable, workerMissing
    }

    let value: Value

    /// The work was cancelled.
    public static let cancelled = Self(value: .cancelled)
    /// The worker crashed, took too much memory, or was killed by the system.
    ///
    /// A cell shows it as undecodable until you call `SnippetLoader.retryAll()`.
    public static let crashed = Self(value: .crashed)
    /// The format is known, but no library here decodes it.
    public static let noDecoder = Self(value: .noDecoder)
    /// It took longer than ``MediaLimits/timeLimit``.
    public static let timedOut = Self(value: .timedOut)
    /// The input has more bytes or pixels than ``MediaLimits`` allow.
    public static let tooLarge = Self(value: .tooLarge)
    /// The bytes are damaged, truncated, or of another kind.
    public static let undecodable = Self(value: .undecodable)
    /// The bytes could not be read.
    public static let unreadable = Self(value: .unreadable)
    /// The decoding program could not be started.
    public static let workerUnavailable = Self(value: .workerUnavailable)
    /// The decoding program does not exist, or is not a program.
    public static let workerMissing = Self(value: .workerMissing)

    /// The name of the code.
    public var description: String { value.rawValue }
  }

  /// The kind of failure.
  public let code: Code
  /// The cause in words that complete “Could not decode it: …”.
  public let reason: String

  /// Makes an error, for a decoder to throw.
  ///
  /// - Parameters:
  ///   - code: The kind of failure.
  ///   - reason: The cause in words. The default follows from the code.
  public init(_ code: Code, reason: String? = nil) {
    self.code = code
    self.reason = reason ?? Self.reason(of: code)
  }

  /// Whether the same call may succeed later without any other change.
  public var isRetryable: Bool {
    switch code {
    case .cancelled, .unreadable, .workerUnavailable: true
    default: false
    }
  }

  /// A suggestion of what to do.
  public var recoverySuggestion: String? { advice }

  /// The failure and its reason, as `localizedDescription` shows them.
  public var errorDescription: String? { "Could not decode it: \(reason)." }

  private var advice: String {
    switch code {
    case .cancelled: "Ask again."
    case .noDecoder:
      "It is kept and exported as it is; `snip doctor` tells which decoders there are and how to "
        + "install others."
    case .tooLarge, .timedOut: "Raise the limit if the file can be trusted."
    case .unreadable: "Try again; if it stays, check the store."
    case .workerUnavailable: "Check that the program is there and can be run, then try again."
    case .workerMissing: "Install the program, or name the right one."
    default: "Look at the original; it is kept as it is."
    }
  }

  /// The failure, its reason, and a suggestion.
  public var description: String { "Could not decode it: \(reason). \(advice)" }

  private static func reason(of code: Code) -> String {
    switch code {
    case .cancelled: "it is no longer needed"
    case .crashed: "the decoder failed"
    case .noDecoder: "there is no decoder for it here"
    case .timedOut: "it took too long"
    case .tooLarge: "it is too large"
    case .unreadable: "its bytes could not be read"
    case .workerUnavailable: "the program that decodes could not be started"
    case .workerMissing: "the program that decodes is not there"
    default: "its bytes cannot be decoded"
    }
  }
}

extension MediaError {
  /// The format is known, but no library here decodes it.
  init(noDecoderFor type: ContentType) {
    self.init(.noDecoder, reason: "there is no decoder for \(type.mediaType) here")
  }

  /// Wraps a message of a library in readable form.
  init(undecodable words: String, _ type: ContentType) {
    let words = words.filter { !$0.isNewline }.trimmingCharacters(in: .whitespaces)
    let detail = words.isEmpty ? "" : " (\(words))"
    self.init(.undecodable, reason: "its bytes are not valid \(type.name)\(detail)")
  }
}

extension LoadError {
  /// Converts the error of a decoder.
  ///
  /// - Parameter error: The error of a decoder.
  public init(_ error: MediaError) {
    switch error.code {
    case .cancelled: self.init(.cancelled)
    case .tooLarge: self.init(.tooLarge, reason: error.reason)
    case .unreadable, .workerUnavailable: self.init(.unreadable, reason: error.reason)
    case .workerMissing:
      self.init(
        .decoderUnavailable,
        reason: error.reason,
        recoverySuggestion: error.recoverySuggestion
      )
    // Work that timed out would time out again, so it cannot be retried.
    default: self.init(.undecodable, reason: error.reason)
    }
  }
}
