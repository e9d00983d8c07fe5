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

    let leaves = query.expression?.leaves ?? []
    try require(Set(leaves).count <= SearchQuery.maximumLeafCount, "a query has 64 leaves at most")
    if let error = query.error { try require(!error.place.isEmpty, "a mistake has a place") }
    let again = SearchQuery(query.expression)
    try require(SearchQuery(again.text) == query, "\(again.text) is what was read")
    for words in query.wantedTexts() + [SearchText(title), SearchText(body)] {
      try requireWords(words)
    }
    try requirePlaces(query.matches(in: body), in: body)
    let excerpt = SearchExcerpt(of: query, in: body, length: 40)
    try requirePlaces(excerpt.matches, in: excerpt.text)
    // An ellipsis and a blank at both ends, and two blanks for the end of a line.
    let count = excerpt.text.replacing("  ", with: " ").count
    try require(count <= 44, "an excerpt is short: \(excerpt.text.debugDescription)")
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
    // Conditions are about rows, of which there is none.
    guard let expression = query.expression,
      expression.leaves.allSatisfy({ if case .term = $0 { true } else { false } })
    else { return }
    let plan = SearchPlan(expression)
    let (title, body) = (SearchText(title), SearchText(body))
    func isTrue(_ holds: (SearchText, SearchText) -> Bool) -> Bool {
      let facts = SnippetFacts(
        id: 1,
        kind: 1,
        isPinned: false,
        createdAt: 0,
        byteCount: 0,
        isInTrash: false,
        tags: []
      )
      return expression.isTrue(for: facts) { term in
        let text = SearchText(term.text)
        return [(SearchQuery.Field.title, title), (.text, body)].contains { field, words in
          (term.field == nil || term.field == field) && holds(words, text)
        }
      }
    }
    let (isFound, isCompared) = try index.writeWithoutTransaction { db in
      var results = (false, false)
      try db.inTransaction {
        try db.execute(
          sql: "INSERT INTO search_index (rowid, title, tags, body) VALUES (1, ?, '', ?)",
          arguments: [title.words, body.words]
        )
        if let expression = plan.indexExpression {
          let sql = "SELECT 1 FROM search_index WHERE search_index MATCH ?"
          results.0 = try Int.fetchOne(db, sql: sql, arguments: [expression]) != nil
        }
        results.1 =
          try Int.fetchOne(
            db,
            sql: "SELECT 1 FROM search_index WHERE \(plan.comparison.sql)",
            arguments: StatementArguments(plan.comparison.arguments)
          ) != nil
        return .rollback
      }
      return results
    }
    let isMatch = isTrue { $0.contains($1) }
    try require(isCompared == isMatch, "texts of the index are compared like others: \(query.text)")
    guard plan.indexExpression != nil else { return }
    if isFound, plan.leftOver.isEmpty {
      try require(isMatch, "what the index finds has what is wanted: \(query.text)")
    }
    let isExcluding = expression.wantedTerms.count < expression.leaves.count
    let isAtBeginnings = isTrue { " \($0.words)".utf8.contains(" \($1.words)".utf8) }
    if isAtBeginnings, !isExcluding {
      try require(isFound, "the index finds what begins so: \(query.text)")
    }
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
