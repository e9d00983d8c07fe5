import Foundation
import SnippetBase
import SnippetRecognition
import SnippetStorage

/// The file of a note: its text, and front matter for the properties that neither the text nor the
/// path expresses.
enum NoteFile {
  /// Properties that a file does not express because it cannot be changed.
  struct Omission {
    /// Some of: the title, the tags, the pin, the date of creation; or the removal of a tag.
    let words: [String]
    /// The reason.
    let reason: String
    var advice = "Correct the front matter there, import the folder, then export again."
    /// Whether only tags stay that were removed.
    var isRemoval = false
  }

  /// Returns the bytes for the file of a snippet at a path in its folder, and the properties
  /// missing in them; `told` is what another file beside it tells, and `dates` says when the front
  /// matter names the date of creation.
  ///
  /// Of an item of another program the store has never read the front matter.
  ///
  /// The bytes are the unchanged content if that already has all properties, is not Markdown in
  /// UTF-8, or has front matter that cannot be changed.
  static func bytes(
    _ content: Data,
    in encoding: TextEncoding?,
    of row: SnippetRow,
    at path: String,
    _ told: ToldFacts? = nil,
    dates: NoteDates = NoteDates(),
    isOfItem: Bool = false
  ) -> (Data, Omission?) {
    guard isNote(row, in: encoding, at: path),
      let text = String(validating: content, as: UTF8.self)
    else {
      let missing = omission(in: encoding, of: row, at: path, told) {
        content.prefix(NoteMetadata.maximumByteCount)
      }
      return (content, missing)
    }
    let note = NoteMetadata(beginning(of: content), ofBundle: told != nil)
    let isUnread = isUnread(row, note, text)
    var edit = edit(of: row, note, path, told, isUnread: isOfItem || isUnread)
    // The fields have a title of their own, or need none.
    if isUnread, note.title != nil || isFence(row.title) { edit.title = nil }
    edit.createdAt = dates.missing(in: note, of: row, at: path)
    let kept = keptTags(note, row, beginning(of: content))
    if edit.isEmpty { return (content, kept) }
    // Front matter of another form would stay below ours, and be a text.
    if FrontMatter(of: text) == nil, let flaw = note.frontMatterFlaw {
      return (
        content, Omission(words: edit.words, reason: "its front matter cannot be read: \(flaw)")
      )
    }
    if let edited = edit.applied(to: text) { return (Data(edited.utf8), kept) }
    let reason =
      note.frontMatterFlaw.map { "its front matter cannot be read: \($0)" }
      ?? "its front matter cannot be changed line by line without losing something"
    guard let edited = edit.withoutTags.applied(to: text) else {
      return (content, Omission(words: edit.words, reason: reason))
    }
    return (Data(edited.utf8), Omission(words: ["the tags"], reason: reason))
  }

  /// Returns the properties that the file of a text lacks that is never changed: it is not Markdown,
  /// not in UTF-8, or too large; `nil` for a file that lacks none, and for one of another kind.
  static func omission(
    in encoding: TextEncoding?,
    of row: SnippetRow,
    at path: String,
    _ told: ToldFacts? = nil,
    beginning: () throws -> Data
  ) rethrows -> Omission? {
    guard row.kind == .text, let encoding else { return nil }
    var note = NoteMetadata("")
    let language = NoteLanguage(ofFile: path)
    if let language {
      let text = encoding.decodePrefix(try beginning())
      note = NoteMetadata(text, in: language, ofBundle: told != nil)
    }
    let words = edit(of: row, note, path, told, isUnread: false).words
    if words.isEmpty { return nil }
    guard language == .markdown else {
      return Omission(words: words, reason: "only Markdown has a place for that", advice: otherForm)
    }
    guard row.byteCount <= Int64(maximumByteCount) else {
      let reason = "it is larger than \(maximumByteCount >> 20) MiB"
      return Omission(words: words, reason: reason, advice: otherForm)
    }
    let advice = "Convert it to UTF-8, import the folder, then export again."
    return Omission(words: words, reason: "it is not in UTF-8", advice: advice)
  }

  private static let otherForm =
    "Export into another folder without --markdown, which keeps all: snip export FOLDER"

  /// Returns the part of a note that an import searches for metadata.
  static func beginning(of content: Data) -> String {
    TextEncoding.utf8.decodePrefix(Array(content.prefix(NoteMetadata.maximumByteCount)))
  }

  /// Larger notes are not changed.
  static let maximumByteCount = 64 << 20

  /// Whether the file of a snippet can express more than its content.
  ///
  /// The bytes are not enough to decide: plain letters in UTF-16 or ISO-2022-JP are valid UTF-8 as
  /// well.
  static func isNote(_ row: SnippetRow, in encoding: TextEncoding?, at path: String) -> Bool {
    row.kind == .text && encoding == .utf8 && NoteMetadata.isMarkdown(name: path)
      && row.byteCount <= Int64(maximumByteCount)
  }

