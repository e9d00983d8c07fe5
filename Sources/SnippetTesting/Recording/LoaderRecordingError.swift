public import Foundation

/// The reason why a text is not the recording of a loader.
///
/// Reading it again does not help. Later versions may add problems, so a `switch` over ``problem``
/// needs a `default`.
public struct LoaderRecordingError: LocalizedError, Hashable, Sendable, CustomStringConvertible {
  /// A kind of mistake.
  public enum Problem: Hashable, Sendable {
    /// The text does not begin like a recording.
    case notARecording
    /// The recording was made by a newer version of this package, in a form with this number.
    case newerVersion(Int)
    /// A line is not a JSON object.
    case notJSON
    /// An event has no field of this name.
    case missingField(String)
    /// A field of this name has a wrong value; the reason is in words.
    case wrongField(String, reason: String)
  }

  /// The mistake.
  public let problem: Problem
  /// The line, counted from 1.
  public let line: Int

  init(_ problem: Problem, line: Int) {
    self.problem = problem
    self.line = line
  }

  /// Describes an error of an event's decoder.
  init(line: Int, readingEvent error: any Error) {
    let problem: Problem
    switch error {
    case DecodingError.keyNotFound(let key, _):
      problem = .missingField(key.stringValue)
    case DecodingError.valueNotFound(_, let context):
      problem = Self.problem(context, reason: "it is missing")
    case DecodingError.typeMismatch(_, let context):
      problem = Self.problem(context, reason: "it is of another type")
    case DecodingError.dataCorrupted(let context):
      problem = Self.problem(context, reason: context.debugDescription)
    default:
      problem = .notJSON
    }
    self.init(problem, line: line)
  }

  private static func problem(_ context: DecodingError.Context, reason: String) -> Problem {
    context.codingPath.last.map { .wrongField($0.stringValue, reason: reason) } ?? .notJSON
  }

  /// The mistake and its place, in words that complete “Could not read the recording: …”.
  public var reason: String {
    switch problem {
    case .notARecording: "it is not the recording of a loader"
    case .newerVersion(let version):
      "it was made by a newer version of this package, in form \(version)"
    case .notJSON: "line \(line) is not a JSON object"
    case .missingField(let name): "line \(line) has no field “\(name)”"
    case .wrongField(let name, let reason): "line \(line) has a wrong “\(name)”: \(reason)"
    }
  }

  /// The failure and its reason, for an alert.
  public var errorDescription: String? { description }

  /// The mistake in one sentence.
  public var description: String { "Could not read the recording: \(reason)." }
}
