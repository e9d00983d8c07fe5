public import Foundation
public import SnippetRecognition

// An empty query has no part in what it is joined to.
extension SearchQuery {
  /// Looks for words.
  ///
  /// - Parameters:
  ///   - text: The words, between blanks; nothing in it has a special meaning.
  ///   - field: Where they must stand; anywhere by default.
  /// - Returns: A query for all of the words.
  public static func words(_ text: String, in field: Field? = nil) -> SearchQuery {
    SearchQuery(
      .all(
        of: text.unicodeScalars.split(whereSeparator: \.properties.isWhitespace).map {
          .term(String($0), in: field)
        }
      )
    )
  }

  /// Looks for a phrase.
  ///
  /// - Parameters:
  ///   - text: The words as they must follow each other.
  ///   - field: Where they must stand; anywhere by default.
  /// - Returns: A query for the phrase.
  public static func phrase(_ text: String, in field: Field? = nil) -> SearchQuery {
    SearchQuery(.term(text, in: field))
  }

  /// Asks for a tag.
  ///
  /// - Parameter name: The whole tag; the case of ASCII letters makes no difference.
  /// - Returns: A query for snippets that carry it.
  public static func tag(_ name: String) -> SearchQuery {
    let tag = TextRules.composed(name)
    return SearchQuery(tag.isEmpty ? nil : .condition(.tag(tag)))
  }

  /// Asks for a kind.
  ///
  /// - Parameter kind: The kind.
  /// - Returns: A query for snippets of it.
  public static func kind(_ kind: SnippetKind) -> SearchQuery {
    SearchQuery(.condition(.kind(kind)))
  }

  /// Asks for what was made at a moment or later.
  ///
  /// - Parameter start: The moment, to the millisecond.
  /// - Returns: A query for snippets made since.
  public static func made(from start: Date) -> SearchQuery {
    SearchQuery(.condition(.madeFrom(start.milliseconds)))
  }

  /// Asks for what was made before a moment.
  ///
  /// - Parameter end: The moment, to the millisecond.
  /// - Returns: A query for snippets made before.
  public static func made(before end: Date) -> SearchQuery {
    SearchQuery(.condition(.madeBefore(end.milliseconds)))
  }

  /// Asks for a least size.
  ///
  /// - Parameter byteCount: The size of the content in bytes.
  /// - Returns: A query for snippets of this size and larger ones.
  public static func size(atLeast byteCount: Int64) -> SearchQuery {
    SearchQuery(.condition(.sizeFrom(max(byteCount, 0))))
  }

  /// Asks for a greatest size.
  ///
  /// - Parameter byteCount: The size of the content in bytes.
  /// - Returns: A query for snippets of this size and smaller ones.
  public static func size(atMost byteCount: Int64) -> SearchQuery {
    SearchQuery(.condition(.sizeTo(max(byteCount, -1))))
  }

  /// Asks for what is pinned.
  public static let isPinned = SearchQuery(.condition(.pinned))

  /// Asks for what is in the trash.
  ///
  /// A search looks either in the trash or everywhere else, so where this is asked for beside
  /// everything else, it looks there. Within `||` nothing meets it.
  public static let isInTrash = SearchQuery(.condition(.inTrash))

  /// Asks for what two queries both ask for.
  ///
  /// - Parameters:
  ///   - lhs: A query.
  ///   - rhs: Another one.
  /// - Returns: A query for what meets both.
  public static func && (lhs: SearchQuery, rhs: SearchQuery) -> SearchQuery {
    SearchQuery(.all(of: [lhs.expression, rhs.expression]))
  }

  /// Asks for what either of two queries asks for.
  ///
  /// - Parameters:
  ///   - lhs: A query.
  ///   - rhs: Another one.
  /// - Returns: A query for what meets at least one of them.
  public static func || (lhs: SearchQuery, rhs: SearchQuery) -> SearchQuery {
    SearchQuery(.any(of: [lhs.expression, rhs.expression]))
  }

  /// Asks for what a query does not ask for.
  ///
  /// - Parameter query: The query.
  /// - Returns: A query for everything else.
  public static prefix func ! (query: SearchQuery) -> SearchQuery {
    SearchQuery(query.expression?.excluded)
  }
}
