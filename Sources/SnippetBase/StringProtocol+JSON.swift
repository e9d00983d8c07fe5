extension StringProtocol {
  /// The end of the JSON object that the text begins with; `nil` if it begins with none.
  ///
  /// Only braces, quotes and the first key are looked at: whether the rest is JSON is for a parser to
  /// tell.
  package var jsonObjectEnd: String.Index? {
    let utf8 = utf8
    guard utf8.first == UInt8(ascii: "{"),
      let key = utf8.dropFirst().first(where: { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }),
      key == UInt8(ascii: "\"")
    else { return nil }
    var (depth, isQuoted, isEscaped) = (0, false, false)
    var place = utf8.startIndex
    while place < utf8.endIndex {
      let byte = utf8[place]
      utf8.formIndex(after: &place)
      if isEscaped {
        isEscaped = false
      } else if isQuoted {
        isEscaped = byte == UInt8(ascii: "\\")
        isQuoted = byte != UInt8(ascii: "\"")
      } else if byte == UInt8(ascii: "\"") {
        isQuoted = true
      } else if byte == UInt8(ascii: "{") {
        depth += 1
      } else if byte == UInt8(ascii: "}") {
        depth -= 1
        if depth == 0 { return place }
      }
    }
    return nil
  }
}
