import Foundation
import SnippetBase

/// Prepares a draft before any lock is taken: reads its bytes, recognizes them, and hashes them.
struct DraftPreparation {
  let now: Date
  let operation: String
  /// Throws if the result is no longer needed.
  var check: () throws -> Void = {}

  /// The most content, in bytes, to read once and keep; larger content is read again when it is
  /// written.
  ///
  /// The first reading computes the hash. The row of a blob needs it before the first chunk, and
  /// bytes that the store already has need not be written at all. The second reading is compared
  /// with it, so a file that changes in between is not stored. It finds most of the file in the
  /// system's cache, and hashing again takes less time than writing.
  private static let keptByteCount: Int64 = 1 << 20

  /// The most bytes of a text that its title and preview can need.
  static let previewByteCount = 1 << 14

  /// Prepares a draft.
  func prepare(_ draft: SnippetDraft) throws(SnippetStoreError) -> PreparedSnippet {
    try SnippetStoreError.converting(during: operation) {
      switch draft.content.source {
      case .text(let text):
        return try prepare(text, of: draft)
      case .bytes(let data):
        return try prepare(MemoryBytes(data: data), of: draft)
      case .file(let url):
        let file = try FileBytes(path: url.path)
        return try prepare(
          file,
          of: draft,
          name: url.path.fileName,
          modifiedAt: file.modifiedAt
        )
      case .stream(let stream):
        return try prepare(try collect(stream.reading()), of: draft)
      case .collected(let source):
        return try prepare(source, of: draft)
      }
    }
  }

  // MARK: - By source

  private func prepare(_ text: String, of draft: SnippetDraft) throws -> PreparedSnippet {
    guard draft.kind ?? .text == .text else {
      throw SnippetStoreError(
        .unsupportedContent,
        operation,
        because: "a text cannot be the content of an image or voice",
        do: "Give the bytes of the image or recording."
      )
    }
    let utf8 = RecognizedContent(type: .plainText, encoding: .utf8)
    let character = ContentCharacter(utf8, of: draft)
    if let body = Self.body(of: text) {
      return try assemble(
        draft,
        character,
        byteCount: Int64(text.utf8.count),
        words: TextPreview(of: text),
        body: body
      )
    }
    return try assemble(draft, character, MemoryBytes(data: Data(text.utf8)))
  }

  private func prepare(
    _ source: any ByteSource,
    of draft: SnippetDraft,
    name: String? = nil,
    modifiedAt: Date? = nil
  ) throws -> PreparedSnippet {
    var source = source
    if source.byteCount <= Self.keptByteCount, !(source is MemoryBytes) {
      let bytes = try source.bytes(at: 0, count: Int(source.byteCount))
      guard bytes.count == source.byteCount else { throw ContentChange() }
      source = MemoryBytes(data: Data(bytes))
    }
    try check()
    let character = try character(of: source, for: draft)
    var draft = draft
    let reading = DraftReading(
      source: source,
      encoding: character.recognized?.encoding,
      modifiedAt: modifiedAt
    )
    try draft.hints.complete?(reading, &draft)
    let hasTitle = draft.title != nil
    // Recorders name their files by number or date, so a title inside goes first.
    draft.title =
      draft.title ?? character.recognized?.title
      ?? name.map { TextRules.title(ofFile: $0, isText: character.kind == .text) }
    var unreadTexts = character.recognized?.unreadTexts ?? []
    if draft.note != nil { unreadTexts.removeAll { $0 == .longNote } }
    if hasTitle { unreadTexts.removeAll { $0 == .longTitle } }
    draft.note = draft.note ?? character.recognized?.note.map(TextRules.note(of:))
    // A snippet that is known has the tags that its user left it.
    let keywords = draft.uuid == nil ? character.recognized?.keywords ?? [] : []
    draft.tags += keywords.compactMap(Self.tag(of:))
    draft.createdAt = evidence(character, draft, name: name, modifiedAt: modifiedAt).best
    var snippet = try assemble(draft, character, source)
    snippet.unfittingKeywords = keywords.filter { Self.tag(of: $0) == nil }
    snippet.unreadTexts = unreadTexts
    return snippet
  }

