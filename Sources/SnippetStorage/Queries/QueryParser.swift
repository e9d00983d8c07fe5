import SnippetBase

/// Parses a query by recursive descent, one level for each parenthesis.
///
/// Wrong parts are left out, and the first of them is reported.
struct QueryParser {
  /// Words that join or exclude; within quotes they are ordinary words.
  enum Operator: String {
    /// Joins two things that must both hold, as a blank does.
    case and = "AND"
    /// Joins two alternatives.
    case or = "OR"
    /// Excludes the next thing, as a hyphen does.
    case not = "NOT"
  }

  private(set) var error: SearchQueryError?

  private let text: String
  private let scalars: String.UnicodeScalarView
  private let dates: DateWords
  private var position: String.Index
  private var depth = 0
  /// The different words, phrases and conditions so far.
  private var seen: Set<QueryExpression> = []
  private var trashPlace: Range<String.Index>?

  init(_ text: String, _ dates: DateWords) {
    self.text = text
    self.dates = dates
    scalars = text.unicodeScalars
    position = text.startIndex
  }

  /// Parses the whole text; `nil` if it asks for nothing.
  mutating func parse() -> QueryExpression? {
    let expression = disjunction()
    let inTrash = QueryExpression.condition(.inTrash)
    let isHidden = expression?.conjuncts.contains {
      $0 != inTrash && $0 != .not(inTrash) && $0.leaves.contains(inTrash)
    }
    if let trashPlace, isHidden == true {
      fail(
        trashPlace,
        "a search looks either in the trash or everywhere else",
        "Write is:trashed beside everything else, not within OR or parentheses."
      )
    }
    return expression
  }

  // MARK: - Joining

  /// Parses up to the end, or to the parenthesis that closes the group.
  private mutating func disjunction() -> QueryExpression? {
    var branches: [QueryExpression?] = []
    var former: Range<String.Index>?
    while true {
      let (branch, isThere) = conjunction()
      branches.append(branch)
      let next = take(.or)
      if !isThere, let place = former ?? next { failJoining(.or, place) }
      guard let next else { return .any(of: branches) }
      former = next
    }
  }

  /// Parses a sequence of items, and returns whether there were any.
  private mutating func conjunction() -> (QueryExpression?, isThere: Bool) {
    var parts: [QueryExpression?] = []
    var fields: [SearchQuery.Field] = []
    var fieldPlace: Range<String.Index>?
    var isThere = false
    while true {
      skipBlanks()
      if let place = take(.and) {
        skipBlanks()
        if !isThere || isAtEnd || isAt(.and) { failJoining(.and, place) }
        continue
      }
      if isAtEnd { break }
      isThere = true
      let start = position
      switch item() {
      case .expression(let part): parts.append(part)
      case .field(let field):
        if !fields.contains(field) { fields.append(field) }
        fieldPlace = start..<position
      case .nothing: break
      }
    }
    guard let place = fieldPlace else { return (.all(of: parts), isThere) }
    let joined = QueryExpression.all(of: parts)
    if joined?.hasTerms != true {
      fail(
        place,
        "it says where words are to be, and there is no word beside it",
        "Write the words after it, as in \(text[place]) soup."
      )
    }
    return (joined?.looking(in: fields), isThere)
  }

  private enum Item {
    case expression(QueryExpression?)
    /// The neighbouring words are looked for in this field only.
    case field(SearchQuery.Field)
    case nothing
  }

  private mutating func item() -> Item {
    let start = position
    var isExcluded = false
    while let place = take(.not) {
      isExcluded.toggle()
      skipBlanks()
      if isAtEnd || isAt(.and) {
        fail(
          place,
          "NOT excludes what follows it, and nothing does",
          "Write it as in soup NOT leek. To find the word, put it in quotes."
        )
        return .nothing
      }
    }
    if takeMinus() { isExcluded.toggle() }
    let item = positiveItem(from: start)
    guard isExcluded else { return item }
    switch item {
    case .expression(let part): return .expression(part?.excluded)
    case .field(let field):
      fail(
        start..<position,
        "it says where words are to be, and excludes nothing",
        "Write -in:\(field.rawValue):soup to exclude a word there."
      )
      return .nothing
    case .nothing: return .nothing
    }
  }

