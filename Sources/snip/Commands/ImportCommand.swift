import ArgumentParser
import Foundation
import SnipCore
import SnippetBase
import SnippetExchange
import SnippetStorage
import TerminalKit

struct ImportCommand: Subcommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Import files and folders, including subfolders.",
    usage: "snip import <path> ... [options]",
    discussion: """
      The content decides the kind, not the file name: text in any encoding it recognizes, \
      PNG, JPEG, GIF, WebP, TIFF, BMP, HEIC, AVIF, raw pictures (DNG, NEF, CR2, ARW, RAF), \
      WAV, AIFF, CAF, FLAC, Ogg, MP3, M4A, AAC, AMR, and WebM, Matroska, MP4, 3GP and \
      QuickTime without video. The title is the one that is written into a recording, a PNG or \
      a note, else the name of the file. Equal pictures and recordings, and equal files given \
      by name, are kept once; the others count as duplicates. Equal texts in a folder are all \
      kept, since each may be edited. Files that are skipped, left out, updated, moved or gone \
      are named with the reason. Ctrl-C keeps what has been imported.

      You can import a folder again: unchanged files are skipped, changed ones are updated and \
      keep their tags, renamed ones are recognized by their bytes, and new ones are added. A folder that was moved \
      as a whole takes its snippets along. If both \
      a file and its snippet have changed, both are kept. A snippet in the trash comes back if its \
      file is still there: delete the file as well. From Markdown, front matter (title, tags, date; \
      YAML, TOML or JSON) and #tags are read, and the text is kept unchanged. A folder made by `snip export` restores \
      the same snippets, one made by Joplin ("RAW") its notes and resources.

      A ZIP or tar archive is imported as the folder in it, among them Joplin's JEX, packed \
      TextBundles and Bear's backups. Importing it again adds nothing. Give all parts of a \
      Google Takeout at once: its JSON has the dates and titles of pictures, and the notes of \
      Keep. This needs libarchive, which `snip doctor` looks for. An export of Evernote (ENEX) \
      is read in the same way. XMP files of photo programs describe the pictures beside them.

      Examples:
        snip import ~/Photos
        snip import takeout-*.zip
        snip import --folder-tags ~/Notes
        snip import --trash-missing ~/Notes
        snip import --tag inbox scan.png memo.m4a
      """
  )

  static let handlesInterrupts = true

  @OptionGroup var store: StoreOptions
  @OptionGroup var output: OutputOptions

  @Argument(help: ArgumentHelp("Files and folders.", valueName: "path"), completion: .file())
  var joinedPaths: [String]

  private var paths: [String] { ManyWords.apart(joinedPaths) }

  @Option(
    name: .customLong("tag"),
    help: ArgumentHelp(
      "A tag for the snippet of every file, new or not. May be repeated.",
      valueName: "tag"
    ),
    completion: .tags
  )
  var tags: [String] = []

  @Flag(name: .customLong("hidden"), help: "Import hidden files and folders too.")
  var includesHidden = false

  @Flag(
    name: .customLong("folder-tags"),
    help: "Tag each snippet with the folders that its file is in, once."
  )
  var makesTagsOfFolders = false

  @Flag(
    name: .customLong("trash-missing"),
    help: "Move snippets to the trash whose files are gone from a folder imported before."
  )
  var movesMissingToTrash = false

  @Flag(
    name: .customLong("checksum"),
    help: "Read files to see if they changed, rather than trust their size and date."
  )
  var comparesContent = false

  @Flag(
    name: .customLong("follow-links"),
    help: "Follow links to hidden files below the given folders, as git-annex makes them."
  )
  var followsLinks = false

  @Flag(name: .customLong("dry-run"), help: "Print what would happen, and change nothing.")
  var isDryRun = false

  @Option(help: "Show progress: auto (on a terminal), plain (lines) or none.")
  var progress = ProgressBar.Style.auto

  func validate() throws {
    // The URL of an empty path is the current folder.
    guard !paths.contains("") else { throw ValidationError("A path is empty.") }
  }

  func run(in context: CommandContext) async throws {
    let hasStore = FileStatus.exists(try store.location(in: context).url.path)
    let hasFiles = paths.contains { FileStatus.exists(context.url($0).path) }
    if !isDryRun, hasStore || hasFiles {
      return try await run(on: store.open(in: context), in: context)
    }
    if hasStore { return try await run(on: store.openForChanging(in: context), in: context) }
    // Neither a dry run nor a slip in a path makes a store.
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("snip-import-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("empty.sqlite")
    try await run(on: store.open(at: file, in: context), in: context)
  }

  private func run(on store: SnippetStore, in context: CommandContext) async throws {
    let urls = paths.map(context.url)
    let options = ImportOptions(
      tags: tags.map(TagWord.plain),
      includesHidden: includesHidden,
      makesTagsOfFolders: makesTagsOfFolders,
      comparesContent: comparesContent,
      movesMissingToTrash: movesMissingToTrash,
      followsLinks: followsLinks,
      isDryRun: isDryRun
    )
    let bar = ProgressBar(title: "Importing", on: context.console.messages, style: progress)
    let tally = ImportTally(
      console: context.console,
      bar: bar,
      isJSON: output.isJSON,
      isDryRun: isDryRun
    )

    do {
      try await context.cancellable {
        tally.begin(await store.sizeOfImport(of: urls, options: options))
        let unpacking = UnpackingBar(on: context.console.messages, style: progress)
        defer { unpacking.finish() }
        let report = try await store.importFiles(
          at: urls,
          options: options,
          onUnpack: unpacking.update
        ) { event in
          unpacking.finish()
          tally.take(event)
        }
        tally.noteMissing(report.missingCount)
      }
    } catch {
      // Imported snippets stay, so they are counted, whatever ended the import.
      bar.interrupt()
      try tally.printTotals()
      if (error as? SnippetStoreError)?.code == .cancelled {
        throw InterruptedImportError(isDryRun: isDryRun)
      }
      throw error
    }
    bar.finish()
    try tally.printTotals()
    if tally.isEmpty {
      for path in paths {
        context.console.messages.writeLine("nothing to import in \(TerminalText(path))")
      }
    }
    if isDryRun, !output.isJSON {
      context.console.messages.writeLine("dry run: nothing was changed")
    }
    if tally.failedCount > 0 {
      throw PartialImportError(
        count: tally.failedCount,
        othersCount: tally.othersCount,
        isDryRun: isDryRun
      )
    }
  }
}

extension ProgressBar.Style: ExpressibleByArgument {}

/// The import was stopped because the program was asked to end.
struct InterruptedImportError: StatusError {
  let isDryRun: Bool

  var status: ExitStatus { .interrupted }
  var message: String { InterruptedError().message }
  var hint: String? {
    isDryRun
      ? "Nothing was changed."
      : "Everything counted above is kept. Run it again to import the rest."
  }
}

/// Some files could not be imported; each was named when it happened.
struct PartialImportError: StatusError {
  let count: Int
  /// The number of files that did not fail.
  let othersCount: Int
  let isDryRun: Bool

  var status: ExitStatus { .failure }
  var message: String {
    if othersCount > 0 { return "could not import \(count) of the files, named above" }
    return "could not import the \(count == 1 ? "file" : "files") named above"
  }
  var hint: String? {
    othersCount > 0 && !isDryRun
      ? "The others were imported. Run it again to retry only what is missing." : nil
  }
}
