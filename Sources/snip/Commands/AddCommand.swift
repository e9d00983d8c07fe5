import ArgumentParser
import Foundation
import SnipCore
import SnippetBase
import SnippetExchange
import SnippetStorage
import TerminalKit

struct AddCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "add",
    abstract: "Add a text, files or standard input, and print the number of each snippet.",
    usage: "snip add [<text> | <file> ... | -] [options]",
    discussion: """
      Each word that names a file becomes a snippet of its content; words that name no files are \
      one text. A word that looks like the name of a missing file is an error, alone or beside a \
      quoted text: --text takes it as a text. The kind of a file follows from its content, not \
      from its name. Without a text or files, a pipe or a file on standard input is read, as with -.

      The title, tags, dates and pin in a note, a file such as note.md or note.org, are taken \
      over, as by `snip import`; so are those of another text that begins with front matter \
      between two lines of dashes or plus signs. --title replaces the title, and --tag and \
      --pin add to the rest.

      --once and --keep make a history, as of a clipboard: --once brings a text, picture or \
      recording that is there already to the top, with its title, tags and pin, and --keep \
      moves the oldest to the trash. With --tag both look only at snippets that have all of \
      these tags. With either, a note is a text like any other.

      Examples:
        snip add 'Milk, eggs' --tag shopping
        snip add photo.jpg memo.m4a
        snip add photo.jpg --title 'The harbour' --pin
        snip add photo.jpg --note 'The boats of the regatta'
        date | snip add
        snip add --text photo.jpg
        wl-paste --watch snip add --tag clipboard --once --keep 500
        snip add -- '- a text that starts with a dash'
      """
  )

  @OptionGroup var store: StoreOptions
  @OptionGroup var output: OutputOptions

  @Argument(
    help: ArgumentHelp("A text, files, or - for standard input.", valueName: "text or file"),
    completion: .file()
  )
  var joinedWords: [String] = []

  private var words: [String] { ManyWords.apart(joinedWords) }

  // Unconditional, because a text may start like an option.
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("A text, whatever it looks like.", valueName: "string")
  )
  var text: String?

  @Option(
    name: .customLong("file"),
    help: ArgumentHelp("A file, whatever its name. May be repeated.", valueName: "file"),
    completion: .file()
  )
  var files: [String] = []

  @Option(
    help: ArgumentHelp("A file that must be an image.", valueName: "file"),
    completion: .file()
  )
  var image: String?

  @Option(
    help: ArgumentHelp("A file that must be a recording.", valueName: "file"),
    completion: .file()
  )
  var voice: String?

  @Flag(name: .customLong("stdin"), help: "Standard input, like -.")
  var readsInput = false

  @Option(help: "The title. (default: the first line, the title in the file, or its name)")
  var title: String?

  @Option(
    help: ArgumentHelp(
      "The note of an image or recording. (default: the description in the file)",
      valueName: "string"
    )
  )
  var note: String?

  @Option(
    name: .customLong("tag"),
    help: ArgumentHelp("A tag. May be repeated.", valueName: "tag"),
    completion: .tags
  )
  var tags: [String] = []

  @Flag(name: .customLong("pin"), help: "Pin the snippet.")
  var isPinned = false

  @Flag(
    name: .customLong("once"),
    help: "Give an equal snippet with the same tags a new date instead of adding another."
  )
  var isOnce = false

  @Option(
    name: .customLong("keep"),
    help: ArgumentHelp(
      "Keep this many snippets with the tags of --tag; older ones that are not pinned go to the trash.",
      valueName: "count"
    )
  )
  var keptCount: Int?

  /// The ways to say what to add, as advice.
  static let choices =
    "Give a text, files or - for standard input; or one of --text, --file, --image, --voice and "
    + "--stdin."

  func validate() throws {
    let words = words
    let sources = [
      !words.isEmpty, text != nil, !files.isEmpty, image != nil, voice != nil, readsInput,
    ]
    guard sources.count(where: { $0 }) < 2 else { throw ValidationError(Self.choices) }
    guard keptCount.map({ $0 > 0 }) ?? true else {
      throw ValidationError("--keep must be at least 1.")
    }
    guard keptCount == nil || !tags.isEmpty else {
      throw ValidationError("--keep needs a --tag: it counts the snippets with that tag.")
    }
    guard words.count(where: { $0 == "-" }) < 2 else {
      throw ValidationError("Standard input can be read once.")
    }
  }

  func run(in context: CommandContext) async throws {
    let drafts = try drafts(in: context)
    let store = try await store.open(in: context)
    guard !isOnce, keptCount == nil else { return try await addNewest(drafts, to: store, context) }
    if let draft = drafts.first, drafts.count == 1 {
      let row: SnippetRow
      do throws(SnippetStoreError) {
        row = try await store.save(draft.draft)
      } catch {
        throw draft.failure(error)
      }
      try print(row, to: context.console.output)
      await record(draft.file.map { [(row.id, $0)] } ?? [], in: store, context)
      return tellFiles(drafts, in: context)
    }
    let (console, isJSON) = (context.console, output.isJSON)
    let tally = AddTally(of: drafts.map { ($0.name, $0.file) }, in: store, console) { id in
      guard isJSON else { return try console.output.writeLine(id.description) }
      if let row = try store.row(id) { try console.output.writeLine(row.json) }
    }
    let outcome: Result<Void, any Error>
    do {
      outcome = .success(try await tally.add(drafts.map(\.draft)))
    } catch {
      outcome = .failure(error)
    }
    await record(
      tally.saved.compactMap { index, id in drafts[index].file.map { (id, $0) } },
      in: store,
      context
    )
    tellFiles(tally.saved.map { drafts[$0.index] }, in: context)
    try outcome.get()
  }

  /// Adds to a history of the newest snippets, one after the other.
  private func addNewest(
    _ drafts: [NamedDraft],
    to store: SnippetStore,
    _ context: CommandContext
  ) async throws {
    var failedCount = 0
    for draft in drafts {
      do {
        let saved = try await store.saveNewest(draft.draft, isOnce: isOnce, keeping: keptCount)
        try printNewest(saved, in: context)
        await record(draft.file.map { [(saved.row.id, $0)] } ?? [], in: store, context)
      } catch let error as SnippetStoreError {
        guard drafts.count > 1, let failure = UnaddedFileError(draft.name, of: draft.file, error)
        else {
          throw draft.failure(error)
        }
        failedCount += 1
        _ = context.console.report(failure)
      }
    }
    guard failedCount == 0 else {
      throw UnaddedFilesError(count: failedCount, totalCount: drafts.count)
    }
    tellFiles(drafts, in: context)
  }

  private func printNewest(_ saved: NewestSave, in context: CommandContext) throws {
    let (output, messages) = (context.console.output, context.console.messages)
    guard !self.output.isJSON else {
      var json = saved.row.json
      json["new"] = .bool(saved.isNew)
      json["trashed"] = .array(saved.trashed.map { .integer($0.rawValue) })
      return try output.writeLine(json)
    }
    try output.writeLine(saved.row.id.description)
    if !saved.isNew {
      messages.writeLine("Snippet \(saved.row.id) has this already, and is on top now.")
    }
    if !saved.trashed.isEmpty {
      messages.writeLine("Moved \(saved.trashed.count.counted("older one")) to the trash.")
    }
  }

  /// Records the files of snippets, for queries.
  ///
  /// If that fails, the snippets are there all the same.
  private func record(
    _ files: [(id: SnippetID, url: URL)],
    in store: SnippetStore,
    _ context: CommandContext
  ) async {
    guard !files.isEmpty else { return }
    do {
      try await store.recordFiles(files)
    } catch {
      context.console.messages.writeLine(
        "Added, but queries do not know from which file: \(TerminalText(error.reason))"
      )
    }
  }

  /// Names what could not be read of notes, and the files that could have been meant as words of a
  /// text.
  private func tellFiles(_ drafts: [NamedDraft], in context: CommandContext) {
    var unread = NamedFiles()
    unread.areAllInJSON = false
    for draft in drafts { draft.nameUnread(in: &unread) }
    for line in unread.lines { context.console.messages.writeLine("\(TerminalText(line))") }
    for draft in drafts where draft.couldBeText {
      context.console.messages.writeLine(
        "Added the file \(TerminalText(draft.name)). For the text: snip add --text "
          + TerminalText(ShellWord(draft.name).description).description
      )
    }
  }

  private func print(_ row: SnippetRow, to stream: ConsoleStream) throws {
    if output.isJSON {
      try stream.writeLine(row.json)
    } else {
      try stream.writeLine(row.id.description)
    }
  }

  /// The drafts to save, with the names of their files.
  private func drafts(in context: CommandContext) throws -> [NamedDraft] {
    if let image {
      let file = context.url(image)
      return [NamedDraft(image, draft(.file(at: file), .image), of: file)]
    }
    if let voice {
      let file = context.url(voice)
      return [NamedDraft(voice, draft(.file(at: file), .voice), of: file)]
    }
    let contents: [AddedContent] =
      if let text {
        [.text(text)]
      } else if readsInput {
        [.input]
      } else if !files.isEmpty {
        files.map(AddedContent.file)
      } else if words.isEmpty {
        [.input]
      } else {
        try AddedContent.told(from: words) { AddedContent.PathKind(at: $0, in: context) }
      }
    guard contents != [.input] || readsInput || !words.isEmpty || context.input.isPipeOrFile else {
      throw NothingToAddError()
    }
    guard title == nil || contents.count == 1 else { throw SeveralForOneError(option: "--title") }
    guard note == nil || contents.count == 1 else { throw SeveralForOneError(option: "--note") }
    // In a history, the newest is what was added last.
    let readsNotes = !isOnce && keptCount == nil
    return try contents.map { content in
      switch content {
      case .text(let text):
        NamedDraft("the text", draft(.text(text)), text: text, readsFrontMatter: readsNotes)
      case .file(let path):
        NamedDraft(
          path,
          draft(try .bytes(at: context.url(path))),
          of: context.url(path),
          language: readsNotes ? NoteLanguage(ofFile: path) : nil,
          couldBeText: files.isEmpty && !AddedContent.looksLikePath(path)
            && path.fileExtension.isEmpty
        )
      case .input:
        NamedDraft("standard input", draft(.all(of: context.input)), readsFrontMatter: readsNotes)
      }
    }
  }

  private func draft(_ content: SnippetContent, _ kind: SnippetKind? = nil) -> SnippetDraft {
    var draft = SnippetDraft(content, kind: kind)
    draft.title = title
    draft.note = note
    draft.tags = tags.map(TagWord.plain)
    draft.isPinned = isPinned
    return draft
  }
}