  private mutating func positiveItem(from start: String.Index) -> Item {
    if peek() == "(", depth < SearchQuery.maximumDepth { return .expression(group()) }
    if peek() == "\"" { return .expression(phrase(in: nil)) }
    if let key = Self.key(of: text[position...]) {
      switch key {
      // In the text of a program a type has any name, and file:// begins an address.
      case .known(let key, let end)
      where ![.type, .file].contains(key) || isMeant(key, valueFrom: end):
        position = end
        return condition(key, from: start)
      case .known: break
      case .unknown(let written, let meant, let end):
        if isMeant(meant, valueFrom: end) {
          let colon = scalars.index(before: end)
          fail(
            position..<colon,
            "there is no condition “\(written):”",
            "Perhaps \(meant.rawValue): was meant. To find the text itself, put it in quotes."
          )
        }
      }
    }
    let start = position
    return .expression(leaf(.term(word(), in: nil), start))
  }

  /// Parses the inside of parentheses.
  private mutating func group() -> QueryExpression? {
    let start = position
    advance()
    depth += 1
    let inner = disjunction()
    depth -= 1
    guard peek() == ")" else {
      fail(
        start..<scalars.index(after: start),
        "the parenthesis is not closed",
        "Close it, or put it in quotes to find it."
      )
      return inner
    }
    advance()
    if inner == nil {
      fail(
        start..<position,
        "there is nothing between the parentheses",
        "Put them in quotes to find them."
      )
    }
    return inner
  }

