import Foundation
import GRDB
import Migrations

@testable import SnippetStorage

extension FuzzTarget {
  /// Takes a query apart, and a text, and finds the one in the other.
  ///
  /// The first line is the query, the second a title, the rest a text.
  static let search = FuzzTarget("search") { bytes in
    var input = FuzzBytes(bytes)
    let query = SearchQuery(input.line())
    let title = input.line()
    let body = input.text()

    try require(query.terms.count <= SearchQuery.maximumTermCount, "a query has 64 terms at most")
    for words in query.terms + [SearchText(title), SearchText(body)] { try requireWords(words) }
    try requirePlaces(query.matches(in: body), in: body)
    let excerpt = SearchExcerpt(of: query, in: body, length: 40)
    try requirePlaces(excerpt.matches, in: excerpt.text)
    // An ellipsis and a blank at both ends.
    try require(excerpt.text.count <= 44, "an excerpt is short: \(excerpt.text.debugDescription)")
    try require(!excerpt.text.contains { $0.isNewline }, "an excerpt is one line")
    try requireIndex(query, title, body)
  }

  private static func requireWords(_ text: SearchText) throws(BrokenRule) {
    let words = text.words
    try require(
      !words.hasPrefix(" ") && !words.hasSuffix(" ") && !words.contains("  "),
      "one blank is between words: \(words.debugDescription)"
    )
    let isClean = words.unicodeScalars.allSatisfy {
      $0 == " " || !$0.properties.isWhitespace && !(0..<0x20).contains($0.value) && $0.value != 0x7F
    }
    try require(isClean, "words have no control characters: \(words.debugDescription)")
  }

  private static func requirePlaces(
    _ places: [Range<String.Index>],
    in text: String
  ) throws(BrokenRule) {
    var end: String.Index?
    for place in places {
      try require(!place.isEmpty, "a place is not empty")
      try require(place.upperBound <= text.endIndex, "a place is in the text")
      try require(end.map { $0 <= place.lowerBound } ?? true, "places are in order and apart")
      end = place.upperBound
    }
  }

  /// The index takes every query, and finds what begins with its words and nothing that has not
  /// got them.
  private static func requireIndex(_ query: SearchQuery, _ title: String, _ body: String) throws {
    guard !query.isEmpty else { return }
    let (title, body) = (SearchText(title), SearchText(body))
    let isFound = try index.writeWithoutTransaction { db in
      var isFound = false
      try db.inTransaction {
        try db.execute(
          sql: "INSERT INTO search_index (rowid, title, tags, body) VALUES (1, ?, '', ?)",
          arguments: [title.words, body.words]
        )
        isFound =
          try Int.fetchOne(
            db,
            sql: "SELECT 1 FROM search_index WHERE search_index MATCH ?",
            arguments: [query.indexExpression]
          ) != nil
        return .rollback
      }
      return isFound
    }
    let matches = query.matches(title: title, tags: SearchText(""), body: body)
    if isFound, query.isWhollyIndexed {
      try require(matches, "what the index finds has every term: \(query.terms)")
    }
    let isAtBeginnings = query.terms.allSatisfy { term in
      [title, body].contains { " \($0.words)".utf8.contains(" \(term.words)".utf8) }
    }
    if isAtBeginnings { try require(isFound, "the index finds \(query.terms)") }
  }

  private static let index: DatabaseQueue = {
    // It is in memory, and its schema has its own tests.
    guard let index = try? DatabaseQueue(),
      let schema = Migrations.all.first(where: { $0.fileName.contains("search_index") })?.sql,
      (try? index.write { try $0.execute(sql: schema) }) != nil
    else { preconditionFailure("the search index cannot be made in memory") }
    return index
  }()
}