/// A draft with a name for messages.
private struct NamedDraft {
  let name: String
  private(set) var draft: SnippetDraft
  /// The file; `nil` for a text and standard input.
  let file: URL?
  /// Whether the name of the file is a word that a text may consist of.
  let couldBeText: Bool
  /// The metadata in a note.
  private let note = NoteReading()

  /// Names a draft; one in the language of notes is read as an import reads it.
  init(
    _ name: String,
    _ draft: SnippetDraft,
    of file: URL? = nil,
    language: NoteLanguage? = nil,
    couldBeText: Bool = false
  ) {
    (self.name, self.draft, self.file, self.couldBeText) = (name, draft, file, couldBeText)
    guard let language else { return }
    self.draft.hints.complete = { [note, title = draft.title] reading, draft in
      try note.complete(reading, &draft, in: language, ofBundle: false)
      draft.title = title ?? draft.title
    }
  }

  /// Names the draft of a text without a file, or of standard input, whose front matter may be read
  /// as that of a note.
  init(_ name: String, _ draft: SnippetDraft, text: String? = nil, readsFrontMatter: Bool) {
    self.init(name, draft)
    guard readsFrontMatter else { return }
    guard let text else {
      self.draft.hints.complete = { [note, title = draft.title] reading, draft in
        try note.complete(frontMatterIn: reading, &draft)
        draft.title = title ?? draft.title
      }
      return
    }
    var completed = draft
    note.complete(frontMatterOf: text, &completed)
    completed.title = draft.title ?? completed.title
    self.draft = completed
  }

