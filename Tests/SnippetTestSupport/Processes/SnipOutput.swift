package import Foundation

/// The result of a run of `snip`.
package struct SnipOutput: Sendable, Equatable {
  /// The exit status; after a signal 128 plus the number of the signal, as in a shell.
  package var status: Int32
  /// The bytes of standard output.
  package var bytes: Data
  package var standardError: String

  package init(_ text: String = "", error standardError: String = "", status: Int32 = 0) {
    self.init(bytes: Data(text.utf8), error: standardError, status: status)
  }

  package init(bytes: Data, error standardError: String = "", status: Int32 = 0) {
    self.status = status
    self.bytes = bytes
    self.standardError = standardError
  }

  /// Standard output.
  package var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The lines of standard output.
  package var lines: [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      .dropLast(text.hasSuffix("\n") || text.isEmpty ? 1 : 0)
  }
}

extension SnipOutput: CustomStringConvertible {
  package var description: String {
    "status \(status), output ‘\(text.prefix(4000))’, error ‘\(standardError.prefix(4000))’"
  }
}