  /// Returns the removal of tags that stand in the text, where no export changes anything.
  ///
  /// A text that was added without a file, and never edited, has not had them. Nor has one from a
  /// bundle had the first word of a tag that a second mark closes there: of `#two words#` the tag
  /// `two`.
  private static func keptTags(
    _ note: NoteMetadata,
    _ row: SnippetRow,
    _ text: String
  ) -> Omission? {
    guard row.modifiedAt != row.createdAt else { return nil }
    let (known, listed) = (TagSet(row.tags), TagSet(note.listedTags))
    var kept = note.tags.compactMap(TextRules.fittingTag)
      .filter { !known.contains($0) && !listed.contains($0) }
    if !kept.isEmpty {
      let tags = NoteMetadata(text, ofBundle: true).tags
      let own = TagSet(tags)
      let closed = tags.filter { $0.contains(" ") && known.contains($0) }.map { $0.lowercased() }
      kept = kept.filter { tag in
        let isFirstWord = closed.contains { $0.hasPrefix(tag.lowercased()) }
        return own.contains(tag) || !isFirstWord
      }
    }
    return Omission(removalOf: kept, in: "the text itself", outOf: "out of the text")
  }

  /// Whether the store has not read the front matter of a text, as of one that an app has saved.
  ///
  /// Then the title is made of the text, whatever the fields say. An edit may have made it that too,
  /// but the row has the tags of fields that were read.
  private static func isUnread(_ row: SnippetRow, _ note: NoteMetadata, _ text: String) -> Bool {
    guard let frontMatter = FrontMatter(of: text), frontMatter.language != .json,
      TextPreview(of: text).makes(row.title)
    else { return false }
    if isFence(row.title) || row.modifiedAt == row.createdAt { return true }
    guard let title = TextRules.fittingTitle(note.title), title != row.title else { return false }
    let known = TagSet(row.tags)
    let tags = note.listedTags.compactMap(TextRules.fittingTag)
    return !tags.isEmpty && !tags.contains(where: known.contains)
  }

  /// Whether a title is the line above front matter, as earlier versions made it.
  private static func isFence(_ title: String) -> Bool { ["---", "+++"].contains(title) }

  private static func edit(
    of row: SnippetRow,
    _ note: NoteMetadata,
    _ path: String,
    _ described: ToldFacts?,
    isUnread: Bool
  ) -> FrontMatterEdit {
    var edit = FrontMatterEdit()
    let told = TextRules.fittingTitle(note.title) ?? described?.title
    let title = told ?? FileNames.title(of: path, isText: true)
    // Without its folder a page of Logseq was imported with the name as it is.
    let isName = told == nil && row.title == FileNames.title(of: path.fileName, isText: true)
    if row.title != title, !row.title.isEmpty, !isName { edit.title = row.title }
    let toldTags = TagSet(
      note.tags.compactMap(TextRules.fittingTag) + FileNames.folderTags(of: path)
        + (described?.tags ?? [])
    )
    let untold = row.tags.filter { !toldTags.contains($0) }
    let known = TagSet(row.tags)
    // Values that cannot be tags in the store were not removed there.
    let kept = note.listedTags.filter {
      isUnread || TextRules.fittingTag($0).map(known.contains) ?? true
    }
    if !untold.isEmpty || kept.count < note.listedTags.count { edit.tags = kept + untold }
    let isPinned = note.isPinned || described?.pinned == true
    if row.isPinned != isPinned, !(isUnread && isPinned) { edit.isPinned = row.isPinned }
    return edit
  }
}

extension NoteFile.Omission {
  /// The removal of tags that stand where no export changes anything; `nil` if there are none.
  init?(removalOf kept: [String], in place: String, outOf direction: String) {
    guard !kept.isEmpty else { return nil }
    let names = kept.prefix(3).map { "“\($0)”" }.joined(separator: ", ")
    let more = kept.count > 3 ? " and \(kept.count - 3) more" : ""
    let (tags, them) = kept.count == 1 ? ("tag", "it") : ("tags", "them")
    self.init(
      words: ["the removal of the \(tags) \(names)\(more)"],
      reason: "\(place) has \(them)",
      advice: "Take \(them) \(direction), or give \(them) to the snippet; then export again.",
      isRemoval: true
    )
  }
}

/// Whether a file must name the date of creation of its note.
///
/// In the folder that it came from a note is not dated: the store knows its date, and unedited
/// files come back byte for byte. In a new folder it would otherwise have that of the file.
struct NoteDates {
  /// The date of a file that is new in its folder; `nil` for other files.
  var ofNewFile: Date?
  /// Whether the file names the date since it was new.
  var isNamed = false

  /// Returns the date of a snippet that an import would not find in its file otherwise.
  fileprivate func missing(in note: NoteMetadata, of row: SnippetRow, at path: String) -> Date? {
    guard note.createdAt == nil else { return nil }
    if isNamed { return row.createdAt }
    guard let ofNewFile else { return nil }
    var evidence = DateEvidence()
    evidence.add(fileNamed: path.fileName, isText: true, modifiedAt: ofNewFile, now: Date())
    let found = evidence.best ?? ofNewFile
    let isFound = abs(found.timeIntervalSince(row.createdAt)) < FileStamp.coarsestGrain
    return isFound ? nil : row.createdAt
  }
}

extension FrontMatterEdit {
  /// The changes that are possible if the tags must stay.
  fileprivate var withoutTags: FrontMatterEdit {
    FrontMatterEdit(title: title, isPinned: isPinned, createdAt: createdAt)
  }

  /// The properties that the edit changes.
  fileprivate var words: [String] {
    [
      title.map { _ in "the title" }, tags.map { _ in "the tags" },
      isPinned.map { _ in "the pin" }, createdAt.map { _ in "the date of creation" },
    ]
    .compactMap(\.self)
  }
}
