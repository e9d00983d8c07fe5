public import Foundation

/// A mistake in the text of a query.
public struct SearchQueryError: Error, Hashable, Sendable {
  /// The text of the query.
  public let query: String
  /// The wrong part of the text; never empty.
  public let place: Range<String.Index>
  /// The reason, in the form that follows “because”: “1XB” is not a size.
  public let reason: String
  /// A suggestion of what to write, in one or two sentences.
  public let advice: String
}

extension SearchQueryError: LocalizedError {
  /// The mistake in one sentence.
  public var errorDescription: String? { "Could not read the query: \(reason)." }
  /// A suggestion of what to write.
  public var recoverySuggestion: String? { advice }
}
