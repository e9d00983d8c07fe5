import Foundation

/// A condition on the files that a snippet came from or was written to.
///
/// The core does not know them: what does finds the snippets, once, and the condition holds for
/// these. A condition that was not resolved holds for none.
package struct FileCondition: Hashable, Sendable {
  /// The part of the path that the condition looks at.
  package enum Part: String, Sendable {
    /// The name of the file.
    case file
    /// The whole path.
    case path
    /// The folders around the file.
    case from
    /// The ending of the name: that of a text tells its type.
    case type
  }

  package let part: Part
  /// The text to look for.
  package let text: String
  /// The endings that a type stands for, in small letters and without a dot; empty for other parts.
  package var endings: [String] { part == .type ? TypeWords.endings(text) ?? [] : [] }
  /// The snippets for which it holds; `nil` as long as it is not resolved.
  var snippets: Set<Int64>?

  init(_ part: Part, _ text: String) {
    (self.part, self.text) = (part, text)
  }

  /// The snippets as an array of JSON.
  var json: String {
    "[\((snippets ?? []).sorted().map(String.init).joined(separator: ","))]"
  }
}

extension SearchQuery {
  /// Whether the query asks for files, and that is not resolved.
  package var asksForFiles: Bool {
    expression?.leaves.contains {
      if case .condition(.file(let condition)) = $0 { condition.snippets == nil } else { false }
    } ?? false
  }

  /// Returns the query with its conditions on files resolved.
  ///
  /// - Parameter find: Finds the snippets for which a condition holds.
  /// - Returns: The same query, for these snippets.
  /// - Throws: Errors of `find`.
  package func resolvingFiles(
    _ find: (FileCondition) throws -> Set<SnippetID>
  ) rethrows -> SearchQuery {
    guard asksForFiles else { return self }
    return SearchQuery(
      try expression?.replacingConditions { condition in
        guard case .file(var condition) = condition else { return condition }
        condition.snippets = Set(try find(condition).map(\.rawValue))
        return .file(condition)
      }
    )
  }
}

extension QueryExpression {
  /// The expression with other conditions in the places of its own.
  fileprivate func replacingConditions(
    _ replace: (Condition) throws -> Condition
  ) rethrows -> QueryExpression {
    switch self {
    case .all(let parts): .all(try parts.map { try $0.replacingConditions(replace) })
    case .any(let parts): .any(try parts.map { try $0.replacingConditions(replace) })
    case .not(let inner): .not(try inner.replacingConditions(replace))
    case .term: self
    case .condition(let condition): .condition(try replace(condition))
    }
  }
}
