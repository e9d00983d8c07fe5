import Foundation
import SnippetBase
import SnippetRecognition
import SnippetStorage
import Yams

/// The reason why front matter, or a value in it, cannot be read.
package struct FrontMatterFlaw: Error, Equatable, CustomStringConvertible {
  /// A mistake that is treated in a way of its own, or any other.
  package enum Mistake: Equatable, Sendable {
    /// A field refers to the value of another, which could make a few lines very long.
    case alias
    /// A field refers to a value that no field has.
    case undefinedAlias
    /// Two fields have this name.
    case repeated(String)
    case other(String)
  }

  /// The mistake.
  package var mistake: Mistake
  /// The line of the note, counted from 1; `nil` if it is unknown.
  package var line: Int?

  package init(_ mistake: Mistake, line: Int? = nil) {
    (self.mistake, self.line) = (mistake, line)
  }

  package init(reason: String, line: Int? = nil) {
    self.init(.other(reason), line: line)
  }

  /// The mistake in words.
  package var reason: String {
    switch mistake {
    case .alias: "it has an alias (*) of another value (&)"
    case .undefinedAlias: "found undefined alias"
    case .repeated(let name): "‘\(name)’ appears twice; the first value counts"
    case .other(let reason): reason
    }
  }

  /// The mistake and its place.
  package var description: String {
    line.map { "line \($0): \(reason)" } ?? reason
  }
}

extension FrontMatterFlaw {
  /// The flaw of a text that begins with front matter that is too long or does not end; `nil` if it
  /// does not.
  init?(ofUnread text: String) {
    let note = text[FrontMatter.start(of: text)...]
    // Most notes have none, and translating an expression takes longer than reading one of them.
    guard let mark = note.utf8.first, "{-+".utf8.contains(mark) else { return nil }
    let isLong = text.utf8.count > FrontMatter.maximumByteCount
    // Its end is there, and too far away.
    let isTooLong = isLong && FrontMatter(of: text, upTo: text.utf8.count) != nil
    let tooLong = "it is longer than \(FrontMatter.maximumByteCount / 1024) KiB"
    if let opening = note.prefixMatch(of: #/\{\s*"[\w .-]+"\s*:/#)?.output {
      if isTooLong {
        self.init(reason: tooLong, line: 1)
      } else if note.jsonObjectEnd == nil {
        // Of a long note only the beginning is read.
        self.init(reason: (isLong ? tooLong + ", or " : "") + "its braces do not close", line: 1)
      } else {
        // An object on one line may begin a text.
        guard opening.contains(where: \.isNewline) else { return nil }
        self.init(reason: "a text follows its last brace", line: 1)
      }
      return
    }
    let isYAML = note.hasPrefix("---\n") || note.hasPrefix("---\r\n")
    guard isYAML || note.hasPrefix("+++\n") || note.hasPrefix("+++\r\n") else { return nil }
    let first = note.dropFirst(4).drop(while: \.isNewline).prefix { !$0.isNewline }
    if isTooLong {
      let isField = isYAML ? #/[\w -]+:.*/# : #/[\w -]+=.*/#
      guard first.wholeMatch(of: isField) != nil else { return nil }
      self.init(reason: tooLong, line: 1)
    } else {
      // Below a rule, other words may stand before a colon.
      let isField = isYAML ? #/(?:title|tags|date|created) *:.*/# : #/[\w -]+=.*/#
      guard first.wholeMatch(of: isField) != nil else { return nil }
      self.init(reason: "no line of \(isYAML ? "---" : "+++") ends it", line: 1)
    }
  }

  /// The flaw of a second block of fields right behind the front matter, which is not read; `nil`
  /// for a text, and for fields without a title, tags and a date.
  init?(ofBlockBehind frontMatter: FrontMatter, in text: String) {
    let rest = text[frontMatter.end...]
    guard rest.utf8.starts(with: "---".utf8) else { return nil }
    let block = String(rest)
    guard let second = FrontMatter(of: block),
      let values = try? FrontMatterValues(second, in: block),
      !values.tags.isEmpty || values.title != nil || values.createdAt != nil
    else { return nil }
    let line = text.utf8[..<frontMatter.end].reduce(1) {
      $0 + ($1 == UInt8(ascii: "\n") ? 1 : 0)
    }
    self.init(reason: "a second block of fields begins here, and is not read", line: line)
  }

  /// The flaw of a title that is longer than a store takes; `nil` for others.
  init?(ofTitle title: String?) {
    guard let title, title.unicodeScalars.count > TextRules.maximumTitleCount else { return nil }
    self.init(reason: "the title was cut to \(TextRules.maximumTitleCount) characters")
  }

  /// Returns the flaws of the names of folders that should become tags and cannot.
  static func flaws(ofFolders names: [String]) -> [FrontMatterFlaw] {
    names.filter { TextRules.fittingTag($0) == nil }.map {
      FrontMatterFlaw(
        reason: "the folder “\($0.prefix(100))” has a comma, or more than 100 characters (tags)"
      )
    }
  }

  /// Returns the flaws of the keywords in a picture that cannot be tags.
  static func flaws(ofKeywords keywords: [String]) -> [FrontMatterFlaw] {
    keywords.map {
      FrontMatterFlaw(reason: "the keyword “\($0.prefix(100))” is no tag of 1 to 100 characters")
    }
  }

  /// Returns the flaws of texts in a picture or a recording.
  static func flaws(ofTexts texts: [UnreadText]) -> [FrontMatterFlaw] {
    texts.map { FrontMatterFlaw(reason: $0.reason) }
  }

  /// Converts an error of the YAML parser.
  init(_ error: any Error) {
    switch error as? YamlError {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      // The YAML begins after a line of dashes.
      let line = mark.line + 1
      // Yams has no case for it.
      guard problem != FrontMatterFlaw(.undefinedAlias).reason else {
        self.init(.undefinedAlias, line: line)
        return
      }
      let isOfColon = problem == "mapping values are not allowed in this context"
      let advice = isOfColon ? "; a value with a colon and a blank needs quotes" : ""
      self.init(reason: problem + advice, line: line)
    case .duplicatedKeysInMapping(let keys, let context):
      self.init(.repeated(keys.first ?? ""), line: context.mark.line + 1)
    case .reader(let problem, _, _, _): self.init(reason: problem)
    default: self.init(reason: "it is not YAML")
    }
  }
}
