import ArgumentParser
import SnipCore
import SnippetStorage
import TerminalKit

struct TagCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "tag",
    abstract: "Put tags on snippets or take them off; without a snippet, list all tags.",
    usage: "snip tag [<id> ... [<tag> ...]] [options]",
    discussion: """
      The numbers at the beginning are those of snippets, all other words are tags; use --add for a \
      tag that is a number. Either all the snippets are changed, or none.

      Examples:
        snip tag                          all tags and how many snippets carry them
        snip tag 7 holiday 'family photo'
        snip tag 7 9 12 holiday
        snip tag 7 --add 2026 --remove inbox
      """
  )

  @OptionGroup var store: StoreOptions
  @OptionGroup var output: OutputOptions

  @Argument(
    help: ArgumentHelp("The numbers of snippets, then the tags to put on.", valueName: "id")
  )
  var joinedWords: [String] = []

  private var words: [String] { ManyWords.apart(joinedWords) }

  @Option(
    name: .customLong("add"),
    help: ArgumentHelp("A tag to put on, also a number. May be repeated.", valueName: "tag")
  )
  var added: [String] = []

  @Option(
    name: .customLong("remove"),
    help: ArgumentHelp("A tag to take off. May be repeated.", valueName: "tag")
  )
  var removed: [String] = []

  func validate() throws {
    let numbers = numbers
    guard !numbers.isEmpty || words.isEmpty && added.isEmpty && removed.isEmpty else {
      throw ValidationError("Say which snippet: `snip tag ID TAG`.")
    }
    for number in numbers where SnippetID(argument: number) == nil {
      throw ValidationError("‘\(number)’ is not the number of a snippet.")
    }
  }

  /// The leading words that consist of digits.
  private var numbers: [String] {
    Array(words.prefix { !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } })
  }

  private var ids: [SnippetID] { numbers.compactMap(SnippetID.init(argument:)) }

  func run(in context: CommandContext) async throws {
    let ids = ids
    guard !ids.isEmpty else {
      let store = try await store.openForReading(in: context)
      return try await listTags(of: store, context.console.output)
    }
    let edit = SnippetEdit(
      addedTags: words.dropFirst(numbers.count) + added,
      removedTags: removed
    )
    let rows: [SnippetRow]
    var former: [SnippetRow] = []
    if edit == SnippetEdit() {
      let store = try await store.openForReading(in: context)
      let found = try ids.map { id in (id, try store.row(id)) }
      let missing = found.filter { $0.1 == nil }.map(\.0)
      guard missing.isEmpty else { throw UntaggedSnippetsError(missing, of: ids) }
      rows = found.compactMap(\.1)
    } else {
      let store = try await store.openForChanging(in: context)
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

  /// Prints the tags of one snippet one a line, and those of several after their numbers.
  private func print(_ rows: [SnippetRow], to stream: ConsoleStream) throws {
    for row in rows {
      if output.isJSON {
        try stream.writeLine(row.json)
      } else if rows.count == 1 {
        for tag in row.tags { try stream.writeLine(TerminalText(tag).description) }
      } else {
        try stream.writeLine("\(row.id)  \(TerminalText(row.tags.joined(separator: ", ")))")
      }
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
