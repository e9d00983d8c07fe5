import SnipCore
import SnippetStorage

/// The bytes of a snippet cannot be read, or are not those that were saved.
///
/// The store can be used all the same, so this is no ``ExitStatus/noStore``.
struct DamagedContentError: StatusError {
  /// What had come out before it was noticed.
  enum Output {
    case none
    /// Bytes of the snippet on standard output.
    case bytes(Int64)
    /// A part of it, on a screen or as JSON.
    case part
  }

  private let error: SnippetStoreError
  private let output: Output

  /// Takes an error that is about damage.
  ///
  /// - Parameters:
  ///   - error: The error; one about anything else gives `nil`.
  ///   - output: What had come out before.
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
    case .part: "\(error.message); what was shown of it may be wrong"
    }
  }

  var hint: String? { error.hint }

  /// Reads content for somebody who is told of damage with what had come out before.
  ///
  /// - Parameters:
  ///   - output: What had come out, asked for when there is damage.
  ///   - body: Reads.
  /// - Throws: What `body` throws, or this in its place.
  static func telling(_ output: @autoclosure () -> Output, _ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as SnippetStoreError {
      throw DamagedContentError(error, after: output()) ?? error
    }
  }
}
