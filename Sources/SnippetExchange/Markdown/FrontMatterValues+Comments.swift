extension FrontMatterValues {
  /// Names the values in YAML that are comments or types, because they begin with the mark of one and
  /// a word: `tags: #a #b` and `title: !important`.
  ///
  /// The mark and a blank begin a comment that a person means to be one.
  mutating func findComments(in yaml: Substring) {
    let lines = yaml.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
    var field: String?
    for (index, line) in lines.enumerated() {
      guard let first = line.first, first != "#" else { continue }
      var value: Substring?
      switch first {
      case " ", "\t", "-":
        let item = line.drop { $0 == " " || $0 == "\t" }
        if let name = field, Self.tagKeys.contains(name.lowercased()), item.first == "-" {
          value = item.dropFirst()
        }
      default:
        guard let colon = line.firstIndex(of: ":") else { continue }
        let name = String(line[..<colon].filter { $0 != "\"" && $0 != "'" && $0 != " " })
        field = Self.hasPlace(name) ? name : nil
        // A list or a text may follow a comment.
        let goesOn = lines.dropFirst(index + 1).first?.first.map { " \t-".contains($0) } ?? false
        if field != nil, !goesOn { value = line[colon...].dropFirst() }
      }
      guard let name = field, let text = value, text.first == " " else { continue }
      let words = text.drop { $0 == " " }
      guard let second = words.dropFirst().first else { continue }
      let isComment = words.first == "#" && second != "#" && !second.isWhitespace
      guard isComment || words.first == "!" && second.isLetter else { continue }
      if Self.tagKeys.contains(name.lowercased()) { tagsAreWhole = false }
      let shown = isComment ? words : words.prefix { $0 != " " }
      let kind = isComment ? "comment" : "type"
      let reason = "“\(shown.prefix(40))” is a \(kind) without quotes around it (\(name))"
      // The fields begin after the first line.
      unread.append(FrontMatterFlaw(reason: reason, line: index + 2))
    }
  }
}
