import ArgumentParser
import Foundation
import SnipBrowser
import SnipCore
import SnippetStorage
import TerminalKit

struct DemoCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract: "Make a sample library and show what snip can do with it.",
    usage: "snip demo [options]",
    discussion: """
      Makes a separate store next to the default one, unless --store or $SNIP_STORE names another. \
      Running it again adds nothing twice.

      Examples:
        snip demo
        snip demo --store ~/sample.sqlite
      """
  )

  @OptionGroup var store: StoreOptions
  @OptionGroup var output: OutputOptions

  func run(in context: CommandContext) async throws {
    try StartRoom.require(moreThreads: StartRoom.threadCountOfScreen)
    let location = try store.location(in: context).ofDemo
    try location.createFolderIfDefault()
    let url = location.url
    let store = try await store.open(at: url, in: context)
    let saved = try await store.save(
      contentsOf: DemoLibrary.drafts(until: Date()),
      skipsDuplicates: true
    )
    let list = store.list()
    let scroll = try await ScrollRun(
      store: store,
      list: list,
      movement: ScrollMovement(seed: 1, viewport: 6, frameCount: 120),
      cacheByteLimit: 1 << 20
    ).run(in: context)

    if output.isJSON {
      try context.console.output.writeLine([
        "store": .string(url.path),
        "imported": JSONValue(saved.savedCount),
        "duplicates": JSONValue(saved.duplicateCount),
        "snippets": JSONValue(try list.count),
        "scroll": .object(scroll.json),
      ])
      return
    }
    let tour = DemoTour(
      store: store,
      path: url.path,
      console: context.console,
      environment: context.environment
    )
    try tour.tell(saved)
    try tour.list(list)
    try await tour.showOneOfEachKind()
    try tour.tell(scroll)
    try tour.tellWhatToTry()
    try await tour.showPictures()
  }
}

/// The sections that the demo prints.
private struct DemoTour {
  let store: SnippetStore
  let path: String
  let console: Console
  let environment: [String: String]

  private var out: ConsoleStream { console.output }

  func tell(_ saved: SaveReport) throws {
    try heading("A sample library in \(TerminalText(path))")
    try out.writeLine(
      """
      \(saved.savedCount) snippets added (\(ByteCountText(saved.byteCount))), \
      \(saved.duplicateCount) were there already
      """
    )
  }

  func list(_ list: SnippetList) throws {
    try heading("The list, the newest first")
    var printer = RowPrinter(console: console, isJSON: false)
    try printer.add(printer.format.piece(try list.rows(in: 0..<20)))
    try printer.finish()
  }

  func showOneOfEachKind() async throws {
    for kind in SnippetKind.allCases {
      guard let row = try store.list(SnippetFilter(kinds: [kind])).row(at: 0) else { continue }
      let name = kind == .voice ? "recording" : kind.name
      try heading("One \(name): \(TerminalText(row.title))")
      let facts = [row.mediaType, ByteCountText(row.byteCount).description, row.factsText]
      try out.writeLine(facts.filter { !$0.isEmpty }.joined(separator: ", "))
      if kind == .text {
        let text = TerminalText(try await store.text(of: row.id), lines: .kept).description
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).prefix(8) {
          let width = out.device.fittingWidth ?? 100
          try out.writeLine("  " + String(line).truncated(toWidth: max(10, width - 2)))
        }
      } else {
        try out.writeLine("  to see it: \(command("show \(row.id) --pixels symbols"))")
        try out.writeLine("  its bytes: \(command("cat \(row.id) -o FILE"))")
      }
    }
  }

  func tell(_ report: ScrollReport) throws {
    try heading("A thumb flicked through it")
    let wrong = report.wrongDeliveries + report.unresolvedCells
    try out.writeLine(
      """
      \(report.movement.frameCount) frames over \(report.rowCount) rows: the slowest step took \
      \(ElapsedText(report.stepTime(atShare: 1))), and \
      \(wrong == 0 ? "each cell" : "all cells but \(wrong)") showed its own content at the end
      """
    )
  }

  func tellWhatToTry() throws {
    try heading("What to try next")
    let file = ShellWord(path)
    let onScreen = out.device.canRedraw ? [command("browse")] : []
    for line in wayToProgram + onScreen + [
      command("search recipe"),
      command("list --kind image --order title"),
      command("import ~/Documents"),
      command("scroll --rows 100000"),
      command("check"),
      "sqlite3 \(file) 'SELECT id, kind, title, about FROM snippets LIMIT 5'",
      "sqlite3 \(file) 'SELECT * FROM blobs LIMIT 5'",
      """
      sqlite3 \(file) "SELECT writefile('copy.png', data) FROM small_blobs \
      WHERE media_type = 'image/png'"
      """,
    ] {
      try out.writeLine("  \(line)")
    }
  }

  /// Draws all pictures, where there is a terminal to draw on.
  func showPictures() async throws {
    guard let form = PictureForm(.auto, on: out.device, environment: environment) else { return }
    try heading("What is in it to be seen and heard")
    let rows = try store.list(SnippetFilter(kinds: [.image, .voice])).rows(in: 0..<100)
    var sheet = ContactSheet(form, device: out.device, environment: environment)
    for row in rows { try await sheet.add(row, of: store) }
    for line in sheet.lines {
      try out.writeLine(line.written(allowsStyles: out.device.allowsColor))
    }
  }

  /// The way to call this program by its name alone, if it was called by its path.
  private var wayToProgram: [String] {
    guard let program = CommandLine.arguments.first, program.contains("/") else { return [] }
    let folder = URL(fileURLWithPath: program).deletingLastPathComponent().path
    return ["PATH=\(ShellWord(folder)):$PATH"]
  }

  private func heading(_ text: String) throws {
    try out.writeLine()
    try out.writeLine(out.device.styled(text, .heading))
  }

  private func command(_ words: String) -> String {
    "snip \(words) --store \(ShellWord(path))"
  }
}
