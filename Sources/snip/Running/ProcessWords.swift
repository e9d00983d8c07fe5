import Foundation
import SnipCore

/// The words that the process was started with, as text.
enum ProcessWords {
  /// The arguments after the name of the program.
  ///
  /// - Throws: ``UndecodableWordError`` for one that is not UTF-8. Read as text it would be the
  ///   name of another file.
  static func arguments() throws(UndecodableWordError) -> [String] {
    let words = UnsafeBufferPointer(start: CommandLine.unsafeArgv, count: Int(CommandLine.argc))
    var arguments: [String] = []
    for case let word? in words.dropFirst() { arguments.append(try text(word, of: "argument")) }
    return arguments
  }

  /// Checks a variable of the environment that names a file.
  ///
  /// - Parameter name: The name of the variable.
  /// - Throws: ``UndecodableWordError`` if it is not UTF-8.
  static func checkVariable(_ name: String) throws(UndecodableWordError) {
    if let value = getenv(name) { _ = try text(value, of: "variable \(name)") }
  }

  /// Decodes a word.
  static func text(
    _ word: UnsafePointer<CChar>,
    of kind: String
  ) throws(UndecodableWordError) -> String {
    guard let text = String(validatingCString: word) else {
      throw UndecodableWordError(kind: kind, word: String(cString: word))
    }
    return text
  }
}

/// A word is not UTF-8.
struct UndecodableWordError: StatusError {
  /// The place of the word.
  let kind: String
  /// The word, with marks in place of what cannot be read.
  let word: String

  var status: ExitStatus { .usage }
  var message: String { "the \(kind) ‘\(word)’ is not UTF-8" }
  var hint: String? {
    "If it is the name of a file, rename that, as with: convmv -f latin1 -t utf8 --notest FILE"
  }
}
