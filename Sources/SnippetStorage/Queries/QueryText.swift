import Foundation
import SnippetBase
import SnippetRecognition

// The text form of a query that was built. Parsing it gives an equal query.
extension QueryExpression {
  /// The query as text.
  var queryText: String {
    switch self {
    case .all(let parts):
      parts.map { if case .any = $0 { "(\($0.queryText))" } else { $0.queryText } }
        .joined(separator: " ")
    case .any(let parts): parts.map(\.queryText).joined(separator: " OR ")
    case .not(let inner):
      switch inner {
      case .all, .any: "-(\(inner.queryText))"
      case .not, .term, .condition: "-\(inner.queryText)"
      }
    case .term(let term):
      term.field.map { "in:\($0.rawValue):\(Self.value(term.text))" } ?? Self.word(term.text)
    case .condition(let condition): condition.queryText
    }
  }

  /// Writes a term that stands by itself.
  private static func word(_ text: String) -> String {
    let isPlain =
      QueryParser.Operator(rawValue: text) == nil && text.unicodeScalars.first != "-"
      && QueryParser.key(of: text[...]) == nil
    return isPlain ? value(text) : quoted(text)
  }

  /// Writes a text that follows a colon.
  fileprivate static func value(_ text: String) -> String {
    let isPlain = text.unicodeScalars.allSatisfy { scalar in
      !scalar.properties.isWhitespace && !["\"", "(", ")"].contains(scalar)
    }
    return isPlain ? text : quoted(text)
  }

  fileprivate static func quoted(_ text: String) -> String {
    // By code points, as the parser reads: a quote with a combining mark would not be a character
    // of its own.
    var result = String.UnicodeScalarView("\"".unicodeScalars)
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { result.append("\\") }
      result.append(scalar)
    }
    result.append("\"")
    return String(result)
  }
}

extension QueryExpression.Condition {
  fileprivate var queryText: String {
    switch self {
    case .kind(let kind): "kind:\(kind.name)"
    // A sign of equality in front would ask for the tag itself.
    case .tag(let tag):
      "tag:\(tag.hasPrefix("=") ? QueryExpression.quoted(tag) : QueryExpression.value(tag))"
    case .exactTag(let tag): "tag:=\(QueryExpression.value(tag))"
    case .madeFrom(let start): "after:\(Self.moment(start))"
    case .madeBefore(let end): "before:\(Self.moment(end))"
    case .sizeFrom(let least): Self.bound(">", ">=", least, beside: least &- 1)
    case .sizeTo(let most):
      most < 0 ? "size:<0" : Self.bound("<", "<=", most, beside: most &+ 1)
    case .durationFrom(let least): "duration:\(DurationWords.text(from: least))"
    case .durationTo(let most): "duration:\(DurationWords.text(to: most))"
    case .pinned: "is:pinned"
    case .inTrash: "is:trashed"
    case .file(let file): "\(file.part.rawValue):\(QueryExpression.value(file.text))"
    case .mediaType(let type): "type:\(TypeWords.text(type))"
    }
  }

  /// Writes a bound of the size as people would: “at least 1,000,001 bytes” becomes “more than 1
  /// MB”.
  private static func bound(_ sign: String, _ signOrEqual: String, _ size: Int64, beside: Int64)
    -> String
  {
    let isRounder = size % 1000 != 0 && beside % 1000 == 0
    return isRounder
      ? "size:\(sign)\(SizeWords.text(beside))"
      : "size:\(signOrEqual)\(SizeWords.text(size))"
  }

  private static func moment(_ milliseconds: Int64) -> String {
    Date(milliseconds: milliseconds).iso8601Milliseconds.replacing(".000Z", with: "Z")
  }
}
