import Foundation
import SnippetBase

extension NoteMetadata {
  /// Reads a note of Org mode or its beginning: `#+TITLE:`, which may go on in a second one,
  /// `#+FILETAGS:`, `#+KEYWORDS:`, `#+TAGS[]:` of Hugo, `#+DATE:`, `#+CREATED:` or the property
  /// `:CREATED:` before the first headline, `#+LAST_MODIFIED:`, `:ROAM_TAGS:` and the tags of its
  /// headlines.
  init(org text: String) {
    self.init("")
    var (found, fileTags) = ([String](), [String]())
    var isBeforeHeadlines = true
    let lines = text.split(whereSeparator: \.isNewline).map(String.init)
    let ends = Self.blockEnds(in: lines)
    var lastOfBlock = -1
    for (place, line) in lines.enumerated() where place > lastOfBlock {
      if let end = ends[place] {
        lastOfBlock = end
      } else if line.hasPrefix("*") {
        isBeforeHeadlines = false
        found += Self.tags(ofHeadline: line)
      } else if isBeforeHeadlines, let value = Self.property(line, ":created:") {
        readDate(value, "CREATED", into: \.createdAt)
      } else if let value = Self.property(line, ":roam_tags:") {
        fileTags += Self.roamTags(value)
      } else if let (name, value) = Self.keyword(line) {
        switch name {
        case "title" where !value.isEmpty: title = title.map { "\($0) \(value)" } ?? value
        case "roam_tags": fileTags += Self.roamTags(value)
        case "filetags", "tags[]": fileTags += Self.fileTags(value)
        case "keywords": fileTags += Self.words(value)
        case "date", "created": readDate(value, name, into: \.createdAt)
        case "last_modified", "lastmod": readDate(value, name, into: \.modifiedAt)
        default: break
        }
      }
    }
    let all = Self.unique(fileTags + found)
    tags = Array(all.prefix(Self.maximumTagCount))
    if all.count > Self.maximumTagCount {
      let reason = "the text has more than \(Self.maximumTagCount) tags"
      unread.append(FrontMatterFlaw(reason: reason))
    }
  }

  /// Returns the last lines of blocks, such as `#+begin_src` and `#+end_src`, by their first lines.
  ///
  /// A block that does not end before the next headline is none.
  private static func blockEnds(in lines: [String]) -> [Int: Int] {
    var ends: [Int: Int] = [:]
    var next: [String: Int] = [:]
    for (place, line) in lines.enumerated().reversed() {
      if line.hasPrefix("*"), line.drop(while: { $0 == "*" }).first == " " {
        next = [:]
      } else if let name = blockName(line, behind: "#+end_") {
        next[name] = place
      } else if let name = blockName(line, behind: "#+begin_") {
        ends[place] = next[name]
      }
    }
    return ends
  }

  private static func blockName(_ line: String, behind mark: String) -> String? {
    let text = line.drop(while: \.isWhitespace)
    guard text.prefix(mark.count).lowercased() == mark else { return nil }
    return text.dropFirst(mark.count).prefix { !$0.isWhitespace }.lowercased()
  }

  /// Returns the name and the value of a line such as `#+TITLE: The plan`.
  private static func keyword(_ line: String) -> (name: String, value: String)? {
    guard line.hasPrefix("#+"), let colon = line.firstIndex(of: ":") else { return nil }
    let name = line[..<colon].dropFirst(2).lowercased()
    return (name, line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces))
  }

  /// Returns the value of a line such as `:CREATED: [2024-03-01 Fri]`.
  private static func property(_ line: String, _ name: String) -> String? {
    guard line.prefix(name.count).lowercased() == name else { return nil }
    return line.dropFirst(name.count).trimmingCharacters(in: .whitespaces)
  }

  /// Splits `one "two words"`, as Org-roam writes them.
  private static func roamTags(_ value: String) -> [String] {
    let parts = value.split(separator: "\"", omittingEmptySubsequences: false)
    return parts.enumerated().flatMap { place, part in
      // Every second part is in quotes.
      place % 2 == 1 ? [String(part)] : fileTags(String(part))
    }
    .filter { !$0.allSatisfy(\.isWhitespace) }
  }

  /// Splits `:one:two:`, or words.
  private static func fileTags(_ value: String) -> [String] {
    value.split { $0 == ":" || $0.isWhitespace }.map(String.init)
  }

  /// Splits what stands between commas or, without any, between blanks.
  private static func words(_ value: String) -> [String] {
    guard value.contains(",") else {
      return value.split(whereSeparator: \.isWhitespace).map(String.init)
    }
    return value.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
  }

  /// Returns the tags at the end of a line such as `** Roses  :garden:spring:`.
  private static func tags(ofHeadline line: String) -> [String] {
    let text = line.trimmingCharacters(in: .whitespaces)
    guard text.drop(while: { $0 == "*" }).first == " ", text.last == ":",
      let word = text.split(separator: " ").last, word.first == ":", word.count > 2
    else { return [] }
    let tags = word.split(separator: ":")
    let isTag = tags.allSatisfy { tag in
      tag.allSatisfy { $0.isLetter || $0.isNumber || "_@#%".contains($0) }
    }
    return isTag ? tags.map(String.init) : []
  }

  /// Reads a date such as `<2024-03-01 Fri 10:30>`.
  private mutating func readDate(
    _ value: String,
    _ name: String,
    into place: WritableKeyPath<NoteMetadata, Date?>
  ) {
    guard self[keyPath: place] == nil, !value.isEmpty else { return }
    let stamp = #/[<\[](\d{4}-\d\d-\d\d)(?: [^\d>\] ]+)?(?: (\d{1,2}:\d\d))?[^>\]]*[>\]]/#
    var text = value
    // On a line of a megabyte, the expression would go back and forth for hours.
    if let match = value.prefix(100).prefixMatch(of: stamp) {
      text = match.output.1 + (match.output.2.map { " \($0)" } ?? "")
    }
    self[keyPath: place] = WrittenDate.date(text)
    if self[keyPath: place] == nil {
      let reason = "“\(value.prefix(40))” is no date that can be read in one way (\(name))"
      unread.append(FrontMatterFlaw(reason: reason))
    }
  }
}