  /// Adds what could not be read of a note.
  func nameUnread(in named: inout NamedFiles) {
    guard let note = note.value else { return }
    for flaw in note.unread {
      named.add("\(name): \(flaw)", "values unread", because: "they stay in the text alone")
    }
    guard let flaw = note.frontMatterFlaw else { return }
    named.add(
      "\(name): \(flaw)",
      "front matter unread",
      because: "what could be read was taken over; correct the text with snip edit"
    )
  }

  /// The error to report for one of the store.
  func failure(_ error: SnippetStoreError) -> any Error {
    if let failure = error.underlyingError as? InputFailure { return failure }
    // An error about a file of bytes names it; one about bytes alone does not.
    if file != nil, !error.message.contains(name),
      let named = UnaddedFileError(name, of: file, error)
    {
      return named
    }
    return InputError(error) ?? error
  }
}

/// Neither the arguments nor standard input say what to add.
struct NothingToAddError: StatusError {
  var status: ExitStatus { .usage }
  var message: String { "there is nothing to add" }
  var hint: String? { AddCommand.choices }
}

extension SnippetContent {
  /// The content of a file, or of a pipe that a shell has put in the place of one.
  fileprivate static func bytes(at url: URL) throws -> SnippetContent {
    var status = stat()
    guard stat(url.path, &status) == 0, status.st_mode & S_IFMT == S_IFIFO else {
      return .file(at: url)
    }
    return .all(of: CommandInput(try FileHandle(forReadingFrom: url)))
  }

  /// The content of standard input.
  fileprivate static func all(of input: CommandInput) -> SnippetContent {
    .stream {
      do { return try input.read(upToCount: 1 << 18) } catch { throw InputFailure(error) }
    }
  }
}

/// One title or note was given for several snippets.
struct SeveralForOneError: StatusError {
  let option: String

  var status: ExitStatus { .usage }
  var message: String { "\(option) is for one snippet" }
  var hint: String? { "Nothing was added. Add them one by one, or leave \(option) out." }
}
