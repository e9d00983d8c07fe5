public import Foundation

/// Why a text is no query, and where.
public struct SearchQueryError: Error, Hashable, Sendable {
  /// The text that was to be a query.
  public let query: String
  /// The part of it that is wrong; never empty.
  public let place: Range<String.Index>
  /// What is wrong with it, as it follows “because”: “1XB” is no size.
  public let reason: String
  /// What to write instead, in one sentence or two.
  public let advice: String
}

extension SearchQueryError: LocalizedError {
  /// What could not be done, and why.
  public var errorDescription: String? { "Could not read the query: \(reason)." }
  /// What to write instead.
  public var recoverySuggestion: String? { advice }
}