  /// Makes a tag of a keyword, in which a comma becomes a blank; `nil` if it is too long for one.
  static func tag(of keyword: String) -> String? {
    let text = String(keyword.map { [",", "\0"].contains($0) ? " " : $0 }).foldingWhiteSpace()
    return try? TextRules.tag(text, during: "read a keyword")
  }

  /// Collects what is known of the moment at which the content was made.
  private func evidence(
    _ character: ContentCharacter,
    _ draft: SnippetDraft,
    name: String?,
    modifiedAt: Date?
  ) -> DateEvidence {
    var dates = character.recognized?.dates ?? DateEvidence()
    dates.add(draft.hints.dates)
    dates.add(.draft, draft.createdAt)
    guard let name, !dates.has(.draft) else { return dates }
    let isText = character.kind == .text
    dates.add(fileNamed: name, isText: isText, modifiedAt: modifiedAt, now: now)
    return dates
  }

  /// Reads a stream to its end; a short one stays in memory.
  private func collect(_ next: () throws -> Data?) throws -> any ByteSource {
    var head = Data()
    while let piece = try next() {
      try check()
      head.append(piece)
      guard head.count <= Self.keptByteCount else {
        let spool = try SpooledBytes()
        try spool.append(head)
        while let piece = try next() {
          try check()
          try spool.append(piece)
        }
        return spool
      }
    }
    return MemoryBytes(data: head)
  }

  // MARK: - Putting together

  private func character(
    of source: any ByteSource,
    for draft: SnippetDraft
  ) throws -> ContentCharacter {
    if draft.kind == .text, let encoding = draft.textEncoding {
      return ContentCharacter(RecognizedContent(type: .plainText, encoding: encoding), of: draft)
    }
    if draft.hints.isTextWhenEmpty, let encoding = try ContentRecognizer.emptyEncoding(of: source) {
      return ContentCharacter(RecognizedContent(type: .plainText, encoding: encoding), of: draft)
    }
    let recognized = try ContentRecognizer.recognize(source)
    if let recognized, draft.kind ?? recognized.type.kind == recognized.type.kind {
      return ContentCharacter(recognized, of: draft)
    }
    // For an unknown format, trust the caller. A text must be recognized.
    guard let kind = draft.kind, kind != .text, let mediaType = draft.mediaType,
      source.byteCount > 0
    else { throw try unsupported(source, recognized, draft.kind) }
    return ContentCharacter(unknown: kind, mediaType)
  }

  private func assemble(
    _ draft: SnippetDraft,
    _ character: ContentCharacter,
    _ source: any ByteSource
  ) throws -> PreparedSnippet {
    var words = TextPreview(of: "")
    if let encoding = character.recognized?.encoding {
      let head = try source.bytes(at: 0, count: Self.previewByteCount)
      words = TextPreview(of: encoding.decodePrefix(head))
    }
    return try assemble(
      draft,
      character,
      byteCount: source.byteCount,
      words: words,
      body: try body(character, source)
    )
  }