  /// Parses the inside of quotes.
  private mutating func phrase(in field: SearchQuery.Field?) -> QueryExpression? {
    let start = position
    let text = quoted()
    guard text.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) else {
      fail(
        start..<position,
        "there is nothing between the quotes",
        "Write a phrase between them, as in \"potato soup\"."
      )
      return nil
    }
    return leaf(.term(text, in: field), start)
  }

  /// Counts a leaf, and leaves it out if there are too many.
  private mutating func leaf(
    _ expression: QueryExpression?,
    _ start: String.Index
  ) -> QueryExpression? {
    guard let expression else { return nil }
    guard seen.count < SearchQuery.maximumLeafCount || seen.contains(expression) else {
      fail(
        start..<position,
        "a query has at most \(SearchQuery.maximumLeafCount) words and conditions",
        "Leave out what matters least."
      )
      return nil
    }
    seen.insert(expression)
    return expression
  }

  // MARK: - Conditions

  /// Whether the value after the colon would be valid for another key.
  private func isMeant(_ key: Key, valueFrom start: String.Index) -> Bool {
    var trial = self
    trial.error = nil
    trial.position = start
    guard let first = trial.peek(), !first.properties.isWhitespace else { return false }
    _ = trial.condition(key, from: position)
    return trial.error == nil
  }

  private mutating func condition(_ key: Key, from start: String.Index) -> Item {
    let valueStart = position
    guard let first = peek(), !first.properties.isWhitespace, !(first == ")" && depth > 0) else {
      fail(start..<position, "nothing follows it", key.advice)
      return .nothing
    }
    if key == .title { return .expression(term(in: .title)) }
    if key == .in {
      let name = scalars[position...].prefix { $0.properties.isAlphabetic }
      guard let field = SearchQuery.Field(rawValue: String(name).lowercased()) else {
        return failField(from: valueStart)
      }
      position = name.endIndex
      if peek() == ":" {
        advance()
        guard let first = peek(), !first.properties.isWhitespace else {
          fail(start..<position, "nothing follows it", key.advice)
          return .nothing
        }
        return .expression(term(in: field))
      }
      guard peek().map({ $0.properties.isWhitespace || ($0 == ")" && depth > 0) }) ?? true else {
        return failField(from: valueStart)
      }
      return .field(field)
    }
    let isExact = key == .tag && first == "="
    if isExact { advance() }
    let value = peek() == "\"" ? quoted() : word()
    guard let conditions = key.conditions(value, isExact: isExact, dates) else {
      fail(valueStart..<position, key.reason(against: value), key.advice)
      return .nothing
    }
    if conditions == [.inTrash] { trashPlace = start..<position }
    return .expression(.all(of: conditions.map { leaf(.condition($0), start) }))
  }

  private mutating func failField(from start: String.Index) -> Item {
    _ = word()
    fail(start..<position, Key.in.reason(against: String(text[start..<position])), Key.in.advice)
    return .nothing
  }

  private mutating func term(in field: SearchQuery.Field) -> QueryExpression? {
    if peek() == "\"" { return phrase(in: field) }
    let start = position
    return leaf(.term(word(), in: field), start)
  }

  // MARK: - Reading

  private func peek() -> Unicode.Scalar? {
    position < scalars.endIndex ? scalars[position] : nil
  }

  private mutating func advance() {
    position = scalars.index(after: position)
  }

  private mutating func skipBlanks() {
    while let scalar = peek(), scalar.properties.isWhitespace { advance() }
  }

  /// Takes a hyphen that excludes the next item; a second hyphen or a blank must not follow it.
  private mutating func takeMinus() -> Bool {
    guard peek() == "-" else { return false }
    let next = scalars.index(after: position)
    guard next < scalars.endIndex, scalars[next] != "-", !scalars[next].properties.isWhitespace,
      !(scalars[next] == ")" && depth > 0)
    else { return false }
    position = next
    return true
  }

  /// Whether the sequence of items ends here: at the end of the text or group, or at OR.
  private var isAtEnd: Bool {
    guard let scalar = peek() else { return true }
    return isAt(.or) || (scalar == ")" && depth > 0)
  }

  private func isAt(_ word: Operator) -> Bool {
    let word = word.rawValue.unicodeScalars
    let rest = scalars[position...]
    guard rest.starts(with: word) else { return false }
    guard let next = rest.dropFirst(word.count).first else { return true }
    return next.properties.isWhitespace || next == "(" || (next == ")" && depth > 0)
  }

  private mutating func take(_ word: Operator) -> Range<String.Index>? {
    guard isAt(word) else { return nil }
    let start = position
    position = scalars.index(position, offsetBy: word.rawValue.unicodeScalars.count)
    return start..<position
  }

  /// Takes everything up to a blank, or up to the parenthesis that closes the group.
  private mutating func word() -> String {
    let start = position
    var openCount = 0
    while let scalar = peek(), !scalar.properties.isWhitespace {
      if scalar == "(" { openCount += 1 }
      if scalar == ")" {
        if openCount == 0, depth > 0 { break }
        openCount -= 1
      }
      advance()
    }
    return String(text[start..<position])
  }

  /// Takes the text between two quotes, in which `\"` is a quote and `\\` a backslash.
  private mutating func quoted() -> String {
    let start = position
    advance()
    var value = String.UnicodeScalarView()
    while let scalar = peek() {
      advance()
      if scalar == "\"" { return String(value) }
      if scalar == "\\", let next = peek(), next == "\"" || next == "\\" {
        advance()
        value.append(next)
      } else {
        value.append(scalar)
      }
    }
    fail(
      start..<scalars.index(after: start),
      "the quote is not closed",
      "Close it. To find the sign itself, write \"\\\"\"."
    )
    return String(value)
  }

  private mutating func failJoining(_ word: Operator, _ place: Range<String.Index>) {
    fail(
      place,
      "\(word.rawValue) stands between two things, and one is missing",
      "Write it as in soup \(word.rawValue) stew. To find the word, put it in quotes."
    )
  }

  private mutating func fail(_ place: Range<String.Index>, _ reason: String, _ advice: String) {
    guard error == nil else { return }
    error = SearchQueryError(query: text, place: place, reason: reason, advice: advice)
  }
}
