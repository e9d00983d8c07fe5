import SnipCore
import SnippetStorage

/// The bytes of a snippet cannot be read, or differ from those that were saved.
///
/// The rest of the store can be used, so this is not ``ExitStatus/noStore``.
struct DamagedContentError: StatusError {
  /// The output before the damage was found.
  enum Output {
    case none
    /// Bytes of the snippet on standard output.
    case bytes(Int64)
    /// A part of it, on a screen or as JSON.
    case part
  }

  private let error: SnippetStoreError
  private let output: Output

  /// Takes an error about damage.
  ///
  /// - Parameters:
  ///   - error: The error; `nil` for any other.
  ///   - output: The output before the error.
  init?(_ error: SnippetStoreError, after output: Output) {
    guard error.code == .damaged else { return nil }
    (self.error, self.output) = (error, output)
  }

  var status: ExitStatus { .badInput }

  var message: String {
    switch output {
    case .none, .bytes(0): "\(error.message); nothing of it was written"
    case .bytes(let count):
      "\(error.message); \(count) bytes of it, which may be wrong, were written to standard output before"
    case .part: "\(error.message); the part that was shown may be wrong"
    }
  }

  var hint: String? { error.hint }

  /// Reads content, and adds the output so far to an error about damage.
  ///
  /// - Parameters:
  ///   - output: The output so far, evaluated when there is damage.
  ///   - body: Reads the content.
  /// - Throws: Errors of `body`, or this error in their place.
  static func telling(_ output: @autoclosure () -> Output, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as SnippetStoreError {
      throw DamagedContentError(error, after: output()) ?? error
    }
  }
}
