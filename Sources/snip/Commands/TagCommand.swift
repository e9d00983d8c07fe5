import ArgumentParser
import SnipCore
import SnippetStorage
import TerminalKit

struct TagCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "tag",
    abstract: "Put tags on snippets or take them off; without a snippet, list all tags.",
    usage: "snip tag [<id> ... | --query <query>] [<tag> ...] [options]",
    discussion: """
      The numbers and ranges at the beginning are those of snippets, all other words are tags; use \
      --add for a tag that is a number. With --query all words are tags, and it asks first on a \
      terminal. Either all the snippets are changed, or none.

      --rename changes a tag on all snippets, even in the trash, and the tags below it: with \
      work, work/berlin too. If there is a tag of the new name already, both become one.

      Examples:
        snip tag                          all tags and how many snippets carry them
        snip tag 7 holiday 'family photo'
        snip tag 3-9 12 holiday
        snip tag 7 --add 2026 --remove inbox
        snip tag --query 'tag:inbox before:2024' old --remove inbox
        snip tag --rename work job
      """
  )

  @OptionGroup var store: StoreOptions
  @OptionGroup var output: OutputOptions

  @Argument(
    help: ArgumentHelp("The numbers of snippets, then the tags to put on.", valueName: "id"),
    completion: .tags
  )
  var joinedWords: [String] = []

  private var words: [String] { ManyWords.apart(joinedWords) }

  @Option(
    name: .customLong("add"),
    help: ArgumentHelp("A tag to put on, even a number. May be repeated.", valueName: "tag"),
    completion: .tags
  )
  var added: [String] = []

  @Option(
    name: .customLong("remove"),
    help: ArgumentHelp("A tag to take off. May be repeated.", valueName: "tag"),
    completion: .tags
  )
  var removed: [String] = []

  @OptionGroup var query: QueryOption

  @Option(
    name: .customLong("rename"),
    help: ArgumentHelp("A tag to change on all snippets; its new name follows.", valueName: "tag"),
    completion: .tags
  )
  var renamed: String?

  @Option(name: .customLong("for-completion"), help: .hidden)
  var offered: OfferedWords?

  @OptionGroup var confirmation: ConfirmationOptions

  func validate() throws {
    if renamed != nil {
      guard words.count == 1, added.isEmpty, removed.isEmpty, !query.isGiven else {
        throw ValidationError("Give two names: `snip tag --rename OLD NEW`.")
      }
      return
    }
    let numbers = numbers
    if !query.isGiven, let word = words.dropFirst(numbers.count).first, ManyIDs.isBackward(word) {
      throw ValidationError(
        "‘\(word)’ ends before it begins. Write the lower number first, or --add \(word) for a tag."
      )
    }
    guard !numbers.isEmpty || query.isGiven || words.isEmpty && added.isEmpty && removed.isEmpty
    else {
      throw ValidationError("Say which snippet: `snip tag ID TAG`.")
    }
    for number in numbers where ManyIDs([number]) == nil {
      throw ValidationError("‘\(number)’ is not the number of a snippet.")
    }
    let (edit, key) = (edit, TextRules.key(ofTag:))
    let taken = Set(edit.removedTags.map(key))
    if let tag = edit.addedTags.first(where: { taken.contains(key($0)) }) {
      throw ValidationError("‘\(tag)’ is to be put on and taken off; give it once.")
    }
  }

  /// The leading words that consist of digits, or are ranges.
  private var numbers: [String] {
    guard !query.isGiven else { return [] }
    return Array(
      words.prefix { word in
        !word.isEmpty && word.utf8.allSatisfy { (0x30...0x39).contains($0) }
          || ManyIDs.range(word) != nil
      }
    )
  }

  private var edit: SnippetEdit {
    SnippetEdit(
      addedTags: (words.dropFirst(numbers.count) + added).map(TagWord.plain),
      removedTags: removed + removed.map(TagWord.plain)
    )
  }

  func run(in context: CommandContext) async throws {
    if let offered { return try await offer(offered, in: context) }
    if let renamed {
      return try await rename(TagWord.plain(renamed), to: TagWord.plain(words[0]), in: context)
    }
    guard !query.isGiven else { return try await tagFound(in: context) }
    guard let numbers = ManyIDs(numbers), !numbers.isEmpty else {
      let store = try await store.openForReading(in: context)
      return try await listTags(of: store, context.console.output)
    }
    let edit = edit
    let rows: [SnippetRow]
    var former: [SnippetRow] = []
    if edit == SnippetEdit() {
      let store = try await store.openForReading(in: context)
      let ids = try await numbers.all(in: store, isInTrash: false)
      let found = try ids.map { id in (id, try store.row(id)) }
      let missing = found.filter { $0.1 == nil }.map(\.0)
      guard missing.isEmpty else { throw UntaggedSnippetsError(missing, of: ids) }
      rows = found.compactMap(\.1)
    } else {
      let store = try await store.openForChanging(in: context)
      let ids = try await numbers.all(in: store, isInTrash: false)
      if !removed.isEmpty { former = try ids.compactMap(store.row) }
      do {
        rows = try await store.apply(edit, to: ids)
      } catch {
        guard error.code == .notFound, ids.count > 1 else { throw error }
        throw UntaggedSnippetsError(try ids.filter { try store.row($0) == nil }, of: ids)
      }
    }
    try print(rows, to: context.console.output)
    let kept = Dictionary(rows.map { ($0.id, Set($0.tags)) }, uniquingKeysWith: { $1 })
    if !former.isEmpty, former.allSatisfy({ kept[$0.id]?.isSuperset(of: $0.tags) ?? true }) {
      let tags = removed.count == 1 ? "the tag is" : "the tags are"
      context.console.messages.writeLine("Nothing was taken off: \(tags) not there.")
    }
  }

  /// Changes the tags of the snippets that a query finds, or prints them.
  private func tagFound(in context: CommandContext) async throws {
    let (edit, output) = (edit, context.console.output)
    guard edit != SnippetEdit() else {
      let store = try await store.openForReading(in: context)
      let ids = try await query.ids(in: store, context)
      return try print(ids.compactMap(store.row), to: output)
    }
    let store = try await store.openForChanging(in: context)
    let ids = try await query.ids(in: store, context)
    guard !ids.isEmpty else { return }
    let snippets = ids.count == 1 ? "snippet \(ids[0])" : "\(ids.count) snippets"
    try await confirmation.require("Change the tags of \(snippets)?", in: context)
    let rows = try await store.apply(edit, to: ids)
    if self.output.isJSON { try print(rows, to: output) }
    context.console.messages.writeLine("Changed the tags of \(snippets).")
  }

  private func rename(
    _ name: String,
    to newName: String,
    in context: CommandContext
  ) async throws {
    let store = try await store.openForChanging(in: context)
    guard let count = try await store.renameTag(name, to: newName) else {
      throw NoSuchTagError(name: name)
    }
    if output.isJSON {
      try context.console.output.writeLine([
        "tag": .string(newName), "snippets": JSONValue(count),
      ])
    } else {
      context.console.messages.writeLine("Renamed it on \(count.counted("snippet")).")
    }
  }

  /// Prints the tags of one snippet one a line, and those of several after their numbers.
  private func print(_ rows: [SnippetRow], to stream: ConsoleStream) throws {
    for row in rows {
      if output.isJSON {
        try stream.writeLine(row.json)
      } else if rows.count == 1 {
        for tag in row.tags { try stream.writeLine(TerminalText(tag).description) }
      } else {
        let tags = TerminalText(row.tags.joined(separator: ", "))
        try stream.writeLine(row.tags.isEmpty ? "\(row.id)" : "\(row.id)  \(tags)")
      }
    }
  }

  /// Prints what a shell offers; tags if there is a store.
  private func offer(_ words: OfferedWords, in context: CommandContext) async throws {
    let tags = try? await store.openForReading(in: context).tags().map(\.name)
    let shell = context.environment["SAP_SHELL"]
    for line in words.lines(with: tags ?? [], for: shell) {
      try context.console.output.writeLine(line)
    }
  }

  private func listTags(of store: SnippetStore, _ stream: ConsoleStream) async throws {
    for tag in try await store.tags() {
      if output.isJSON {
        try stream.writeLine(["tag": .string(tag.name), "snippets": JSONValue(tag.snippetCount)])
      } else {
        try stream.writeLine("\(TerminalText(tag.name))  \(tag.snippetCount)")
      }
    }
  }
}

/// There is no tag to rename.
struct NoSuchTagError: StatusError {
  let name: String

  var status: ExitStatus { .failure }
  var message: String { "there is no tag ‘\(TerminalText(name))’" }
  var hint: String? { "`snip tag` lists all tags." }
}

/// Tags of missing snippets were requested; a number may have been meant as a tag.
struct UntaggedSnippetsError: StatusError {
  private let missing: MissingSnippetsError
  private let isAlone: Bool

  init(_ missing: [SnippetID], of ids: [SnippetID]) {
    self.missing = MissingSnippetsError(ids: missing)
    isAlone = ids.count == 1
  }

  var status: ExitStatus { missing.status }
  var message: String { missing.message }
  var hint: String? {
    isAlone
      ? missing.hint
      : "Nothing was changed. For a tag that is a number: snip tag ID --add NUMBER"
  }
}
