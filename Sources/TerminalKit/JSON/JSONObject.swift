/// A JSON object whose fields keep their order.
package struct JSONObject: Equatable, Sendable {
  /// A name and its value.
  package struct Field: Equatable, Sendable {
    package let name: String
    package var value: JSONValue
  }

  /// The fields in the order in which their names were first set.
  package private(set) var fields: [Field]

  /// Creates an object without fields.
  package init() {
    fields = []
  }

  /// The value of a field; `nil` if there is no such field.
  ///
  /// Setting an existing field keeps its place; setting `nil` removes it.
  ///
  /// - Complexity: O(*n*) in the number of fields.
  package subscript(name: String) -> JSONValue? {
    get { index(of: name).map { fields[$0].value } }
    set {
      switch (index(of: name), newValue) {
      case (let index?, let value?): fields[index].value = value
      case (let index?, nil): fields.remove(at: index)
      case (nil, let value?): fields.append(Field(name: name, value: value))
      case (nil, nil): break
      }
    }
  }

  /// The object as text on one line, without a line end.
  package var line: String { JSONValue.object(self).line }

  private func index(of name: String) -> Int? {
    // Names that are equal only by Unicode normalization are different names in JSON.
    fields.firstIndex { $0.name.utf8.elementsEqual(name.utf8) }
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// Makes an object with fields in the order in which they are written.
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    self.init()
    for (name, value) in elements { self[name] = value }
  }
}

extension ConsoleStream {
  /// Writes an object as one line: one record of JSON Lines.
  ///
  /// - Parameter object: The object.
  /// - Throws: ``ConsoleError`` if this or an earlier write failed.
  package func writeLine(_ object: JSONObject) throws(ConsoleError) {
    try writeLine(object.line)
  }

  /// Writes an object as one line, with one more field at its end, a string in pieces.
  ///
  /// - Parameters:
  ///   - object: The fields before it, at least one.
  ///   - name: The name of the last field, which must need no escapes.
  ///   - pieces: Calls its argument with the pieces, one after the other.
  /// - Throws: ``ConsoleError`` if this or an earlier write failed, or errors of `pieces`.
  package func writeLine(
    _ object: JSONObject,
    last name: String,
    pieces: ((String) throws -> Void) throws -> Void
  ) throws {
    try write(object.line.dropLast() + ",\"\(name)\":\"")
    try pieces { piece in
      var text = ""
      JSONValue.writeCharacters(of: piece, to: &text)
      try write(text)
    }
    try writeLine("\"}")
  }
}