  private func assemble(
    _ draft: SnippetDraft,
    _ character: ContentCharacter,
    byteCount: Int64,
    words: TextPreview,
    body: PreparedSnippet.Body
  ) throws -> PreparedSnippet {
    let createdAt = draft.createdAt ?? now
    let note = try TextRules.note(draft.note ?? "", during: operation)
    guard note.isEmpty || character.kind != .text else {
      throw SnippetStoreError.textHasNoNote(during: operation)
    }
    if let expected = draft.sha256, body.sha256 != expected {
      throw SnippetStoreError(
        .contentChanged,
        operation,
        because: "the bytes are not those that their hash was taken of",
        do: "Download or copy the file again."
      )
    }
    return PreparedSnippet(
      uuid: draft.uuid ?? UUID.timeOrdered(at: createdAt),
      kind: character.kind,
      title: try TextRules.title(draft.title ?? words.title, during: operation),
      preview: character.kind == .text ? words.preview : TextPreview(of: note).preview,
      createdAt: createdAt,
      modifiedAt: draft.modifiedAt ?? createdAt,
      isIdentified: draft.uuid != nil,
      isPinned: draft.isPinned,
      tags: try TextRules.tags(draft.tags, during: operation),
      byteCount: byteCount,
      mediaType: try TextRules.mediaType(character.mediaType, during: operation),
      facts: facts(draft, character),
      body: body,
      note: note
    )
  }

  private func facts(_ draft: SnippetDraft, _ character: ContentCharacter) -> MediaFacts {
    var facts = character.recognized?.facts ?? MediaFacts()
    facts.isIrregular = character.recognized?.isIrregular ?? false
    return draft.hints.facts.completed(by: facts)
  }

  /// Decides how to store the content: as text if it is short and keeps every byte that way,
  /// otherwise as a blob.
  private func body(
    _ character: ContentCharacter,
    _ source: any ByteSource
  ) throws -> PreparedSnippet.Body {
    if character.recognized?.encoding == .utf8,
      source.byteCount <= TextRules.maximumTextByteCount
    {
      let bytes = try source.bytes(at: 0, count: Int(source.byteCount))
      // Malformed bytes are kept, which a text cannot.
      let text = String(validating: bytes, as: UTF8.self)
      if let body = text.flatMap(Self.body(of:)) { return body }
    }
    guard source.byteCount <= Int64(BlobChunks.size) * BlobChunks.maximumCount else {
      throw BlobTooLarge()
    }
    // A capture is hashed as it arrives.
    let hash = try (source as? StagedBytes)?.sha256 ?? source.contentHash(check: check)
    let blob = PreparedBlob(sha256: hash, source: source)
    return .blob(blob, encoding: character.recognized?.encoding)
  }

  /// Returns a text to store beside its row; `nil` if it must be a blob.
  ///
  /// SQLite's text functions stop at NUL, and a byte order mark is not part of a text.
  private static func body(of text: String) -> PreparedSnippet.Body? {
    guard text.utf8.count <= TextRules.maximumTextByteCount, !text.utf8.contains(0),
      !text.utf8.starts(with: ByteOrderMark.utf8)
    else { return nil }
    return .text(text)
  }

  // MARK: - Errors

  private func unsupported(
    _ source: any ByteSource,
    _ recognized: RecognizedContent?,
    _ kind: SnippetKind?
  ) throws -> SnippetStoreError {
    let found = recognized.map { "the bytes are \($0.type.mediaType)" }
    let wanted = kind.map { ", not \($0.name)" } ?? ""
    let refusal = try recognized == nil ? ContentRecognizer.refusal(of: source) : nil
    return SnippetStoreError(
      .unsupportedContent,
      operation,
      because: found.map { $0 + wanted } ?? refusal?.reason
        ?? (source.byteCount == 0
          ? "there are no bytes" : "the bytes are not a known text, image or recording"),
      keeping: "Nothing was changed."
    )
  }
}

/// The properties of content that go into a row.
private struct ContentCharacter {
  let kind: SnippetKind
  let mediaType: String
  /// The result of recognition; `nil` if the format is unknown.
  let recognized: RecognizedContent?

  /// Takes the kind from the bytes, and the media type from the draft if it gives one.
  init(_ recognized: RecognizedContent, of draft: SnippetDraft) {
    kind = recognized.type.kind
    mediaType = draft.mediaType ?? recognized.type.mediaType
    self.recognized = recognized
  }

  /// Trusts the draft.
  init(unknown kind: SnippetKind, _ mediaType: String) {
    self.kind = kind
    self.mediaType = mediaType
    recognized = nil
  }
}
