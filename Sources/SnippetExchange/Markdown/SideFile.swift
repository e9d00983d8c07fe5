import Foundation
import SnippetBase

/// A Markdown file beside a picture or a recording, with its note and what it cannot say itself:
/// `photo.jpg.md` beside `photo.jpg`.
///
/// Its front matter has the field `note-of`, so that no note of a person is taken for one. Besides
/// the title, the tags, the pin and the date of creation, the other fields are those of other
/// programs and stay as they are.
enum SideFile {
  /// The field in the front matter, which links to the picture or the recording.
  static let key = "note-of"
  private static let suffix = ".md"

  /// Returns the path of the side file of another one.
  static func path(of file: String) -> String { file + suffix }

  /// Returns the path of the file that a side file is beside; `nil` if the name is not of one.
  static func path(besides path: String) -> String? {
    guard path.hasSuffix(suffix) else { return nil }
    let file = String(path.dropLast(suffix.count))
    return file.isEmpty || file.hasSuffix("/") ? nil : file
  }

  /// Returns the note in a side file: the text after its front matter.
  static func note(in text: String) -> String {
    let start = FrontMatter(of: text)?.end ?? text.startIndex
    return text[start...].trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Returns the properties in the front matter of a side file; `#tags` in the note are only words.
  static func properties(in text: String) -> NoteMetadata {
    NoteMetadata(FrontMatter(of: text).map { String(text[..<$0.end]) } ?? "")
  }

  /// Returns the text of the side file of a file with a name.
  ///
  /// - Parameters:
  ///   - note: The note; may be empty.
  ///   - name: The name of the picture or the recording.
  ///   - former: The side file so far, whose front matter stays; `nil` if there is none.
  /// - Returns: The text.
  static func text(_ note: String, of name: String, inPlaceOf former: String?) -> String {
    let head: String
    if let former, let frontMatter = FrontMatter(of: former) {
      head = String(former[..<frontMatter.end])
    } else {
      let link = FrontMatterEdit.scalar("[[\(name)]]")
      head = "---\n\(key): \(link)\n---\n"
    }
    return note.isEmpty ? head : "\(head)\n\(note)\n"
  }

  /// The link of a side file to a file beside it.
  struct Link {
    let name: String
    /// The place of the name.
    fileprivate let range: Range<String.Index>
    /// The place of the whole value.
    fileprivate let whole: Range<String.Index>
  }

  /// Returns the link of a side file; `nil` if it has none to a file beside it.
  ///
  /// An export writes `"[[photo.jpg]]"`. A person may write it without quotes, as the name alone, or
  /// with other words for it.
  static func link(in text: String) -> Link? {
    guard let fields = FrontMatter(of: text)?.range else { return nil }
    let head = "\(key): "
    for line in text[fields].split(whereSeparator: \.isNewline) where line.hasPrefix(head) {
      guard let whole = scalar(in: line.dropFirst(head.count)) else { return nil }
      var name = whole
      if let quote = whole.first, "\"'".contains(quote) { name = name.dropFirst().dropLast() }
      if name.first == "!" { name = name.dropFirst() }
      if name.hasPrefix("[["), name.hasSuffix("]]") {
        name = name.dropFirst(2).dropLast(2).prefix { $0 != "|" }
      } else if name.hasPrefix("["), name.hasSuffix(")"), let middle = name.firstRange(of: "](") {
        name = name[middle.upperBound...].dropLast()
        // It may be another name in escapes.
        if name.contains("%") { return nil }
      }
      // In another form than ours it may be no name.
      let isOurs = whole.hasPrefix("\"[[") && whole.hasSuffix("]]\"")
      guard isOurs || !String(name).fileExtension.isEmpty, !name.isEmpty,
        !name.contains(where: { "/|#^\\\"".contains($0) })
      else { return nil }
      return Link(
        name: String(name),
        range: name.startIndex..<name.endIndex,
        whole: whole.startIndex..<whole.endIndex
      )
    }
    return nil
  }

  /// Returns the value at the beginning of a line of YAML, with its quotes and without a comment;
  /// `nil` if it does not end there.
  private static func scalar(in line: Substring) -> Substring? {
    let value = line.drop { $0 == " " }
    guard let quote = value.first, "\"'".contains(quote) else {
      var end = value.firstRange(of: " #")?.lowerBound ?? value.endIndex
      while end > value.startIndex, value[value.index(before: end)].isWhitespace {
        end = value.index(before: end)
      }
      return value[..<end]
    }
    guard let end = value.dropFirst().firstIndex(of: quote) else { return nil }
    let whole = value[...end]
    // Two single quotes stand for one.
    return value[whole.endIndex...].first == quote ? nil : whole
  }

  /// Returns a side file whose link has another name.
  static func linking(_ text: String, to name: String) -> String {
    guard let link = Self.link(in: text) else { return text }
    var text = text
    let isPlain =
      name.first?.isLetter == true
      && name.allSatisfy { $0.isLetter || $0.isNumber || "._-".contains($0) }
    if isPlain {
      text.replaceSubrange(link.range, with: name)
    } else {
      text.replaceSubrange(link.whole, with: FrontMatterEdit.scalar("[[\(name)]]"))
    }
    return text
  }

  /// Returns the hash by which a note is compared with that of the last common state.
  static func hash(of note: String) -> Data { ContentHash.of(Data(note.utf8)) }
}
