import Foundation

@testable import SnippetExchange

extension FuzzTarget {
  /// Reads the metadata of a note, and writes other values into it.
  ///
  /// The first byte chooses the values that are written. The first line gives the title, the second
  /// the tags; the rest is the note.
  static let note = FuzzTarget("note") { bytes in
    var input = FuzzBytes(bytes)
    let choice = input.byte()
    let title = input.line().trimmingCharacters(in: .whitespacesAndNewlines)
    let tags = input.line().split(separator: ",").map(String.init)
    let text = input.text()

    let note = NoteMetadata(text)
    try requireMetadata(of: note)
    try requireFrontMatter(of: text)

    let edit = FrontMatterEdit(
      title: choice & 1 == 0 ? nil : title,
      tags: choice & 2 == 0 ? nil : tags,
      isPinned: choice & 4 == 0 ? nil : choice & 8 == 0
    )
    guard let edited = edit.applied(to: text) else { return }
    let again = NoteMetadata(edited)
    let shown = "\(edit) of \(text.debugDescription) makes \(edited.debugDescription)"
    try require(again.frontMatterFlaw == nil || edited == text, "it can be read again: \(shown)")
    try require(again.title == edit.title ?? note.title, "the title is the wanted one: \(shown)")
    try require(
      again.listedTags == edit.tags ?? note.listedTags,
      "the tags are the wanted ones: \(shown)"
    )
    try require(
      again.isPinned == edit.isPinned ?? note.isPinned,
      "it is pinned as it should be: \(shown)"
    )
    try require(
      again.createdAt == note.createdAt && again.modifiedAt == note.modifiedAt,
      "the dates stay: \(shown)"
    )
    try require(body(of: edited).elementsEqual(body(of: text)), "the text stays: \(shown)")
  }

  /// Does the same with front matter in TOML, which has a corpus of its own.
  static let toml = FuzzTarget("toml", note.check)

  private static func requireMetadata(of note: NoteMetadata) throws(BrokenRule) {
    try require(note.tags.starts(with: note.listedTags), "the listed tags come first")
    // Two fields of front matter, and the text.
    let limit = 3 * NoteMetadata.maximumTagCount
    try require(note.tags.count <= limit, "there are at most \(limit) tags")
    for tag in note.tags.dropFirst(note.listedTags.count) {
      let isWord = tag.unicodeScalars.allSatisfy { !$0.properties.isWhitespace && $0 != "#" }
      try require(isWord && !tag.isEmpty, "a tag of a text is a word: \(tag.debugDescription)")
    }
    for date in [note.createdAt, note.modifiedAt].compactMap(\.self) {
      try require(
        (-62_135_596_800..<253_402_300_800).contains(date.timeIntervalSince1970),
        "a date is one that a store accepts: \(date)"
      )
    }
  }

  private static func requireFrontMatter(of text: String) throws(BrokenRule) {
    guard let frontMatter = FrontMatter(of: text) else { return }
    let byteCount = text[frontMatter.range].utf8.count
    try require(byteCount <= FrontMatter.maximumByteCount, "front matter is short: \(byteCount)")
    try require(
      frontMatter.range.upperBound < frontMatter.end,
      "a line ends it: \(text.debugDescription)"
    )
  }

  private static func body(of text: String) -> Substring.UTF8View {
    let text = text.withLineFeeds ?? text
    let isMarked = text.utf8.starts(with: [0xEF, 0xBB, 0xBF])
    let start = text.utf8.index(text.utf8.startIndex, offsetBy: isMarked ? 3 : 0)
    return text.utf8[(FrontMatter(of: text)?.end ?? start)...]
  }
}
