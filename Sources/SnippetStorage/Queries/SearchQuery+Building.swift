public import Foundation
public import SnippetRecognition

// An empty query drops out when it is joined to another.
extension SearchQuery {
  /// Makes a query for words.
  ///
  /// - Parameters:
  ///   - text: The words, separated by blanks; no character has a special meaning.
  ///   - field: The field that must contain them; any by default.
  /// - Returns: A query that all of the words must match.
  public static func words(_ text: String, in field: Field? = nil) -> SearchQuery {
    SearchQuery(
      .all(
        of: text.unicodeScalars.split(whereSeparator: \.properties.isWhitespace).map {
          .term(String($0), in: field)
        }
      )
    )
  }

  /// Makes a query for a phrase.
  ///
  /// - Parameters:
  ///   - text: The words, in the order in which they must follow each other.
  ///   - field: The field that must contain the phrase; any by default.
  /// - Returns: A query for the phrase.
  public static func phrase(_ text: String, in field: Field? = nil) -> SearchQuery {
    SearchQuery(.term(text, in: field))
  }

  /// Makes a query for a tag.
  ///
  /// - Parameters:
  ///   - name: The whole tag; the case of ASCII letters is ignored.
  ///   - isExact: Whether to leave out the tags below it, such as `work/berlin` for `work`. The
  ///     default is `false`.
  /// - Returns: A query for snippets with the tag.
  public static func tag(_ name: String, isExact: Bool = false) -> SearchQuery {
    let tag = TextRules.composed(name)
    return SearchQuery(tag.isEmpty ? nil : .condition(isExact ? .exactTag(tag) : .tag(tag)))
  }

  /// Makes a query for a kind.
  ///
  /// - Parameter kind: The kind.
  /// - Returns: A query for snippets of this kind.
  public static func kind(_ kind: SnippetKind) -> SearchQuery {
    SearchQuery(.condition(.kind(kind)))
  }

  /// Makes a query for a media type.
  ///
  /// - Parameter mediaType: The media type, such as `image/jpeg`; the case of letters is ignored.
  /// - Returns: A query for snippets of this type.
  public static func mediaType(_ mediaType: String) -> SearchQuery {
    SearchQuery(.condition(.mediaType(mediaType.lowercased())))
  }

  /// Makes a query for snippets made at a moment or later.
  ///
  /// - Parameter start: The moment, to the millisecond.
  /// - Returns: A query for snippets made then or later.
  public static func created(from start: Date) -> SearchQuery {
    SearchQuery(.condition(.madeFrom(start.milliseconds)))
  }

  /// Makes a query for snippets made before a moment.
  ///
  /// - Parameter end: The moment, to the millisecond.
  /// - Returns: A query for snippets made earlier.
  public static func created(before end: Date) -> SearchQuery {
    SearchQuery(.condition(.madeBefore(end.milliseconds)))
  }

  /// Makes a query for a minimum size.
  ///
  /// - Parameter byteCount: The size of the content in bytes.
  /// - Returns: A query for snippets of this size and larger ones.
  public static func size(atLeast byteCount: Int64) -> SearchQuery {
    SearchQuery(.condition(.sizeFrom(max(byteCount, 0))))
  }

  /// Makes a query for a maximum size.
  ///
  /// - Parameter byteCount: The size of the content in bytes.
  /// - Returns: A query for snippets of this size and smaller ones.
  public static func size(atMost byteCount: Int64) -> SearchQuery {
    SearchQuery(.condition(.sizeTo(max(byteCount, -1))))
  }

  /// More than any recording has, so that milliseconds fit into a number.
  private static let longest = Duration.milliseconds(9_007_199_254_740_991)

  /// Makes a query for a minimum length of recordings.
  ///
  /// - Parameter duration: The length, to the millisecond.
  /// - Returns: A query for recordings of this length and longer ones; one whose length is not known
  ///   is not among them.
  public static func duration(atLeast duration: Duration) -> SearchQuery {
    SearchQuery(.condition(.durationFrom(min(max(duration, .zero), longest).milliseconds)))
  }

  /// Makes a query for a maximum length of recordings.
  ///
  /// - Parameter duration: The length, to the millisecond.
  /// - Returns: A query for recordings of this length and shorter ones; one whose length is not known
  ///   is not among them.
  public static func duration(atMost duration: Duration) -> SearchQuery {
    let most = min(max(duration, .milliseconds(-1)), longest)
    return SearchQuery(.condition(.durationTo(most.milliseconds)))
  }

  /// A query for pinned snippets.
  public static let isPinned = SearchQuery(.condition(.pinned))

  /// A query for the trash.
  ///
  /// A search covers either the trash or everything else. Joined to other queries with `&&`, this
  /// one makes the search cover the trash; within `||` it matches nothing.
  public static let isInTrash = SearchQuery(.condition(.inTrash))

  /// Makes a query that both queries must match.
  ///
  /// - Parameters:
  ///   - lhs: A query.
  ///   - rhs: Another one.
  /// - Returns: A query for snippets that match both.
  public static func && (lhs: SearchQuery, rhs: SearchQuery) -> SearchQuery {
    SearchQuery(.all(of: [lhs.expression, rhs.expression]))
  }

  /// Makes a query that either query may match.
  ///
  /// - Parameters:
  ///   - lhs: A query.
  ///   - rhs: Another one.
  /// - Returns: A query for snippets that match at least one of them.
  public static func || (lhs: SearchQuery, rhs: SearchQuery) -> SearchQuery {
    SearchQuery(.any(of: [lhs.expression, rhs.expression]))
  }

  /// Makes a query for everything that a query does not match.
  ///
  /// - Parameter query: The query.
  /// - Returns: A query for everything else.
  public static prefix func ! (query: SearchQuery) -> SearchQuery {
    SearchQuery(query.expression?.excluded)
  }
}
