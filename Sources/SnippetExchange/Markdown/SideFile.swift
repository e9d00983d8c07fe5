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
    return file.fileExtension.isEmpty ? nil : file
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

  /// Returns the name in the link of a side file, and the place of the link; `nil` if it is not one
  /// to a file beside it, as an export writes it.
  static func link(in text: String) -> (name: String, range: Range<String.Index>)? {
    guard let fields = FrontMatter(of: text)?.range else { return nil }
    let (head, start, end) = ("\(key): ", "\"[[", "]]\"")
    for line in text[fields].split(whereSeparator: \.isNewline) where line.hasPrefix(head) {
      let link = line.dropFirst(head.count)
      let name = link.dropFirst(start.count).dropLast(end.count)
      guard link.hasPrefix(start), link.hasSuffix(end), !name.isEmpty,
        !name.contains(where: { "/|#^\\\"".contains($0) })
      else { return nil }
      return (String(name), link.startIndex..<link.endIndex)
    }
    return nil
  }

  /// Returns a side file whose link has another name.
  static func linking(_ text: String, to name: String) -> String {
    guard let link = Self.link(in: text) else { return text }
    var text = text
    text.replaceSubrange(link.range, with: FrontMatterEdit.scalar("[[\(name)]]"))
    return text
  }

  /// Returns the hash by which a note is compared with that of the last common state.
  static func hash(of note: String) -> Data { ContentHash.of(Data(note.utf8)) }
}
