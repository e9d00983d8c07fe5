import Foundation

extension EvernoteNote {
  /// Reads what can be told by the marks in the damaged XML of a note.
  init(marksIn xml: Data) {
    isDamaged = true
    var rest = xml
    if let content = Self.content(in: xml) {
      self.content = Self.text(ofContent: xml[content.inner])
      rest.removeSubrange(content.whole)
    }
    for resource in Self.elements("resource", in: rest) {
      resources.append(Resource(marksIn: rest[resource]))
    }
    for task in Self.elements("task", in: rest) {
      let isDone = Self.text("taskStatus", in: rest[task]) == "completed"
      addTask(Self.text("title", in: rest[task]) ?? "", isDone: isDone)
    }
    tags = Self.elements("tag", in: rest).map { Self.characters(rest[$0]) }
    // That of the note comes before those of its parts.
    title = Self.text("title", in: rest) ?? ""
    created = Self.text("created", in: rest)
    updated = Self.text("updated", in: rest)
    others["source-url"] = Self.text("source-url", in: rest)
  }

  /// Finds what is within all elements of a name.
  fileprivate static func elements(_ name: String, in data: Data) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var place = data.startIndex
    while let start = start(of: name, in: data, from: place),
      let end = data.range(of: Data("</\(name)>".utf8), in: start.upperBound..<data.endIndex)
    {
      found.append(start.upperBound..<end.lowerBound)
      place = end.upperBound
    }
    return found
  }

  /// Finds the content, which ends with its last mark, because there may be others in it; or with
  /// the note, if nothing ends it.
  private static func content(in data: Data) -> (whole: Range<Int>, inner: Range<Int>)? {
    guard let start = start(of: "content", in: data, from: data.startIndex) else { return nil }
    let rest = start.upperBound..<data.endIndex
    let end = data.range(of: Data("</content>".utf8), options: .backwards, in: rest)
    let inner = start.upperBound..<(end?.lowerBound ?? data.endIndex)
    return (start.lowerBound..<(end?.upperBound ?? data.endIndex), inner)
  }

  /// Finds the mark that starts an element.
  private static func start(of name: String, in data: Data, from place: Int) -> Range<Int>? {
    var place = place
    while let mark = data.range(of: Data("<\(name)".utf8), in: place..<data.endIndex) {
      place = mark.upperBound
      // Not the beginning of a longer name.
      guard place < data.endIndex, [0x3E, 0x20].contains(data[place]) else { continue }
      guard let end = data[place...].firstIndex(of: 0x3E) else { return nil }
      return mark.lowerBound..<end + 1
    }
    return nil
  }

  fileprivate static func text(_ name: String, in data: Data) -> String? {
    guard let start = start(of: name, in: data, from: data.startIndex),
      let end = data.range(of: Data("</\(name)>".utf8), in: start.upperBound..<data.endIndex)
    else { return nil }
    return characters(data[start.upperBound..<end.lowerBound])
  }

  /// Returns the characters of a text in XML.
  private static func characters(_ data: Data) -> String {
    let known = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")]
    return known.reduce(String(decoding: data, as: UTF8.self)) { $0.replacing($1.0, with: $1.1) }
  }

  /// Returns the text of a content, without the marks around it and within it.
  private static func text(ofContent data: Data) -> String {
    let text = String(decoding: data, as: UTF8.self)
    guard text.contains("<![CDATA[") else { return characters(data) }
    return text.replacing("<![CDATA[", with: "").replacing("]]>", with: "")
  }
}

extension EvernoteNote.Resource {
  fileprivate init(marksIn xml: Data) {
    if let place = EvernoteNote.elements("data", in: xml).first {
      var decoding = Base64Decoding()
      xml[place].withUnsafeBytes { decoding.add($0.bindMemory(to: UInt8.self)) }
      isDamaged = !decoding.isValid
      data = decoding.finish()
    }
    mediaType = EvernoteNote.text("mime", in: xml) ?? ""
    fileName = EvernoteNote.text("file-name", in: xml)
  }
}
